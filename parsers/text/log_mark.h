// SPDX-License-Identifier: MIT
/**
 * Finds the places in a log where a frame, an image or a process may be. Most
 * lines of a log have none, and are decided here, by the characters around a
 * hexadecimal number.
 *
 * Every frame and image that log_line_read() finds has a mark
 * (log_line_find()).
 */
#ifndef APMTOOL_PARSERS_TEXT_LOG_MARK_H
#define APMTOOL_PARSERS_TEXT_LOG_MARK_H

#include "lib/base/text.h"

#include <stddef.h>

/** Why a line must be examined. */
enum log_mark {
	LOG_MARK_NONE,
	LOG_MARK_PROCESS, ///< may have a process: log_line_read_process()
	LOG_MARK_LINE,    ///< may have a frame or an image: log_line_read()
};

/**
 * Position of the first mark from @p at on; the end if there is none. This
 * function sees all bytes of a log, and is fast.
 */
size_t log_line_find(struct text in, size_t at, enum log_mark *ret);

/** `0x` and digits: devices print no shorter addresses. */
#define ADDRESS_BYTES_MIN 9

/** Why the address with its `x` at @p x must be examined. */
enum log_mark log_mark_of_address(struct text in, size_t x);

// Words

static inline size_t digits_at(struct text line, size_t at)
{
	return text_count_digits(text_after(line, at));
}

static inline size_t hex_digits_at(struct text line, size_t at)
{
	return text_count_hex_digits(text_after(line, at));
}

static inline size_t skip_blanks(struct text line, size_t at)
{
	return at + text_count_blanks(text_after(line, at));
}

/** Size of `0x` and its hex digits; 0 if there is no address. */
static inline size_t address_size(struct text line, size_t at)
{
	size_t digits;

	if (!text_starts(text_after(line, at), "0x"))
		return 0;
	digits = hex_digits_at(line, at + 2);
	return digits ? 2 + digits : 0;
}

/** Is it one of the dashes that Swift writes between two addresses? */
static inline size_t dash_size(struct text at)
{
	if (text_starts(at, "-"))
		return 1;
	// U+2010 to U+2015
	return at.size >= 3 && text_starts(at, "\xe2\x80") &&
	                       (unsigned char)at.data[2] >= 0x90 &&
	                       (unsigned char)at.data[2] <= 0x95
	               ? 3
	               : 0;
}

#endif

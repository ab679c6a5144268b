// SPDX-License-Identifier: MIT
#include "parsers/text/log_mark.h"

#include "lib/base/block.h"
#include "lib/base/uuid.h"

#include <string.h>

/** A line with more text after an address is always read. */
#define LOOK_BYTES 1024
/** Digits of a frame's number. */
#define INDEX_DIGITS_MAX 4
/** Digits of a UUID before its first dash. */
#define UUID_FIRST_DIGITS 8

// An address

static bool ends_address(char c)
{
	return text_is_space(c) || c == ')' || c == '"' || c == '\\';
}

/** Is the address at @p at, so long, a word of the line? */
static bool is_address(struct text line, size_t at, size_t size)
{
	char before = at ? line.data[at - 1] : ' ';
	struct text after = text_after(line, at + size);

	// The two addresses of a range may touch; JSON strings end in a quote.
	return (text_is_space(before) || before == '(') &&
	       (!after.size || ends_address(after.data[0]) || dash_size(after));
}

/** End of the last word before @p at, in its line. */
static size_t end_before(struct text in, size_t at)
{
	while (at && text_is_blank(in.data[at - 1]))
		at--;
	return at;
}

/** Does a line or part end here, ignoring blanks? */
static bool ends_part(struct text rest)
{
	rest = text_after(rest, text_count_blanks(rest));
	return !rest.size || rest.data[0] == '\r' || rest.data[0] == '\n' ||
	       rest.data[0] == '"' || rest.data[0] == '\\';
}

/** Sixteen digits are an address without `0x`, in its own column. */
static bool is_bare_address(struct text rest)
{
	return text_count_hex_digits(text_first(rest, 17)) == 16;
}

/** `:12)` or `:-1)` of a place, or `, near)`. */
static bool ends_place(struct text before)
{
	size_t at = before.size;

	while (at && text_is_digit(before.data[at - 1]))
		at--;
	if (at == before.size)
		return text_ends(before, ", near");
	return at && (before.data[at - 1] == ':' || before.data[at - 1] == '-');
}

/**
 * Does the `+`, `)` or `]` at @p at belong to the end of a frame: `+ 12`,
 * `(file:12)`, `[inlined]`?
 */
static bool is_sign(struct text line, size_t at)
{
	struct text before = text_first(line, at);
	struct text after = text_after(line, at + 1);

	if (line.data[at] == '+')
		return after.size && text_is_space(after.data[0]);
	if (line.data[at] == ')')
		return ends_place(before);
	return text_ends(before, "[inlined");
}

static bool has_sign(struct text line)
{
	size_t at = 0;

	for (; line.size - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
		block bytes = block_load(line.data + at);
		unsigned found = block_bits(block_of(bytes, '+') |
		                            block_of(bytes, ')') |
		                            block_of(bytes, ']'));

		for (; found; found &= found - 1)
			if (is_sign(line, at + block_first(found)))
				return true;
	}
	for (; at < line.size; at++)
		if (strchr("+)]", line.data[at]) && line.data[at] &&
		    is_sign(line, at))
			return true;
	return false;
}

/** `[ra]`, `[system]`, `[inlined]`. */
static bool ends_in_tag(struct text before)
{
	size_t at = before.size - 1;

	while (at && text_is_letter(before.data[at - 1]))
		at--;
	return at && before.data[at - 1] == '[';
}

/** A word that is a frame's number. */
static bool ends_in_index(struct text before)
{
	size_t at = before.size;

	while (at && text_is_digit(before.data[at - 1]))
		at--;
	return before.size > at && before.size - at <= INDEX_DIGITS_MAX &&
	       (!at || !strchr("+-.:,", before.data[at - 1]));
}

/** Swift's frames have their number or a tag right before the address. */
static bool is_of_swift(struct text before, struct text rest)
{
	return (ends_in_index(before) ||
	        (text_ends(before, "]") && ends_in_tag(before))) &&
	       text_find(rest, " in ") != TEXT_NOWHERE;
}

/** `4C4C44BD-5555-3144-A18B-1D7A14ACC538`, by its dashes. */
static bool ends_in_uuid(struct text before)
{
	const char *end = before.data + before.size;

	return before.size >= UUID_TEXT_SIZE - 1 && end[-13] == '-' &&
	       end[-18] == '-' && end[-23] == '-' && end[-28] == '-';
}

/** `#12:` */
static bool ends_in_number(struct text before)
{
	size_t at = before.size - 1;

	while (at && text_is_digit(before.data[at - 1]))
		at--;
	return at && before.data[at - 1] == '#';
}

/** The number of lldb's frames, or the UUID in its list of images. */
static bool is_of_lldb(struct text before)
{
	return (text_ends(before, ":") && ends_in_number(before)) ||
	       ends_in_uuid(before);
}

/**
 * Can a line with a long address be a frame or an image? The text right before
 * or after the address decides.
 */
static bool may_hold(struct text in, size_t at, size_t size)
{
	struct text rest = text_first(text_after(in, at + size), LOOK_BYTES);
	struct text next = text_after(rest, text_count_blanks(rest));
	size_t end = text_find_char(rest, '\n');
	struct text before = text_first(in, end_before(in, at));

	if (ends_part(rest) || text_starts(next, "0x") || dash_size(next) ||
	    text_starts(next, "(Missing") || is_bare_address(next))
		return true;
	if (end == TEXT_NOWHERE && rest.size == LOOK_BYTES)
		return true;
	rest = text_first(rest, end);
	return has_sign(rest) || is_of_lldb(before) ||
	       is_of_swift(before, rest);
}

/** Can a short one be an offset of Crashlytics, or an image near zero? */
static bool is_offset(struct text line, size_t at, size_t size)
{
	struct text after = text_after(line, skip_blanks(line, at + size));

	return text_starts(after, "(Missing") || dash_size(after);
}

/** In `log stream`, the thread follows the time. */
static bool is_thread(struct text in, size_t at)
{
	return at > 1 && in.data[at - 1] == ' ' &&
	       (text_is_digit(in.data[at - 2]) || in.data[at - 2] == 'Z');
}

/** `+0x100000abc)`, at the end of a frame of a sanitizer. */
static bool is_linked(struct text in, size_t at, size_t size)
{
	return at && in.data[at - 1] == '+' &&
	       text_starts(text_after(in, at + size), ")");
}

enum log_mark log_mark_of_address(struct text in, size_t x)
{
	size_t at = x - 1;
	size_t size = address_size(in, at);

	if (size && is_linked(in, at, size))
		return LOG_MARK_LINE;
	if (!size || !is_address(in, at, size))
		return LOG_MARK_NONE;
	if (size >= ADDRESS_BYTES_MIN ? may_hold(in, at, size)
	                              : is_offset(in, at, size))
		return LOG_MARK_LINE;
	return is_thread(in, at) ? LOG_MARK_PROCESS : LOG_MARK_NONE;
}

// Marks

/** `<4C4C44BD-` of a UUID. */
static bool is_uuid(struct text in, size_t at)
{
	struct text digits =
	        text_first(text_after(in, at + 1), UUID_FIRST_DIGITS + 1);

	return text_ends(digits, "-") &&
	       text_count_hex_digits(digits) == UUID_FIRST_DIGITS;
}

/**
 * `0x` of an address; `[` and digits, of a process; `<` and digits, of a UUID:
 * is one of these at @p at?
 */
static enum log_mark mark_at(struct text in, size_t at)
{
	switch (in.data[at]) {
	case 'x':
		return at && in.data[at - 1] == '0'
		               ? log_mark_of_address(in, at)
		               : LOG_MARK_NONE;
	case '[':
		return digits_at(in, at + 1) ? LOG_MARK_PROCESS : LOG_MARK_NONE;
	case '<':
		return is_uuid(in, at) ? LOG_MARK_LINE : LOG_MARK_NONE;
	default:
		return LOG_MARK_NONE;
	}
}

size_t log_line_find(struct text in, size_t at, enum log_mark *ret)
{
	for (; in.size - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
		block bytes = block_load(in.data + at);
		unsigned found = block_bits(block_of(bytes, 'x') |
		                            block_of(bytes, '[') |
		                            block_of(bytes, '<'));

		for (; found; found &= found - 1) {
			*ret = mark_at(in, at + block_first(found));
			if (*ret)
				return at + block_first(found);
		}
	}
	for (; at < in.size; at++)
		if ((*ret = mark_at(in, at)))
			return at;
	return in.size;
}

// SPDX-License-Identifier: MIT
/**
 * One character that a terminal, a web page or a word processor put in place
 * of another: a color, an HTML escape, a no-break space, a typographic mark.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_CHARACTER_H
#define APMTOOL_PARSERS_INPUT_REPAIR_CHARACTER_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/** What a character was put there by. */
enum character_kind {
	CHARACTER_COLOR = 1 << 0, ///< escape sequences of terminals
	CHARACTER_HTML = 1 << 1,  ///< entities, and the tags that copies keep
	CHARACTER_SPACE = 1 << 2, ///< no-break spaces, and other wide ones
	CHARACTER_INVISIBLE = 1 << 3, ///< without a width
	CHARACTER_MARK = 1 << 4,      ///< typographic quotes and dashes
};

/** What is there in place of something else. */
struct character {
	enum character_kind kind;
	size_t size;  ///< bytes that it takes
	char text[4]; ///< what it was
	size_t text_size;
};

/** The character at @p at, if it is one of these. */
bool character_read(struct text in, size_t at, struct character *ret);

/**
 * The beginning of @p in with all of them read as what they were: @p in itself
 * if there are none, else put in @p buffer.
 */
struct text characters_plain(struct text in, char *buffer, size_t size);

/** Size of a terminal's escape sequence at @p at; 0 if there is none. */
size_t character_color_size(struct text at);

/** May a character of this byte be one of ours? */
static inline bool character_is_special(char c)
{
	return c & 0x80 || c == '&' || c == '<' || c == '\x1b';
}

#endif

// SPDX-License-Identifier: MIT
/**
 * A character that a terminal, a web page or a word processor substituted: a
 * color, an HTML escape, a no-break space, a typographic quote.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_CHARACTER_H
#define APMTOOL_PARSERS_INPUT_REPAIR_CHARACTER_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/** Kinds of substituted characters. */
enum character_kind {
	CHARACTER_COLOR = 1 << 0,     ///< escape sequences of terminals
	CHARACTER_HTML = 1 << 1,      ///< entities, and tags left in copies
	CHARACTER_SPACE = 1 << 2,     ///< no-break and wide spaces
	CHARACTER_INVISIBLE = 1 << 3, ///< characters without width
	CHARACTER_MARK = 1 << 4,      ///< typographic quotes and dashes
};

/** A substituted character. */
struct character {
	enum character_kind kind;
	size_t size;  ///< bytes in the text
	char text[4]; ///< the original
	size_t text_size;
};

/** Read the character at @p at; false if it is not substituted. */
bool character_read(struct text in, size_t at, struct character *ret);

/**
 * The beginning of @p in with the original characters: @p in itself if there is
 * nothing to replace, else in @p buffer.
 */
struct text characters_plain(struct text in, char *buffer, size_t size);

/** Size of a terminal escape sequence at @p at; or 0. */
size_t character_color_size(struct text at);

/** Can a substituted character begin with this byte? */
static inline bool character_is_special(char c)
{
	return c & 0x80 || c == '&' || c == '<' || c == '\x1b';
}

#endif

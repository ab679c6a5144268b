// SPDX-License-Identifier: MIT
/**
 * Fits text to the columns of a terminal: wraps it between words, or shortens
 * it with `…`. Wide characters take two columns, combining marks none
 * (utf8_width()).
 *
 *     struct columns_lines lines = { .out = &text, .width = 80, .indent = 4 };
 *     columns_add_text(&lines, text_from("a sentence that may be long"));
 *
 * Call utf8_add_visible() first: terminal controls have no known width.
 */
#ifndef APMTOOL_LIB_BASE_COLUMNS_H
#define APMTOOL_LIB_BASE_COLUMNS_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Lines wrapped between words. A word longer than a line is broken between wide
 * characters. No line ends in a blank; a percent sign stays with its number.
 */
struct columns_lines {
	struct str *out;
	size_t width;  ///< 0: do not wrap
	size_t indent; ///< of every line except the first
	size_t column; ///< column of the next word
	/** Shorten words longer than a line; else they stay whole. */
	bool shortens;
	bool has_words; ///< the current line has words
};

/**
 * Append a word, after @p blanks blanks unless it begins a line. A word longer
 * than a line gets its own line.
 */
void columns_add_word(struct columns_lines *lines, size_t blanks,
                      struct text word);

/** Append the words of @p text with the blanks between them. */
void columns_add_text(struct columns_lines *lines, struct text text);

/**
 * Append @p text; if it is wider than @p width, cut its end: `-[Store
 * imageNa…`.
 */
void columns_shorten(struct text text, size_t width, struct str *out);

/**
 * Append @p text, parts with separators; if it is wider than @p width, omit
 * parts in the middle: `samples/…/Demo`. The last part, the most informative,
 * is kept longest. If it is too wide itself, its middle is cut for the
 * separator `/`, else its end.
 */
void columns_shorten_parts(struct text text, const char *separator,
                           size_t width, struct str *out);

/** Width of the longest word. */
size_t columns_longest_word(struct text text);

#endif

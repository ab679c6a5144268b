// SPDX-License-Identifier: MIT
/**
 * Text fitted to the columns of a terminal: wrapped between words, or
 * shortened to what fits with `…` in place of the rest. Wide characters count
 * as two columns, combining marks as none (utf8_width()).
 *
 *     struct columns_lines lines = { .out = &text, .width = 80, .indent = 4 };
 *
 *     columns_add_text(&lines, text_from("a sentence that may be long"));
 *
 * Text must be visible already (utf8_add_visible()): what controls a terminal
 * has no width that could be counted.
 */
#ifndef APMTOOL_LIB_BASE_COLUMNS_H
#define APMTOOL_LIB_BASE_COLUMNS_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Lines that are broken between words, and between the characters of a word
 * that is longer than a line if they are wide; no line ends with a blank. A
 * percent sign stays with its number.
 */
struct columns_lines {
	struct str *out;
	size_t width;  ///< 0: lines are never broken
	size_t indent; ///< of every line but the first
	size_t column; ///< where the next word goes
	/** A word longer than a line is shortened; else it stays whole. */
	bool shortens;
	bool has_words; ///< in this line
};

/**
 * Append a word, after @p blanks blanks unless it begins a line.
 *
 * A word longer than a line gets a line of its own.
 */
void columns_add_word(struct columns_lines *lines, size_t blanks,
                      struct text word);

/** Append the words of @p text with the blanks between them. */
void columns_add_text(struct columns_lines *lines, struct text text);

/**
 * Append @p text, with its end left out where it is wider than @p width:
 * `-[Store imageNa…`.
 */
void columns_shorten(struct text text, size_t width, struct str *out);

/**
 * Append @p text, which has parts between separators, with parts in the middle
 * left out where it is wider than @p width: `samples/…/Demo`. The last part,
 * which says most, is kept longest. Where it does not fit either, its own
 * middle is left out if @p separator is `/`, else its end.
 */
void columns_shorten_parts(struct text text, const char *separator,
                           size_t width, struct str *out);

/** Columns of the longest word. */
size_t columns_longest_word(struct text text);

#endif

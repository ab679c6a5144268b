// SPDX-License-Identifier: MIT
/**
 * The line of a long text at which a report may begin. Readers know a text by
 * its first lines; a console may have said more than that before its program
 * failed.
 *
 *     struct far_start start = far_start_open(text);
 *
 *     while (far_start_next(&start))
 *             if (is_read(start.text, start.line))
 *                     break;
 *
 * One pass over the text: each line is looked at once, whatever becomes of it.
 */
#ifndef APMTOOL_PARSERS_INPUT_FAR_START_H
#define APMTOOL_PARSERS_INPUT_FAR_START_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct far_start {
	struct text text; ///< from the line on
	size_t line;      ///< its number, from 1
	struct text rest; ///< not looked at yet
	size_t next;      ///< the number of its first line
	size_t count;     ///< lines that have been found
};

struct far_start far_start_open(struct text in);

/**
 * Find the next line with a headline (lib/darwin/headline.h) or another line
 * that only a report begins with; false where there is none, after so many of
 * them that the others are of no report either, and in a text that holds NUL
 * bytes.
 */
bool far_start_next(struct far_start *start);

#endif

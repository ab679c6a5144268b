// SPDX-License-Identifier: MIT
/**
 * Finds the lines of a long text where a report may begin. Readers look at the
 * first lines of a text; a console may print a lot before its program fails.
 *
 *     struct far_start start = far_start_open(text);
 *
 *     while (far_start_next(&start))
 *             if (is_read(start.text, start.line))
 *                     break;
 *
 * One pass over the text.
 */
#ifndef APMTOOL_PARSERS_INPUT_FAR_START_H
#define APMTOOL_PARSERS_INPUT_FAR_START_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct far_start {
	struct text text; ///< from the found line on
	size_t line;      ///< number of the found line, from 1
	struct text rest; ///< not searched yet
	size_t next;      ///< number of its first line
	size_t count;     ///< lines found so far
};

struct far_start far_start_open(struct text in);

/**
 * Find the next line with a headline (lib/darwin/headline.h) or another line
 * that only begins reports. Returns false at the end, after a fixed number of
 * lines, and in a text with NUL bytes.
 */
bool far_start_next(struct far_start *start);

#endif

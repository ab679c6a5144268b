// SPDX-License-Identifier: MIT
/**
 * Cutting an input into the reports that were glued together in it
 * (formats.md chapter 1, "bad input seen in the wild"): text after text,
 * `.ips` after `.ips`, text and JSON mixed, JSON Lines.
 *
 * A cut is made only where another report clearly begins. What belongs
 * together stays together: the header line of an `.ips` file and its body, the
 * Console's translated text and the JSON below it, what KSCrash writes below
 * `EOF`, the System Profile after an `.ips` body. So an input that holds one
 * report is one part, and all parts together are the input.
 *
 *     struct split split = split_open(text);
 *     struct split_part part;
 *
 *     while (split_next(&split, &part))
 *             read_part(part.text, part.line);
 *
 * Each byte is looked at three times at most, where all JSON is complete. That
 * a value is not shows at its end, or that of the input: what may have been
 * glued to it is looked for then, as long as no more than a multiple of the
 * input is passed over again.
 */
#ifndef APMTOOL_PARSERS_INPUT_SPLIT_H
#define APMTOOL_PARSERS_INPUT_SPLIT_H

#include "lib/base/text.h"
#include "parsers/json/shape.h"

#include <stdbool.h>
#include <stddef.h>

/** The last of this many parts holds all the rest. */
#define SPLIT_PARTS_MAX 50000

struct split {
	struct text rest;
	struct text last; ///< part, whose lines are not in @c line yet
	size_t line;      ///< where it begins, from 1
	size_t count;     ///< parts so far
	size_t again;     ///< bytes that may be passed over once more
};

struct split_part {
	struct text text;
	size_t line; ///< of the input, where it begins; from 1
	/** The last JSON value in it that is complete: most of an `.ips`. */
	struct json_shape_known value;
	/** It ends in a value without an end, which may hold other reports. */
	bool is_unsearched;
};

struct split split_open(struct text in);

/** The next part; false at the end. An empty input has none. */
bool split_next(struct split *split, struct split_part *ret);

#endif

// SPDX-License-Identifier: MIT
/**
 * Splits an input into its reports (apmtool-formats(5)): text after text,
 * `.ips` after `.ips`, text and JSON mixed, JSON Lines.
 *
 * It splits only where another report clearly begins. Parts that belong
 * together stay together: the header line of an `.ips` file and its body, the
 * Console's translated text and the JSON below it, KSCrash's text after `EOF`,
 * the System Profile after an `.ips` body. An input with one report is one
 * part; all parts together are the input.
 *
 *     struct split split = split_open(text);
 *     struct split_part part;
 *
 *     while (split_next(&split, &part))
 *             read_part(part.text, part.line);
 *
 * If all JSON is complete, each byte is read at most three times. An incomplete
 * value may extend to the end of the input. Its text is then searched again for
 * other reports, up to a fixed multiple of the input.
 */
#ifndef APMTOOL_PARSERS_INPUT_SPLIT_H
#define APMTOOL_PARSERS_INPUT_SPLIT_H

#include "lib/base/text.h"
#include "parsers/json/shape.h"

#include <stdbool.h>
#include <stddef.h>

/** The last part contains everything after this many. */
#define SPLIT_PARTS_MAX 50000

struct split {
	struct text rest;
	/** last part; its lines are not yet counted in @c line */
	struct text last;
	size_t line;  ///< its first line, from 1
	size_t count; ///< parts so far
	size_t again; ///< bytes that may still be searched again
};

struct split_part {
	struct text text;
	size_t line; ///< first line in the input, from 1
	/** Its last complete JSON value: most of an `.ips`. */
	struct json_shape_known value;
	/** It ends in an incomplete value, which may contain other reports. */
	bool is_unsearched;
};

struct split split_open(struct text in);

/** The next part; false at the end. An empty input has no parts. */
bool split_next(struct split *split, struct split_part *ret);

#endif

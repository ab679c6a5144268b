// SPDX-License-Identifier: MIT
/**
 * What all readers of JSON share: types and their names, numbers, limits, and
 * the repairs that are made while reading.
 */
#ifndef APMTOOL_LIB_TEXT_JSON_VALUE_H
#define APMTOOL_LIB_TEXT_JSON_VALUE_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Deepest nesting that is read piece by piece (pull.h): MetricKit and Matrix
 * spend two levels a frame.
 */
#define JSON_PULL_DEPTH 4096

/** Longest string or number of an input that comes piece by piece. */
#define JSON_PULL_TOKEN_BYTES ((size_t)256 << 20)

enum json_type {
	JSON_NULL,
	JSON_BOOL,
	JSON_NUMBER,
	JSON_TEXT,
	JSON_ARRAY,
	JSON_OBJECT,
};

/** `a number`, `text`, `an array`, … for messages. */
const char *json_type_name(enum json_type type);

/**
 * The value of digits, decimal or `0x…`: a whole number from 0 to 2^64 - 1; a
 * negative one gives the same 64 bits. No fractions or exponents: they
 * have lost precision.
 */
bool json_u64(struct text digits, uint64_t *ret);

/**
 * Append what was found where something else was expected, as all messages say
 * it: `'n/a'`, `'4.3e+09'`, `an array`.
 *
 * @param text  Of a text or number, or the word for no number that a null
 *              stands for; of others nothing.
 */
void json_add_found(struct str *out, enum json_type type, struct text text);

/** A repair made while reading. */
struct json_repair {
	size_t offset;
	const char *text; ///< constant
};

#endif

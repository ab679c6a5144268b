// SPDX-License-Identifier: MIT
/**
 * Shared by all JSON readers: types and their names, numbers, limits, and
 * repairs.
 */
#ifndef APMTOOL_LIB_TEXT_JSON_VALUE_H
#define APMTOOL_LIB_TEXT_JSON_VALUE_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Max nesting of streamed input (pull.h): MetricKit and Matrix take two levels
 * a frame.
 */
#define JSON_PULL_DEPTH 4096

/** Max bytes of a string or number in streamed input. */
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
 * The value of decimal or `0x…` digits: a whole number from 0 to 2^64 - 1; a
 * negative one is cast. Fractions and exponents are rejected: they have lost
 * precision.
 */
bool json_u64(struct text digits, uint64_t *ret);

/**
 * Append the unexpected value as in all messages: `'n/a'`, `'4.3e+09'`, `an
 * array`.
 *
 * @param text  Of a text or number, or the word that a null replaced; else
 *              empty.
 */
void json_add_found(struct str *out, enum json_type type, struct text text);

/** A repair of the input. */
struct json_repair {
	size_t offset;
	const char *text; ///< constant
};

#endif

// SPDX-License-Identifier: MIT
/**
 * Parses numbers: the whole field must be a number.
 *
 * All functions take untrusted text, reject signs, blanks, empty fields and
 * values over 64 bits, and then leave @p ret unchanged.
 */
#ifndef APMTOOL_LIB_BASE_NUMBER_H
#define APMTOOL_LIB_BASE_NUMBER_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/** Decimal digits only. */
bool number_decimal(struct text field, uint64_t *ret);

/** Hex digits of any case, with or without a leading `0x`. */
bool number_hex(struct text field, uint64_t *ret);

/** Remove `0x` and hex digits from the front of @p rest; else unchanged. */
bool number_take_hex(struct text *rest, uint64_t *ret);

/** Hex with `0x`, decimal without. */
bool number_any(struct text field, uint64_t *ret);

/**
 * Decimal with an optional minus sign. Some writers print addresses as signed
 * numbers; cast the result to unsigned.
 */
bool number_signed(struct text field, int64_t *ret);

/** For qsort(), ascending. */
static inline int number_compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/** The sum; saturates. */
static inline uint64_t number_sum(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/** The difference; 0 if @p b is greater. */
static inline uint64_t number_difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

#endif

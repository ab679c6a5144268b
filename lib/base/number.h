// SPDX-License-Identifier: MIT
/**
 * Numbers out of text: the whole field is the number, or there is none.
 *
 * All take untrusted text, refuse signs, blanks, empty fields and values
 * that do not fit 64 bits, and leave @p ret alone when they refuse.
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

/** Take `0x` and hex digits off the front of @p rest; else it is left alone. */
bool number_take_hex(struct text *rest, uint64_t *ret);

/** Hex with `0x`, decimal without. */
bool number_any(struct text field, uint64_t *ret);

/**
 * Decimal with an optional minus sign. Some writers print addresses signed;
 * the caller can take the same bits as unsigned.
 */
bool number_signed(struct text field, int64_t *ret);

/** For qsort(): the least comes first. */
static inline int number_compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/** The sum, or the greatest number where it does not fit. */
static inline uint64_t number_sum(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/** The difference, or 0 where @p b is the greater one. */
static inline uint64_t number_difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

#endif

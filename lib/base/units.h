// SPDX-License-Identifier: MIT
/**
 * Amounts as people write them: `12.5`, `1.2e-05`, `100ms`, and how they are
 * written again. Whatever does not fit the digits that are left is rounded
 * half up, here and nowhere else.
 */
#ifndef APMTOOL_LIB_BASE_UNITS_H
#define APMTOOL_LIB_BASE_UNITS_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

#define UNITS_MIB ((uint64_t)1 << 20)

/**
 * Digits, perhaps with a fraction and an exponent (`66`, `0.0667`, `1.2e-05`),
 * times @p factor: 1000 for milliseconds in microseconds, UNITS_MIB for MiB in
 * bytes. Without sign or blanks.
 *
 * @param factor  At most 2^32.
 * @return false, and @p ret untouched, where it is no such number or would be
 *         more than @p most.
 */
bool units_read(struct text number, uint64_t factor, uint64_t most,
                uint64_t *ret);

/**
 * An amount of memory: `500 MB`, `2G`, `64 KiB`, `4096`; in bytes. K, M and G
 * are powers of 1,024.
 *
 * @return false, and @p ret untouched, where it is none, or more than 2^60.
 */
bool units_read_size(struct text text, uint64_t *ret);

/**
 * `10 milliseconds`, `1.5s …`, `100ms)`: microseconds; whatever follows the
 * unit is ignored. 0 where it is no duration.
 */
uint64_t units_read_duration_us(struct text text);

/** How many @p units of @p whole a part is; 0 of nothing. */
uint64_t units_share(uint64_t part, uint64_t whole, uint64_t units);

/** @p value / @p unit with as many decimals as wanted; at most 6. */
void units_add_fixed(struct str *out, uint64_t value, uint64_t unit,
                     unsigned decimals);

/**
 * @p value / @p unit with no more decimals than needed, at most ten: exact for
 * powers of ten, and for KiB in MiB.
 */
void units_add_exact(struct str *out, uint64_t value, uint64_t unit);

/** The two largest units that it has: `3 d 4 h`, `12 s`, `50 ms`. */
void units_add_duration(struct str *out, uint64_t ms);

#endif

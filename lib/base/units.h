// SPDX-License-Identifier: MIT
/**
 * Reads and writes amounts for people: `12.5`, `1.2e-05`, `100ms`. All rounding
 * is done here, half up.
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
 * bytes. No sign, no blanks.
 *
 * @param factor  At most 2^32.
 * @return false, with @p ret unchanged, if it is not such a number or the
 * product exceeds @p max.
 */
bool units_read(struct text number, uint64_t factor, uint64_t max,
                uint64_t *ret);

/**
 * An amount of memory in bytes: `500 MB`, `2G`, `64 KiB`, `4096`. K, M and G
 * are powers of 1,024.
 *
 * @return false, with @p ret unchanged, if it is invalid or over 2^60.
 */
bool units_read_size(struct text text, uint64_t *ret);

/**
 * A duration in microseconds: `10 milliseconds`, `1.5s …`, `100ms)`; text after
 * the unit is ignored. 0 if it is invalid.
 */
uint64_t units_read_duration_us(struct text text);

/** @p part / @p whole in @p units per whole; 0 if @p whole is 0. */
uint64_t units_share(uint64_t part, uint64_t whole, uint64_t units);

/** @p value / @p unit with a fixed number of decimals, at most 6. */
void units_add_fixed(struct str *out, uint64_t value, uint64_t unit,
                     unsigned decimals);

/**
 * @p value / @p unit with as few decimals as possible, at most ten: exact for
 * powers of ten, and for KiB in MiB.
 */
void units_add_exact(struct str *out, uint64_t value, uint64_t unit);

/** In its two largest units: `3 d 4 h`, `12 s`, `50 ms`. */
void units_add_duration(struct str *out, uint64_t ms);

#endif

// SPDX-License-Identifier: MIT
/**
 * Counts over time in a fixed number of slots. A slot is an hour long. As the
 * time span grows, slots become longer: 2, 6, 12 hours, a day, 2 days and so
 * on. Slots are in UTC and begin at a multiple of their length since 1970: this
 * makes it possible to add two trends.
 *
 *     struct trend trend = { 0 };
 *
 *     trend_add(&trend, ms);
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_GROUP_TREND_H
#define APMTOOL_LIB_ANALYSIS_CRASH_GROUP_TREND_H

#include "lib/base/str.h"

#include <stddef.h>
#include <stdint.h>

#define TREND_SLOTS 32

/** All zeros is empty. */
struct trend {
	int64_t first;  ///< number of the first slot, counted from 1970
	size_t count;   ///< slots from the first to the last that is not 0
	unsigned scale; ///< length of slots
	uint32_t counts[TREND_SLOTS];
};

/** Count an event at a time in ms since 1970. */
void trend_add(struct trend *trend, int64_t ms);
/** Add all counts of @p from. */
void trend_join(struct trend *trend, const struct trend *from);
/**
 * Convert the counts of @p trend to the slots of @p whole. The time span of
 * @p whole includes that of @p trend.
 *
 * @param ret  Has room for the slots of @p whole.
 */
void trend_spread(const struct trend *trend, const struct trend *whole,
                  uint32_t *ret);
/** Append `2026-01-31 to 2026-02-04, per day: 3, 0, 0, 1, 2`. */
void trend_add_words(const struct trend *whole, const uint32_t *counts,
                     struct str *out);

#endif

// SPDX-License-Identifier: MIT
/**
 * How often something came over time, in few numbers however long that is:
 * slots of an hour, which become slots of 2, 6, 12 hours, a day, 2 days and so
 * on when there are too many. All are in UTC and begin at a multiple of their
 * length since 1970, so that those of two trends can be added.
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

/** All zeros is nothing. */
struct trend {
	int64_t first;  ///< number of the first slot since 1970
	size_t count;   ///< slots, from the first to the last that has any
	unsigned scale; ///< how long slots are
	uint32_t counts[TREND_SLOTS];
};

/** Count something that came at this time, in ms since 1970. */
void trend_add(struct trend *trend, int64_t ms);
/** Add all of @p from. */
void trend_join(struct trend *trend, const struct trend *from);
/** The counts in the slots of @p whole, which holds them; room for its count.
 */
void trend_spread(const struct trend *trend, const struct trend *whole,
                  uint32_t *ret);
/** Append `2026-01-31 to 2026-02-04, per day: 3, 0, 0, 1, 2`. */
void trend_add_words(const struct trend *whole, const uint32_t *counts,
                     struct str *out);

#endif

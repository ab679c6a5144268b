// SPDX-License-Identifier: MIT
/** The heaviest stack of a hang, as in Matrix (apmtool-formats(5)). */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_HEAVIEST_H
#define APMTOOL_LIB_ANALYSIS_LAG_HEAVIEST_H

#include "lib/model/profile/profile.h"

#include <stdint.h>

/** Equality of samples. */
enum lag_heaviest_rule {
	LAG_HEAVIEST_TOP_DEPTH, ///< innermost frame and depth are equal
	LAG_HEAVIEST_TOP,       ///< innermost frame is equal
	LAG_HEAVIEST_RUN,       ///< as TOP, in consecutive samples only
};

struct lag_heaviest {
	uint32_t node;    ///< its innermost frame; CALLTREE_ROOT: no sample
	uint64_t samples; ///< number of equal samples
};

/**
 * Find the stack that occurs in the highest number of samples; on a tie, the
 * newest. Equal samples may have different callers: the result has those of the
 * newest sample. A tree of samples has no order. There, the first stack in the
 * file stands for the newest, and a run is all equal samples. O(n).
 *
 * @param profile  Two frames are equal if their numbers are: they have the same
 *                 address on the device.
 */
struct lag_heaviest lag_heaviest_find(const struct profile *profile,
                                      enum lag_heaviest_rule rule);

#endif

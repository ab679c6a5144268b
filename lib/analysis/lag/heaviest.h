// SPDX-License-Identifier: MIT
/**
 * The heaviest stack of a hang, which Matrix calls *point stack*
 * (formats.md 7.2).
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_HEAVIEST_H
#define APMTOOL_LIB_ANALYSIS_LAG_HEAVIEST_H

#include "lib/model/profile/profile.h"

#include <stdint.h>

/** When are two samples the same? */
enum lag_heaviest_rule {
	LAG_HEAVIEST_TOP_DEPTH, ///< innermost frame and depth are equal
	LAG_HEAVIEST_TOP,       ///< innermost frame is equal
	LAG_HEAVIEST_RUN,       ///< the same, without another sample between
};

struct lag_heaviest {
	uint32_t node;    ///< its innermost frame; CALLTREE_ROOT: no samples
	uint64_t samples; ///< that were the same
};

/**
 * Of the stacks that most samples share, the newest; that is also what stands
 * for those that are the same and were called differently. Where samples were
 * read from a tree, nothing is known of their order: the first in the file is
 * chosen, and a run is as long as all that are the same. O(n).
 *
 * @param profile Frames are compared by number: equal addresses of the device.
 */
struct lag_heaviest lag_heaviest_find(const struct profile *profile,
                                      enum lag_heaviest_rule rule);

#endif

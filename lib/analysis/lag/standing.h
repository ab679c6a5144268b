// SPDX-License-Identifier: MIT
/**
 * Where a group is more frequent than elsewhere: the build, system or device
 * whose reports it is a larger part of than of all others'. That is said only
 * where chance hardly explains it.
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_STANDING_H
#define APMTOOL_LIB_ANALYSIS_LAG_STANDING_H

#include "lib/analysis/lag/ranking.h"
#include "lib/base/map.h"

/** How many reports of each kind say what. */
struct lag_totals {
	struct map map; ///< by kind of sample, kind of tally, and what
	struct lag_total *items;
	size_t count;
	size_t cap;
	uint64_t sums[SAMPLE_KINDS][LAG_TALLY_KINDS]; ///< that say anything
};

void lag_totals_init(const struct lag_groups *groups, struct lag_totals *ret);
void lag_totals_release(struct lag_totals *totals);

struct lag_standing {
	struct text what;    ///< `Demo 2.1 (214)`; empty: nowhere
	unsigned percent;    ///< how often there, of how often elsewhere
	bool only_there;     ///< it is nowhere else
	uint64_t here;       ///< reports of the group there
	uint64_t here_total; ///< all reports there
};

struct lag_standing lag_standing_of(struct lag_ranking *ranking,
                                    const struct lag_totals *totals,
                                    uint32_t group);

#endif

// SPDX-License-Identifier: MIT
/**
 * Finds the build, system or device in which a group is over-represented: its
 * share of the reports there exceeds its share elsewhere, by more than chance
 * explains.
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_EXCESS_H
#define APMTOOL_LIB_ANALYSIS_LAG_EXCESS_H

#include "lib/analysis/lag/ranking.h"
#include "lib/base/map.h"

/** Reports of each kind, by property. */
struct lag_totals {
	struct map map; ///< key: kind of sample, kind of tally, property
	struct lag_total *items;
	size_t count;
	size_t cap;
	uint64_t sums[SAMPLE_KINDS]
	             [LAG_TALLY_KINDS]; ///< reports with the property
};

void lag_totals_init(const struct lag_groups *groups, struct lag_totals *ret);
void lag_totals_release(struct lag_totals *totals);

struct lag_excess {
	struct text what;    ///< `Demo 2.1 (214)`; empty: none
	unsigned percent;    ///< rate there / rate elsewhere
	bool only_there;     ///< no report elsewhere
	uint64_t here;       ///< reports of the group there
	uint64_t here_total; ///< all reports there
};

struct lag_excess lag_excess_of(struct lag_ranking *ranking,
                                const struct lag_totals *totals,
                                uint32_t group);

#endif

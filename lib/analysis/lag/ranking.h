// SPDX-License-Identifier: MIT
/**
 * What the reports of each group have in common, ranked: classes of stacks,
 * devices, systems.
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_RANKING_H
#define APMTOOL_LIB_ANALYSIS_LAG_RANKING_H

#include "lib/analysis/lag/group_rows.h"
#include "lib/analysis/lag/groups.h"

/** What some hangs of a group have in common. */
struct lag_ranked {
	uint32_t what;         ///< as that of a tally
	uint32_t first;        ///< what was met first has the least
	const uint32_t *stack; ///< the same, of the first that has it
	uint64_t count;
};

/**
 * The group that was asked for last: all of them would be as large as what was
 * counted.
 */
struct lag_ranking {
	const struct lag_groups *groups;
	uint32_t group; ///< from 1; 0: none was
	struct lag_ranked *items;
	size_t item_count;
	size_t cap;
	/** Where those of a kind begin; one more at the end. */
	size_t first[LAG_TALLY_KINDS + 1];
};

/** @p groups  Outlive the ranking, and stay as they are. */
void lag_ranking_init(const struct lag_groups *groups, struct lag_ranking *ret);
void lag_ranking_release(struct lag_ranking *ranking);

/**
 * What a group has of a kind, the most frequent first; of those, what was met
 * first. Good until another group is asked for.
 */
const struct lag_ranked *lag_ranking_find(struct lag_ranking *ranking,
                                          uint32_t group,
                                          enum lag_tally_kind kind,
                                          size_t *ret_count);

#endif

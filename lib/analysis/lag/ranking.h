// SPDX-License-Identifier: MIT
/**
 * Ranks properties that reports of a group share: classes of stacks, devices,
 * systems.
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_RANKING_H
#define APMTOOL_LIB_ANALYSIS_LAG_RANKING_H

#include "lib/analysis/lag/group_rows.h"
#include "lib/analysis/lag/groups.h"

/** A property shared by hangs of a group. */
struct lag_ranked {
	uint32_t what;         ///< as in lag_tally
	uint32_t first;        ///< order of first occurrence
	const uint32_t *stack; ///< of its first hang
	uint64_t count;
};

/**
 * The ranking of the group that was requested last. The rankings of all groups
 * would need as much memory as the tallies.
 */
struct lag_ranking {
	const struct lag_groups *groups;
	uint32_t group; ///< from 1; 0: none yet
	struct lag_ranked *items;
	size_t item_count;
	size_t cap;
	/** Index of each kind's first item; the last element is item_count. */
	size_t first[LAG_TALLY_KINDS + 1];
};

/** @p groups must outlive the ranking and not change. */
void lag_ranking_init(const struct lag_groups *groups, struct lag_ranking *ret);
void lag_ranking_release(struct lag_ranking *ranking);

/**
 * Properties of a kind in a group, sorted by frequency, then first occurrence.
 * Valid until another group is requested.
 */
const struct lag_ranked *lag_ranking_find(struct lag_ranking *ranking,
                                          uint32_t group,
                                          enum lag_tally_kind kind,
                                          size_t *ret_count);

#endif

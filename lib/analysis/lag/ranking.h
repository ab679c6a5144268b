/**
 * What the reports of each group have in common, ranked: classes of stacks,
 * devices, systems.
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_RANKING_H
#define APMTOOL_LIB_ANALYSIS_LAG_RANKING_H

#include "lib/analysis/lag/group_rows.h"
#include "lib/analysis/lag/groups.h"

/** What was counted, by group and kind, the most frequent first. */
struct lag_ranking {
	const struct lag_groups *groups;
	const struct lag_tally **tallies;
	/** Where the tallies of a group and kind begin; one more at the end. */
	size_t *first;
};

/** @p groups  Outlive the ranking, and stay as they are. */
void lag_ranking_init(const struct lag_groups *groups, struct arena *arena,
                      struct lag_ranking *ret);

/** The tallies of a group and kind: @p ret_count of them. */
const struct lag_tally *const *lag_ranking_find(
        const struct lag_ranking *ranking, uint32_t group,
        enum lag_tally_kind kind, size_t *ret_count);

#endif

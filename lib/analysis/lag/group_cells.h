// SPDX-License-Identifier: MIT
/** Columns of the table of groups, and the cells of each group's counts. */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_GROUP_CELLS_H
#define APMTOOL_LIB_ANALYSIS_LAG_GROUP_CELLS_H

#include "lib/analysis/lag/ranking.h"
#include "lib/model/table.h"

enum group_column {
	GROUP_SAMPLE_KIND,
	GROUP_SHARE,
	GROUP_RUNNING_SHARE,
	GROUP_REPORTS,
	GROUP_OLD_REPORTS,
	GROUP_RATE,
	GROUP_OLD_RATE,
	GROUP_SAMPLES,
	GROUP_COST,
	GROUP_P50,
	GROUP_P95,
	GROUP_ALLOWANCE,
	GROUP_CLASSES,
	GROUP_DEVICES,
	GROUP_SYSTEMS,
	GROUP_BUILDS,
	GROUP_STANDS_OUT,
	GROUP_TIMES,
	GROUP_EXAMPLE,
	GROUP_EXAMPLE_INPUT,
	GROUP_EVENTS,
	GROUP_SEEN,
	GROUP_BLOCKERS,
	GROUP_KIND,
	GROUP_PLACE,
	GROUP_KEY,
	GROUP_TOP_KEY,
	GROUP_IMAGE,
	GROUP_CLASS2,
	GROUP_CLASS2_COUNT,
	GROUP_CLASS4,
	GROUP_KEY_COUNT,
	GROUP_DEVICE_LIST,
	GROUP_SYSTEM_LIST,
	GROUP_APPS,
	GROUP_EXAMPLE_COST,
	GROUP_IMAGE_UUID,
	GROUP_FILE,
	GROUP_LINE,
	GROUP_DEVICE_REPORTS,
	GROUP_SYSTEM_REPORTS,
	GROUP_APP_REPORTS,
	GROUP_CLASS2_FRAMES,
	GROUP_CLASS4_FRAMES,
	GROUP_STACK,
	GROUP_COST_RATE,
	GROUP_OLD_COST_RATE,
	GROUP_AMOUNT_TEXT,
	GROUP_AMOUNT,
	GROUP_P50_AMOUNT,
	GROUP_P95_AMOUNT,
	GROUP_UNIT,
	GROUP_ORIGIN,
	GROUP_SHARE_UNIT,
	GROUP_EXACT,
	GROUP_LEAST,
	GROUP_LEAST_TEXT,
	GROUP_OLD_ORIGIN,
	GROUP_WEAK,
	GROUP_EVENT_REPORTS,
	GROUP_BLOCKER_REPORTS,
	GROUP_COLUMNS,
};

#define LAG_NO_KEY "(no call stands out)"

/** The row of a group, with its name and place. */
struct lag_row lag_group_row(const struct lag_groups *groups, uint32_t group,
                             struct arena *arena);

/** Set the numbers of classes, devices, systems and builds, and the top key. */
void lag_group_add_counts(struct lag_ranking *ranking, uint32_t group,
                          struct table_cell *cells, struct arena *arena);

/** A typical stack. */
void lag_group_add_stack(struct lag_ranking *ranking, uint32_t group,
                         struct table_cell *cells, struct arena *arena);

/** Set the lists of them, which only programs see. */
void lag_group_add_tallies(struct lag_ranking *ranking, uint32_t group,
                           struct table_cell *cells, struct arena *arena);

/** Quantiles of the costs of each group's hangs, by group. */
const struct lag_quantiles *lag_group_quantiles(const struct lag_groups *groups,
                                                struct arena *arena);

#endif

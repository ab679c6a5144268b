// SPDX-License-Identifier: MIT
/**
 * Groups hangs by key or class, over any number of reports. Other kinds of
 * samples (lib/model/sample_kind.h) have their own groups and sums.
 *
 * A hang may last for several reports of a session. A report is a repeat if it
 * has the same heaviest stack as the session's previous report (annealing, as
 * in Matrix, apmtool-formats(5)). Its samples and cost count for the hang, but
 * it is not another hang. Reports without a session, and stacks of one frame,
 * are never repeats.
 *
 * If times and thresholds are known, they decide. A hang has lasted for the
 * threshold, at least, when the monitor writes its report. The next report is
 * therefore a repeat if it follows within the threshold. Monitors wait longer
 * each time: with the same heaviest stack, it is also a repeat if it follows
 * within the hang's duration so far. The hang then took at least the threshold
 * plus the time between its first and its last report.
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_GROUPS_H
#define APMTOOL_LIB_ANALYSIS_LAG_GROUPS_H

#include "lib/analysis/lag/fold.h"
#include "lib/base/arena.h"
#include "lib/base/fingerprint.h"
#include "lib/base/intern.h"
#include "lib/base/map.h"
#include "lib/model/cost.h"
#include "lib/model/profile/functions.h"
#include "lib/model/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Property that hangs of a group share. */
enum lag_group_by {
	LAG_BY_KEY,    ///< the aggregation key
	LAG_BY_CLASS2, ///< the innermost 2 frames of the heaviest stack
	LAG_BY_CLASS4, ///< the innermost 4
	// Properties of the reports:
	LAG_BY_APP, ///< without its version
	LAG_BY_OS,
	LAG_BY_DEVICE,
	LAG_BY_BUILD,   ///< the app with its version
	LAG_BY_EVENT,   ///< the system's name for the hang
	LAG_BY_BLOCKER, ///< owner of the resource that the main thread waited
	                ///< for
};

/** Frames of a class of the first and of the second level. */
#define LAG_CLASS_FRAMES    2
#define LAG_SUBCLASS_FRAMES 4

/** Sums of a kind of samples. */
struct lag_kind_sums {
	uint64_t reports; ///< without repeats
	uint64_t repeats;
	uint64_t samples;  ///< with repeats
	uint64_t cost_us;  ///< with repeats, of known costs
	uint64_t exact_us; ///< of these, the measured or recorded part
	uint64_t origins[COST_ORIGINS]; ///< reports by origin of the cost
};

struct lag_last_hang {
	struct fingerprint stack; ///< heaviest, of its newest report
	uint32_t group;           ///< LAG_NO_GROUP: too short so far
	size_t cost;              ///< index into costs
	/** Times of its first and last report; only with a threshold. */
	int64_t first_ms;
	int64_t last_ms;
	uint64_t threshold_us;   ///< 0: times or threshold are unknown
	uint64_t cost_us;        ///< of all its reports so far
	enum cost_origin origin; ///< of the cost
};

#define LAG_NO_GROUP UINT32_MAX

/** The cost of a hang with its repeats. */
struct lag_cost {
	uint32_t group;
	enum cost_origin origin : 8;
	bool is_counted;      ///< in the sums
	uint16_t allowance_s; ///< of its scenario; 0: unknown
	uint64_t us;
};

/** Zero-initialise, then set the members before `arena`. */
struct lag_groups {
	enum lag_group_by by;
	/** Only mark repeats, for lists of reports; makes no groups. */
	bool only_repeats;
	/** Keep only hangs that surely took so long; 0: keep all. */
	uint64_t min_us;

	struct arena arena;
	struct profile_functions functions;
	struct intern identities; ///< of groups
	struct lag_group *groups; ///< by number
	size_t group_cap;
	struct map tally_map; ///< counts within groups
	struct lag_tally *tallies;
	size_t tally_count;
	size_t tally_cap;
	struct lag_cost *costs; ///< by hang, in their order
	size_t cost_count;
	size_t cost_cap;
	struct fingerprints sessions; ///< index into last_hangs
	struct lag_last_hang *last_hangs;
	size_t last_count;
	size_t last_cap;

	struct lag_kind_sums kinds[SAMPLE_KINDS];
	struct intern texts; ///< files, devices, systems, builds

	uint64_t too_short; ///< hangs dropped by min_us
	uint64_t empty;     ///< reports without a stack
	uint64_t unsampled; ///< of these, reports that had no samples
};

/** Groups by property have no common call. */
static inline bool lag_groups_are_named(const struct lag_groups *groups)
{
	return groups->by >= LAG_BY_APP;
}

void lag_groups_release(struct lag_groups *groups);

/**
 * Count the hangs of a builder, in their order.
 *
 * @param is_repeat  By hang: set where it repeats the one before it; may be
 *                   NULL.
 */
void lag_groups_add(struct lag_groups *groups,
                    const struct lag_builder *builder, bool *is_repeat);

struct lag_baseline;

/** Options of the table of groups. */
struct lag_table_options {
	size_t top; ///< max groups; 0: no limit
	/** Max frames of the typical stack; 0: for programs only. */
	size_t stacks;
	/** Min share of the cost, in hundredths of a percent. */
	unsigned min_share;
	/** Show the number of functions for each kind of attribution. */
	bool counts_evidence;
	/**
	 * Compare with it (baseline.h) and sort by growth, which is set. Or
	 * NULL.
	 */
	struct lag_baseline *baseline;
};

/**
 * The table `lag-groups`, sorted by cost, then frequency, then key. It lives in
 * @p arena and borrows from the groups. Rows are made on reading: release it by
 * table_release().
 */
const struct table *lag_groups_table(const struct lag_groups *groups,
                                     const struct lag_table_options *options,
                                     struct arena *arena);

/**
 * An empty table `lag-reports`, to which lag_reports_add() adds a row for each
 * hang of a builder. Rows are made on reading: release it by table_release().
 *
 * @param is_repeat  By hang, from lag_groups_add().
 */
struct table *lag_reports_table(struct arena *arena);
void lag_reports_add(struct table *table, const struct lag_builder *builder,
                     const bool *is_repeat, struct arena *arena);

/**
 * An empty table `lag-explain`, to which lag_explain_add() adds the steps of
 * each hang of a builder.
 *
 * @param more_steps  Sum of the steps past LAG_STEPS; shown in the summary.
 */
struct table *lag_explain_table(struct arena *arena);
void lag_explain_add(struct table *table, const struct lag_builder *builder,
                     size_t *more_steps, struct arena *arena);

#endif

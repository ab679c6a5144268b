// SPDX-License-Identifier: MIT
/**
 * Hangs by what causes them: groups of reports under the same key or class,
 * over any number of reports, in the memory of the groups. Samples that were
 * taken for something else than a hang (lib/model/sample_kind.h) have groups of
 * their own, and sums of their own.
 *
 * A hang that goes on for more than one report of a session is one hang: a
 * report whose heaviest stack equals that of the report before it, of the same
 * session, is a repeat (formats.md 7.5, annealing). Its samples and cost belong
 * to the hang, wherever its own key would lead; otherwise, it is not counted.
 * Reports that name no session, and stacks of one frame, are never joined.
 *
 * Where it is known when reports were written, and how long a hang has to be
 * before one is, that decides: a report within the threshold after another one
 * is of the same hang, for it had begun before that; and so is one with the
 * same heaviest stack after no more than the hang has lasted, for monitors wait
 * longer and longer. The hang then took at least the threshold and the time
 * between its first and its last report.
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

/** What makes two hangs the same. */
enum lag_group_by {
	LAG_BY_KEY,    ///< the aggregation key
	LAG_BY_CLASS2, ///< the innermost 2 frames of the heaviest stack
	LAG_BY_CLASS4, ///< the innermost 4
	// What the reports say of themselves:
	LAG_BY_APP, ///< without its version
	LAG_BY_OS,
	LAG_BY_DEVICE,
	LAG_BY_BUILD,   ///< the app with its version
	LAG_BY_EVENT,   ///< what the system calls the hang
	LAG_BY_BLOCKER, ///< who held what the main thread waited for
};

/** Frames that make a class of the first and of the second level. */
#define LAG_CLASS_FRAMES    2
#define LAG_SUBCLASS_FRAMES 4

/** All that is counted of a kind. */
struct lag_kind_sums {
	uint64_t reports; ///< repeats are not in it
	uint64_t repeats;
	uint64_t samples;  ///< of both
	uint64_t cost_us;  ///< of both, where it is known
	uint64_t exact_us; ///< of these, what was measured or recorded
	uint64_t origins[COST_ORIGINS]; ///< reports by how it is known
};

/** The hang that a session reported last. */
struct lag_last_hang {
	struct fingerprint stack; ///< heaviest, of its newest report
	uint32_t group;           ///< LAG_NO_GROUP: it is too short so far
	size_t cost;              ///< index into costs
	/** When its first and its last report were written; with a threshold.
	 */
	int64_t first_ms;
	int64_t last_ms;
	uint64_t threshold_us;   ///< 0: nothing is known of these
	uint64_t cost_us;        ///< of all its reports so far
	enum cost_origin origin; ///< of that
};

#define LAG_NO_GROUP UINT32_MAX

/** What a hang of a group took, its repeats with it. */
struct lag_cost {
	uint32_t group;
	enum cost_origin origin : 8;
	bool is_counted;      ///< in the sums
	uint16_t allowance_s; ///< of its scenario; 0: not known
	uint64_t us;
};

/** All zeros but for the first members. */
struct lag_groups {
	enum lag_group_by by;
	/** Of reports that are listed: there are no groups. */
	bool only_repeats;
	/** Hangs that are not known to be as long are left out; 0: none. */
	uint64_t min_us;

	struct arena arena;
	struct profile_functions functions;
	struct intern identities; ///< of groups
	struct lag_group *groups; ///< by number
	size_t group_cap;
	struct map tally_map; ///< what is counted inside of groups
	struct lag_tally *tallies;
	size_t tally_count;
	size_t tally_cap;
	struct lag_cost *costs; ///< of each hang, in their order
	size_t cost_count;
	size_t cost_cap;
	struct fingerprints sessions; ///< index into last_hangs
	struct lag_last_hang *last_hangs;
	size_t last_count;
	size_t last_cap;

	struct lag_kind_sums kinds[SAMPLE_KINDS];
	struct intern texts; ///< files, devices, systems, builds

	uint64_t too_short; ///< hangs that were left out for min_us
	uint64_t empty;     ///< reports that held no stack
	uint64_t unsampled; ///< of these, the rules did not remove it
};

/** Groups of what reports say of themselves have no call in common. */
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

/** Which rows of the table are wanted. */
struct lag_table_options {
	size_t top; ///< so many groups; 0: all
	/** Show a typical stack of so many; 0: only programs see them. */
	size_t stacks;
	/** Part of the cost, in hundredths of a percent: what is below it is
	 * left out. */
	unsigned min_share;
	/** Say of how many functions it is known in which way whose they are.
	 */
	bool counts_evidence;
	/**
	 * To be compared with (baseline.h): those that grew most come first.
	 * Its growth is set. NULL: with nothing.
	 */
	struct lag_baseline *baseline;
};

/**
 * The table `lag-groups`: the costliest first, then the more frequent, then by
 * key. It lives in @p arena and borrows from the groups; its rows are made when
 * they are read. To be released by table_release().
 */
const struct table *lag_groups_table(const struct lag_groups *groups,
                                     const struct lag_table_options *options,
                                     struct arena *arena);

/**
 * An empty table `lag-reports`, and a row for each hang of a builder. Rows are
 * made when they are read: to be released by table_release().
 *
 * @param is_repeat  By hang, of lag_groups_add().
 */
struct table *lag_reports_table(struct arena *arena);
void lag_reports_add(struct table *table, const struct lag_builder *builder,
                     const bool *is_repeat, struct arena *arena);

/**
 * An empty table `lag-explain`, and the steps of each hang of a builder.
 *
 * @param left_out  How many so far are past LAG_STEPS; the summary says it.
 */
struct table *lag_explain_table(struct arena *arena);
void lag_explain_add(struct table *table, const struct lag_builder *builder,
                     size_t *left_out, struct arena *arena);

#endif

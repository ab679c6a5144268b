// SPDX-License-Identifier: MIT
/**
 * Internals of lag_groups, shared by its counting (groups.c), its table
 * (group_table.c) and its summary line (group_summary.c).
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_GROUP_ROWS_H
#define APMTOOL_LIB_ANALYSIS_LAG_GROUP_ROWS_H

#include "lib/base/str.h"
#include "lib/model/cost.h"
#include "lib/model/sample_kind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct lag_groups;
struct lag_kind_sums;

/** A group. There may be as many as reports, so it is small. */
struct lag_group {
	enum sample_kind kind;
	// The costliest report:
	bool example_has_id; ///< so its name does not contain the file
	bool example_has_origin;
	uint32_t example_input; ///< number of a text
	uint32_t tally;         ///< the newest; LAG_NO_TALLY
	uint64_t reports;
	uint64_t samples;
	uint64_t cost_us;  ///< of reports with a known cost
	uint64_t exact_us; ///< of these, the measured or recorded part
	uint64_t least_us; ///< of the lower bounds, the maximum
	/** Reports by the origin of their cost; the rest is recorded. */
	uint32_t measured;
	uint32_t least;
	uint32_t assumed;
	uint32_t unknown;
	/**
	 * Samples that contain the key, and the samples of the first of its
	 * reports.
	 */
	uint32_t key_samples;
	uint32_t key_samples_of;
	/**
	 * Max share of the watchdog's allowance, in hundredths of a percent; 0:
	 * unknown.
	 */
	uint32_t allowance_share;
	/** The id or origin of the costliest report, if it has one. */
	char *example;
	size_t example_room; ///< allocated bytes of @c example
	size_t example_line;
	uint64_t example_cost_us;
	enum cost_origin example_origin;
};

enum cost_origin lag_group_origin(const struct lag_group *group);

/** Reports whose cost was measured or recorded. */
static inline uint64_t lag_group_exact(const struct lag_group *group)
{
	return group->reports - group->least - group->assumed - group->unknown;
}

/** Is its key based on one sample? */
static inline bool lag_group_is_weak(const struct lag_group *group)
{
	return group->key_samples == 1;
}

/** Base of the shares of a kind. */
enum lag_share {
	LAG_SHARE_COST,    ///< measured or recorded costs
	LAG_SHARE_SAMPLES, ///< samples: all costs are assumed
	LAG_SHARE_NONE,    ///< none: no cost is certain
};

enum lag_share lag_share_of(const struct lag_kind_sums *sums);

/** Weight of a group, or of all groups of its kind, in shares. */
uint64_t lag_group_weight(enum lag_share share, const struct lag_group *group);
uint64_t lag_kind_weight(enum lag_share share,
                         const struct lag_kind_sums *sums);

/**
 * The name of the costliest report. It may contain a long file name, so it is
 * formatted when it is printed.
 */
const char *lag_group_example(const struct lag_groups *groups,
                              const struct lag_group *group,
                              struct arena *arena);

/** Properties by which the hangs of a group are counted. */
enum lag_tally_kind {
	LAG_TALLY_KEY,
	LAG_TALLY_CLASS2,
	LAG_TALLY_CLASS4,
	LAG_TALLY_DEVICE,
	LAG_TALLY_OS,
	LAG_TALLY_APP,
	LAG_TALLY_EVENT,
	LAG_TALLY_BLOCKER,
	LAG_TALLY_KINDS,
};

#define LAG_NO_TALLY UINT32_MAX

/**
 * Hangs of a group that share a property. Calls are counted once, by key and
 * class, as LAG_TALLY_CLASS4; the counts of the other classes and of keys are
 * derived.
 */
struct lag_tally {
	uint32_t group;
	uint32_t next; ///< the previous tally of the group; LAG_NO_TALLY
	enum lag_tally_kind kind;
	/** Number of a text; for calls, the key: a function, or INTERN_NONE. */
	uint32_t what;
	uint64_t count;
	/**
	 * For calls: length and frames of the first hang's heaviest stack,
	 * which ends with the class.
	 */
	const uint32_t *stack;
};

/** The innermost @p max calls of a stack; its length comes first. */
static inline const uint32_t *lag_stack_end(const uint32_t *stack, size_t max,
                                            size_t *ret_count)
{
	*ret_count = stack[0] < max ? stack[0] : max;
	return stack + 1 + (stack[0] - *ret_count);
}

/** Median and 95th percentile of the costs of hangs. */
struct lag_quantiles {
	size_t count; ///< hangs with a measured or recorded cost
	uint64_t p50_us;
	uint64_t p95_us;
};

/** A group with the values of its row. */
struct lag_row {
	uint32_t group;
	const struct lag_group *sums;
	const char *key;
	const char *image;
	const char *uuid; ///< image of a key without a symbol; or NULL
	bool is_app;
	const struct calltree_frame *place; ///< of the innermost call; or NULL
	struct lag_quantiles costs;
	uint64_t running; ///< weight of all rows of its kind up to this one
	uint32_t name;    ///< number in the baseline
	int64_t growth;   ///< growth of its rate in points; or 0
};

/** Number of leading rows of one kind. */
static inline size_t lag_rows_of_kind(const struct lag_row *rows, size_t count)
{
	size_t size = 0;

	while (size < count && rows[size].sums->kind == rows->sums->kind)
		size++;
	return size;
}

/**
 * The summary line.
 *
 * @param rows  All rows, grouped by kind.
 * @param shown  Number of rows in the table.
 */
const char *lag_groups_summary(const struct lag_groups *groups,
                               const struct lag_row *rows, size_t count,
                               size_t shown, bool counts_evidence,
                               struct arena *arena);

#endif

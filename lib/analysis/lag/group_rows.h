// SPDX-License-Identifier: MIT
/**
 * The inside of lag_groups: what its counting (groups.c) hands to its table
 * (group_table.c) and the line above it (group_summary.c).
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

/** There may be as many as reports: it is to be small. */
struct lag_group {
	enum sample_kind kind;
	// Its costliest report:
	bool example_has_id; ///< so the name does not say the file
	bool example_has_origin;
	uint32_t example_input; ///< of the texts
	uint32_t tally;         ///< its newest; LAG_NO_TALLY
	uint64_t reports;
	uint64_t samples;
	uint64_t cost_us;  ///< of those whose cost is known
	uint64_t exact_us; ///< of these, what was measured or recorded
	uint64_t least_us; ///< of those that may be more, the most
	/** Of the reports, those whose cost is known so; the others' is
	 * recorded. */
	uint32_t measured;
	uint32_t least;
	uint32_t assumed;
	uint32_t unknown;
	/** In how many samples its key was seen, and of how many in the first
	 * report. */
	uint32_t key_samples;
	uint32_t key_samples_of;
	/** The most that one took of what the watchdog allows, in hundredths of
	 * a percent; 0: not known. */
	uint32_t allowance_share;
	/** The id or the origin, whichever it has; else anything. */
	char *example;
	size_t example_room; ///< bytes at @c example
	size_t example_line;
	uint64_t example_cost_us;
	enum cost_origin example_origin;
};

/** How is the cost of its reports known? */
enum cost_origin lag_group_origin(const struct lag_group *group);

/** Of its reports, those whose cost was measured or recorded. */
static inline uint64_t lag_group_exact(const struct lag_group *group)
{
	return group->reports - group->least - group->assumed - group->unknown;
}

/** Does its key rest on one sample? */
static inline bool lag_group_is_weak(const struct lag_group *group)
{
	return group->key_samples == 1;
}

/** What shares of a kind are of. */
enum lag_share {
	LAG_SHARE_COST,    ///< of costs that were measured or recorded
	LAG_SHARE_SAMPLES, ///< all are assumed: of the samples
	LAG_SHARE_NONE,    ///< nothing is known for certain
};

enum lag_share lag_share_of(const struct lag_kind_sums *sums);

/** What a group, and all of its kind, weighs in a share. */
uint64_t lag_group_weight(enum lag_share share, const struct lag_group *group);
uint64_t lag_kind_weight(enum lag_share share,
                         const struct lag_kind_sums *sums);

/**
 * How its costliest report is called. With the file in it, it is much longer
 * than what the group keeps: it is made where it is printed.
 */
const char *lag_group_example(const struct lag_groups *groups,
                              const struct lag_group *group,
                              struct arena *arena);

/** What the hangs of a group are counted by. */
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
 * So many hangs of a group have this in common. What their calls are is
 * counted once, by key and class, as LAG_TALLY_CLASS4: a class has fewer, and a
 * key may have several.
 */
struct lag_tally {
	uint32_t group;
	uint32_t next; ///< the one before it, of the group; LAG_NO_TALLY
	enum lag_tally_kind kind;
	/** Number of a text; of calls, the key: a function, or INTERN_NONE. */
	uint32_t what;
	uint64_t count;
	/**
	 * Of calls: the heaviest stack of its first hang, after its length. It
	 * ends with the class.
	 */
	const uint32_t *stack;
};

/** The innermost @p most calls of a stack that its length precedes. */
static inline const uint32_t *lag_stack_end(const uint32_t *stack, size_t most,
                                            size_t *ret_count)
{
	*ret_count = stack[0] < most ? stack[0] : most;
	return stack + 1 + (stack[0] - *ret_count);
}

/** What hangs of a group took at most: half of them, and 95 %. */
struct lag_quantiles {
	size_t count; ///< of hangs whose cost was measured or recorded
	uint64_t p50_us;
	uint64_t p95_us;
};

/** A group with what its row says of it. */
struct lag_row {
	uint32_t group;
	const struct lag_group *sums;
	const char *key;
	const char *image;
	const char *uuid; ///< of the image of a key without a symbol; NULL
	bool is_app;
	const struct calltree_frame *place; ///< its innermost call; NULL
	struct lag_quantiles costs;
	uint64_t running; ///< the weight of all rows of its kind up to here
	uint32_t name;    ///< its number in the baseline, if there is one
	int64_t growth;   ///< by so many points of its rate; else 0
};

/** How many rows follow each other that are of the kind of the first. */
static inline size_t lag_rows_of_kind(const struct lag_row *rows, size_t count)
{
	size_t size = 0;

	while (size < count && rows[size].sums->kind == rows->sums->kind)
		size++;
	return size;
}

/**
 * The answer in a line.
 *
 * @param rows   All of them, those of a kind together.
 * @param shown  So many are in the table.
 */
const char *lag_groups_summary(const struct lag_groups *groups,
                               const struct lag_row *rows, size_t count,
                               size_t shown, bool counts_evidence,
                               struct arena *arena);

#endif

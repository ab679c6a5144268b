// SPDX-License-Identifier: MIT
/**
 * The inside of lag_stacks_add(): the stacks of a report, pushed frame by frame
 * (stacker.c), from its sampled trees (tree_stacks.c) or its threads
 * (stacks.c).
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_STACKER_H
#define APMTOOL_LIB_ANALYSIS_LAG_STACKER_H

#include "lib/base/map.h"
#include "lib/model/profile/lag.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An image of which a frame says the name and its own offset. */
struct lag_unlisted {
	uint32_t name;  ///< in the strings
	uint32_t image; ///< of the profile; it has no base
};

struct lag_stacker {
	const struct report *report;
	struct lag_report *ret;
	enum lag_threads threads;
	uint64_t interval_us;   ///< that a sample costs, if there is no total
	uint64_t total;         ///< what all of them cost
	uint64_t total_samples; ///< how many share it; 0: there is none
	uint64_t counted;       ///< of these, that have their part
	uint64_t steps;
	/** The current stack, outermost first. */
	uint32_t *frames;
	size_t frame_count;
	size_t frame_cap;
	/** Images that frames name and the report does not list. */
	struct lag_unlisted *unlisted;
	size_t unlisted_count;
	size_t unlisted_cap;
	struct map unlisted_map;
	size_t shortened; ///< stacks that lost their middle
	size_t exceeded;  ///< calls with more samples than were left of the
	                  ///< caller
};

/** An empty stack; of threads that are kept apart, @p thread is its root. */
void lag_stacker_begin(struct lag_stacker *s, const char *thread);

/** Add a frame to the current stack; of inlined calls, each. */
void lag_stacker_push(struct lag_stacker *s, const struct report_frame *frame,
                      bool is_pc);

/** Add the current stack, without its middle where it is too deep. */
void lag_stacker_add(struct lag_stacker *s, uint64_t samples);

/**
 * Decide what a sample costs, and how that is known.
 *
 * @param samples  All of the report; of threads that are sampled side by side,
 *                 those of the one with the most.
 */
void lag_stacker_set_cost(struct lag_stacker *s, uint64_t samples);

/** What the next @p samples cost. */
uint64_t lag_stacker_cost(struct lag_stacker *s, uint64_t samples);

/** Does a sample of one thread cost what another's does not? */
static inline bool lag_stacker_adds_up(const struct lag_stacker *s)
{
	return cost_unit_of(s->ret->kind) != COST_MS;
}

/** The stacks of the sampled trees. */
void lag_stacker_trees(struct lag_stacker *s);

/** Keep whom the thread of @p main waited for, where that is known. */
void lag_stacker_blocker(struct lag_stacker *s, const struct report_tree *main);

/** What lag_stacks_unclear() says of a report of that kind. */
const char *lag_trees_unclear(const struct report *report,
                              enum sample_kind kind);

/**
 * What a sampled tree is called in every report: its queue or the name of its
 * thread, without numbers that differ; `Demo: ` before it where the title names
 * a process.
 */
const char *lag_tree_name(struct arena *arena, const char *title);
/** The same of a thread. */
const char *lag_thread_name(struct arena *arena,
                            const struct report_thread *thread);

#endif

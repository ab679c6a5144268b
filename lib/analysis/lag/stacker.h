// SPDX-License-Identifier: MIT
/**
 * Internals of lag_stacks_add(): pushes the stacks of a report frame by frame
 * (stacker.c), from its sampled trees (tree_stacks.c) or threads (stacks.c).
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_STACKER_H
#define APMTOOL_LIB_ANALYSIS_LAG_STACKER_H

#include "lib/base/map.h"
#include "lib/model/profile/lag.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An unlisted image; frames give its name and their offset. */
struct lag_unlisted {
	uint32_t name;  ///< in the strings
	uint32_t image; ///< of the profile; it has no base
};

struct lag_stacker {
	const struct report *report;
	struct lag_report *ret;
	enum lag_threads threads;
	uint64_t interval_us;   ///< cost of a sample, if there is no total
	uint64_t total;         ///< cost of all samples
	uint64_t total_samples; ///< samples that share it; 0: no total
	uint64_t counted;       ///< samples already charged
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
	size_t exceeded; ///< calls with more samples than their caller had left
};

/** Begin a stack; its root is @p thread if threads are kept apart. */
void lag_stacker_begin(struct lag_stacker *s, const char *thread);

/** Add a frame to the current stack, with its inlined calls. */
void lag_stacker_push(struct lag_stacker *s, const struct report_frame *frame,
                      bool is_pc);

/** Add the current stack; if too deep, without its middle. */
void lag_stacker_add(struct lag_stacker *s, uint64_t samples);

/**
 * Set the cost of a sample and its origin.
 *
 * @param samples  Of the report; if threads are sampled simultaneously, of the
 *                 thread with the most samples.
 */
void lag_stacker_set_cost(struct lag_stacker *s, uint64_t samples);

/** The cost of the next @p samples. */
uint64_t lag_stacker_cost(struct lag_stacker *s, uint64_t samples);

/** Are the costs of simultaneous samples added, as CPU time is? */
static inline bool lag_stacker_adds_up(const struct lag_stacker *s)
{
	return cost_unit_of(s->ret->kind) != COST_MS;
}

/** Add the stacks of the sampled trees. */
void lag_stacker_trees(struct lag_stacker *s);

/** Set the owner of the resource that the thread of @p main waited for. */
void lag_stacker_blocker(struct lag_stacker *s, const struct report_tree *main);

/** lag_stacks_unclear() for reports with trees. */
const char *lag_trees_unclear(const struct report *report,
                              enum sample_kind kind);

/**
 * A tree's name that is equal in all reports: its queue or thread name without
 * varying numbers, after `Demo: ` if the title names a process.
 */
const char *lag_tree_name(struct arena *arena, const char *title);
/** As lag_tree_name(), for a thread. */
const char *lag_thread_name(struct arena *arena,
                            const struct report_thread *thread);

#endif

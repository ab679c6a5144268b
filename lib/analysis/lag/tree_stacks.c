// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/stacker.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/model/report_tree.h"

#include <string.h>

// Max steps of one report's trees; a real one takes thousands.
#define STEPS_MAX ((uint64_t)1 << 28)

/** Rank of a tree by its marks; the highest is the main thread's. */
static int tree_rank(const struct report *report,
                     const struct report_tree *tree)
{
	if (!tree->frames.count || !report_tree_is_own(report, tree))
		return -1;
	if (report_tree_is_main(tree))
		return 3;
	if (tree->attributed)
		return 2;
	return tree->title && !strcmp(tree->title, "Thread 0");
}

/**
 * The samples of each node; a node without a count gets the sum of its callees.
 * The root gets the sum of all; 0: no counts at all.
 *
 * @return By node; to be freed.
 */
static uint64_t *fill_samples(const struct calltree *calls)
{
	uint64_t *samples =
	        mem_zalloc((size_t)calls->node_count + 1, sizeof(*samples));

	for (uint32_t i = calls->node_count; i-- > 1;) {
		uint64_t *caller = &samples[calls->nodes[i].parent];

		if (calls->nodes[i].samples)
			samples[i] = calls->nodes[i].samples;
		*caller = number_sum(*caller, samples[i]);
	}
	return samples;
}

static void add_tree(struct lag_stacker *s, const struct report_tree *tree)
{
	const struct calltree *calls = &tree->calls;
	SCOPED(mem_drop) uint64_t *rests = fill_samples(calls);
	bool counted = rests[CALLTREE_ROOT];
	// By node: the frames of its stack.
	SCOPED(mem_drop)
	uint32_t *ends =
	        mem_zalloc((size_t)calls->node_count + 1, sizeof(*ends));

	s->exceeded += calltree_own_samples(calls, rests);
	lag_stacker_begin(s, lag_tree_name(&s->ret->arena, tree->title));
	ends[CALLTREE_ROOT] = (uint32_t)s->frame_count;
	for (uint32_t i = 1; i < calls->node_count; i++) {
		const struct calltree_node *node = &calls->nodes[i];
		const struct report_frame *frame =
		        &tree->frames.frames[node->frame];
		uint64_t samples = rests[i];

		// No counts: each stack is one sample.
		if (!counted)
			samples = !node->first_child;
		s->frame_count = ends[node->parent];
		lag_stacker_push(s, frame, frame->is_pc);
		ends[i] = (uint32_t)s->frame_count;
		if (!samples)
			continue;
		s->steps += s->frame_count;
		if (s->steps > STEPS_MAX) {
			lag_report_note(
			        s->ret, tree->title ? tree->title : "trees",
			        "too many deep stacks: the rest is skipped");
			return;
		}
		lag_stacker_add(s, samples);
	}
}

static uint64_t sum_tree(const struct calltree *calls)
{
	SCOPED(mem_drop) uint64_t *samples = fill_samples(calls);

	return samples[CALLTREE_ROOT];
}

/** Trees to use: those of a rank, or all. */
struct choice {
	int rank;
	bool all_threads;
};

static bool is_chosen(const struct report *report,
                      const struct report_tree *tree, struct choice choice)
{
	if (choice.all_threads)
		return tree->frames.count != 0;
	return tree_rank(report, tree) == choice.rank;
}

/**
 * Number of samples that share the report's total. Threads are sampled
 * simultaneously, but CPU time, writes and wakeups add up over all of them.
 */
static uint64_t count_samples(struct lag_stacker *s, struct choice choice)
{
	const struct report *report = s->report;
	bool adds_up = lag_stacker_adds_up(s);
	uint64_t max = 0;

	for (size_t i = 0; i < report->tree_count; i++) {
		uint64_t sum;

		if (!adds_up && !is_chosen(report, report->trees[i], choice))
			continue;
		sum = sum_tree(&report->trees[i]->calls);
		if (adds_up)
			max = number_sum(max, sum);
		else if (sum > max)
			max = sum;
	}
	return max;
}

static int best_rank(const struct report *report)
{
	int best = -1;

	for (size_t i = 0; i < report->tree_count; i++)
		if (tree_rank(report, report->trees[i]) > best)
			best = tree_rank(report, report->trees[i]);
	return best;
}

const char *lag_trees_unclear(const struct report *report,
                              enum sample_kind kind)
{
	int best = best_rank(report);
	bool has_processes = false;

	for (size_t i = 0; i < report->tree_count; i++)
		has_processes |= report->trees[i]->process.name != NULL;
	if (!has_processes)
		return NULL;
	if (best < 0 && report->process.name)
		return "it has no samples of the process that its header names";
	if (best < 0)
		return "it has samples of several processes, and no header "
		       "that names the one that hung";
	// In a waiting daemon, all threads are idle.
	if (!best && kind == SAMPLE_KIND_STALL)
		return "none of its threads is marked as the main thread";
	return NULL;
}

void lag_stacker_trees(struct lag_stacker *s)
{
	const struct report *report = s->report;
	struct choice choice = { .all_threads = s->threads != LAG_THREADS_MAIN,
		                 .rank = best_rank(report) };

	if (!choice.all_threads &&
	    (choice.rank < 0 || lag_trees_unclear(report, s->ret->kind)))
		return;
	lag_stacker_set_cost(s, count_samples(s, choice));
	for (size_t i = 0; i < report->tree_count; i++)
		if (is_chosen(report, report->trees[i], choice))
			add_tree(s, report->trees[i]);
	if (report->wait_count && choice.rank >= 0 && !lag_stacker_adds_up(s))
		lag_stacker_blocker(s, report_blamed_tree(report));
	s->ret->profile.from_nodes = true;
}

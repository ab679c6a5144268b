// SPDX-License-Identifier: MIT
#include "parsers/lag/reader.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <stdlib.h>

/** A stack of the tree, by the sample that brought it. */
struct stack_end {
	uint32_t first;
	uint32_t node;
};

static int compare_ends(const void *a, const void *b)
{
	const struct stack_end *left = a;
	const struct stack_end *right = b;

	return (left->first > right->first) - (left->first < right->first);
}

/**
 * The stacks of the tree, in order of first appearance; returns their number.
 */
static size_t list_ends(const struct lag_json *json, struct stack_end *ret)
{
	const struct lag_samples *samples = &json->samples;
	size_t count = 0;

	for (uint32_t i = 0; i < samples->tally_count; i++)
		if (samples->tallies[i].first)
			ret[count++] = (struct stack_end){
				.first = samples->tallies[i].first,
				.node = i,
			};
	qsort(ret, count, sizeof(*ret), compare_ends);
	return count;
}

/** The number of this frame as the innermost one, or as a caller. */
static uint32_t frame_as(struct lag_report *report, uint32_t frame, bool is_pc)
{
	struct profile_frame copy;

	if (frame < PROFILE_FRAME)
		return frame;
	copy = report->profile.frames.items[frame - PROFILE_FRAME];
	copy.is_pc = is_pc;
	return profile_frame(&report->profile, &copy);
}

/** Add the stack that ends at @p node of the report's tree, turned over. */
static uint32_t add_turned(struct lag_json *json, uint32_t node,
                           struct calltree *turned)
{
	struct lag_report *report = json->report;
	const struct calltree_node *old = &report->profile.stacks.nodes[node];
	uint32_t *frames = json->stack.frames;
	size_t count = 0;
	uint32_t ret;
	struct calltree_node *to;

	for (; node != CALLTREE_ROOT;
	     node = report->profile.stacks.nodes[node].parent)
		frames[count++] = report->profile.stacks.nodes[node].frame;
	if (count > 1)
		frames[0] = frame_as(report, frames[0], false);
	frames[count - 1] = frame_as(report, frames[count - 1], true);
	ret = calltree_add(turned, frames, count);
	to = &turned->nodes[ret];
	to->self_samples = number_sum(to->self_samples, old->self_samples);
	to->self_cost_us = number_sum(to->self_cost_us, old->self_cost_us);
	if (old->newest > to->newest)
		to->newest = old->newest;
	return ret;
}

static struct profile_run run_at(struct profile_run run,
                                 const struct calltree *turned,
                                 const uint32_t *nodes)
{
	run.node = nodes[run.node];
	run.frame = turned->nodes[run.node].frame;
	return run;
}

void lag_samples_turn(struct lag_json *json)
{
	struct lag_samples *samples = &json->samples;
	struct lag_report *report = json->report;
	SCOPED(mem_drop)
	struct stack_end *ends =
	        mem_zalloc(samples->tally_count, sizeof(*ends));
	// By node of the old tree.
	SCOPED(mem_drop)
	uint32_t *nodes = mem_zalloc(samples->tally_count, sizeof(*nodes));
	size_t count = list_ends(json, ends);
	struct calltree turned = { 0 };

	for (size_t i = 0; i < count; i++)
		nodes[ends[i].node] = add_turned(json, ends[i].node, &turned);
	report->profile.run = run_at(samples->run, &turned, nodes);
	report->profile.best_run = run_at(samples->best_run, &turned, nodes);
	for (size_t i = 0; i < report->profile.order_count; i++)
		report->profile.order[i].node =
		        nodes[report->profile.order[i].node];
	calltree_release(&report->profile.stacks);
	report->profile.stacks = turned;
}

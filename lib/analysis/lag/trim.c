// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/trim.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <stdbool.h>
#include <stdlib.h>

#define STEP_MS 5
#define STEP_US (STEP_MS * 1000)
#define STEPS   60

struct ranked {
	uint64_t cost_us;
	uint64_t samples;
	uint32_t node;
};

static bool is_deep(const struct calltree_node *node)
{
	return node->depth > LAG_TRIM_DEPTH;
}

/** Number of steps that a node survives. */
static unsigned step_of(const struct calltree_node *node)
{
	uint64_t step = node->cost_us / STEP_US;

	return step < STEPS ? (unsigned)step : STEPS;
}

/** The first step that meets the limit, or the last; and the nodes left. */
static unsigned find_step(const struct calltree *tree, size_t limit,
                          size_t *ret_left)
{
	size_t ends[STEPS + 1] = { 0 };
	size_t left = 0;
	unsigned step = 0;

	for (uint32_t i = 1; i < tree->node_count; i++) {
		if (is_deep(&tree->nodes[i]))
			continue;
		ends[step_of(&tree->nodes[i])]++;
		left++;
	}
	while (limit && left > limit && step < STEPS)
		left -= ends[step++];
	*ret_left = left;
	return step;
}

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *left = a;
	const struct ranked *right = b;

	if (left->cost_us != right->cost_us)
		return left->cost_us > right->cost_us ? -1 : 1;
	if (left->samples != right->samples)
		return left->samples > right->samples ? -1 : 1;
	return left->node < right->node ? -1 : 1;
}

/** Of the kept nodes, keep the first @p limit by rank. */
static void keep_costliest(const struct calltree *tree, bool *keeps,
                           size_t count, size_t limit)
{
	SCOPED(mem_drop)
	struct ranked *ranks = mem_zalloc(count, sizeof(*ranks));
	size_t filled = 0;

	for (uint32_t i = 1; i < tree->node_count; i++)
		if (keeps[i])
			ranks[filled++] = (struct ranked){
				.cost_us = tree->nodes[i].cost_us,
				.samples = tree->nodes[i].samples,
				.node = i,
			};
	qsort(ranks, filled, sizeof(*ranks), compare_ranked);
	for (size_t i = limit; i < filled; i++)
		keeps[ranks[i].node] = false;
}

/** Callers come first, so their copies exist. */
static void copy_kept(const struct calltree *tree, const bool *keeps,
                      struct calltree *ret)
{
	SCOPED(mem_drop)
	uint32_t *place =
	        mem_zalloc((size_t)tree->node_count + 1, sizeof(*place));

	for (uint32_t i = 0; i < tree->node_count; i++) {
		const struct calltree_node *from = &tree->nodes[i];
		struct calltree_node *to;

		place[i] = place[from->parent];
		if (i && keeps[i])
			place[i] = calltree_child(ret, place[from->parent],
			                          from->frame);
		to = &ret->nodes[place[i]];
		to->self_samples =
		        number_sum(to->self_samples, from->self_samples);
		to->self_cost_us =
		        number_sum(to->self_cost_us, from->self_cost_us);
		if (from->newest > to->newest)
			to->newest = from->newest;
	}
}

unsigned lag_trim(const struct calltree *tree, size_t limit,
                  struct calltree *ret)
{
	SCOPED(mem_drop)
	bool *keeps = mem_zalloc((size_t)tree->node_count + 1, sizeof(*keeps));
	size_t left;
	unsigned step = find_step(tree, limit, &left);

	for (uint32_t i = 1; i < tree->node_count; i++)
		keeps[i] = !is_deep(&tree->nodes[i]) &&
		           step_of(&tree->nodes[i]) >= step;
	if (limit && left > limit)
		keep_costliest(tree, keeps, left, limit);
	calltree_add(ret, NULL, 0);
	copy_kept(tree, keeps, ret);
	calltree_sum(ret);
	ret->frames = tree->frames;
	ret->frame_count = tree->frame_count;
	ret->title = tree->title;
	ret->by_cost = tree->by_cost;
	return step * STEP_MS;
}

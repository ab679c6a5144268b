// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/key.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <stdlib.h>

struct walk {
	const struct calltree *tree;
	uint64_t *level_nodes; ///< by depth; NULL: count siblings
	lag_step_visit visit;
	void *context;
};

/** A node whose children are considered. */
struct fork {
	uint64_t cost_us;
	uint64_t n;
};

static bool is_over_fair_share(uint64_t cost_us, const struct fork *parent)
{
	__extension__ typedef unsigned __int128 wide;

	return parent->n == 1 ||
	       (wide)cost_us * 10 * parent->n > (wide)parent->cost_us * 11;
}

static bool is_over_fifth(uint64_t cost_us, const struct fork *parent)
{
	__extension__ typedef unsigned __int128 wide;

	return (wide)cost_us * 5 > parent->cost_us;
}

static struct lag_step judge(const struct walk *walk, uint32_t node,
                             const struct fork *parent)
{
	uint64_t cost_us = walk->tree->nodes[node].cost_us;

	return (struct lag_step){
		.node = node,
		.parent_cost_us = parent->cost_us,
		.n = parent->n,
		.over_fair_share = is_over_fair_share(cost_us, parent),
		.over_fifth = is_over_fifth(cost_us, parent),
	};
}

static struct fork fork_at(const struct walk *walk, uint32_t node)
{
	const struct calltree_node *nodes = walk->tree->nodes;
	struct fork fork = { .cost_us = nodes[node].cost_us };
	uint64_t roots_us = 0;

	for (uint32_t child = nodes[node].first_child; child;
	     child = nodes[child].next_sibling) {
		fork.n++;
		roots_us = number_sum(roots_us, nodes[child].cost_us);
	}
	// In a trimmed tree, it also has the samples of removed nodes.
	if (node == CALLTREE_ROOT)
		fork.cost_us = roots_us;
	if (walk->level_nodes)
		fork.n = walk->level_nodes[nodes[node].depth + 1];
	return fork;
}

/** Order: cost, then samples, then the first. */
static bool is_better(const struct calltree_node *a,
                      const struct calltree_node *b)
{
	if (a->cost_us != b->cost_us)
		return a->cost_us > b->cost_us;
	return a->samples > b->samples;
}

/** The child to continue at; CALLTREE_ROOT: the walk ends at @p node. */
static uint32_t next_node(const struct walk *walk, uint32_t node)
{
	const struct calltree_node *nodes = walk->tree->nodes;
	struct fork parent = fork_at(walk, node);
	uint32_t best = CALLTREE_ROOT;

	for (uint32_t child = nodes[node].first_child; child;
	     child = nodes[child].next_sibling) {
		struct lag_step step = judge(walk, child, &parent);

		if (step.over_fair_share && step.over_fifth &&
		    (!best || is_better(&nodes[child], &nodes[best])))
			best = child;
	}
	for (uint32_t child = nodes[node].first_child; walk->visit && child;
	     child = nodes[child].next_sibling) {
		struct lag_step step = judge(walk, child, &parent);

		step.taken = child == best;
		walk->visit(&step, walk->context);
	}
	return best;
}

static uint64_t *count_levels(const struct calltree *tree)
{
	uint32_t deepest = 0;
	uint64_t *counts;

	for (uint32_t i = 0; i < tree->node_count; i++)
		if (tree->nodes[i].depth > deepest)
			deepest = tree->nodes[i].depth;
	// One below the deepest: the walk looks there, too.
	counts = mem_zalloc((size_t)deepest + 2, sizeof(*counts));
	for (uint32_t i = 0; i < tree->node_count; i++)
		counts[tree->nodes[i].depth]++;
	return counts;
}

static bool is_app(const struct calltree *tree, uint32_t node)
{
	uint32_t frame = tree->nodes[node].frame;

	return frame < tree->frame_count &&
	       tree->frames[frame].kind == CALLTREE_APP;
}

struct lag_key lag_key_find(const struct calltree *tree,
                            enum lag_siblings siblings, lag_step_visit visit,
                            void *context)
{
	struct walk walk = {
		.tree = tree,
		.visit = visit,
		.context = context,
	};
	struct lag_key key = { .node = CALLTREE_ROOT };
	uint32_t node = CALLTREE_ROOT;

	if (!tree->node_count)
		return key;
	if (siblings == LAG_SIBLINGS_LEVEL)
		walk.level_nodes = count_levels(tree);
	while ((node = next_node(&walk, node))) {
		key.path_end = node;
		if (!is_app(tree, node))
			continue;
		key.node = node;
		key.is_app = true;
	}
	if (!key.is_app)
		key.node = key.path_end;
	free(walk.level_nodes);
	return key;
}

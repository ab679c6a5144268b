// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/heaviest.h"

#include "lib/base/map.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <stdbool.h>
#include <stdlib.h>

/** A set of equal stacks. */
struct group {
	uint32_t frame;
	uint32_t depth; ///< 0: any
	uint32_t node;  ///< last sample; from a tree, the first
	uint32_t newest;
	uint64_t samples;
};

struct groups {
	struct group *items;
	size_t count;
	size_t cap;
	struct map map;
};

static void groups_release(struct groups *groups)
{
	map_release(&groups->map);
	free(groups->items);
}

static uint64_t hash_group(uint64_t seed, const void *key)
{
	const struct group *group = key;

	return map_hash_number(seed,
	                       (uint64_t)group->depth << 32 | group->frame);
}

static bool is_group(const void *table, uint32_t index, const void *key)
{
	const struct group *a = &((const struct groups *)table)->items[index];
	const struct group *b = key;

	return a->frame == b->frame && a->depth == b->depth;
}

static const struct map_keys group_keys = { hash_group, is_group };

/** Number of samples that ended at a node. */
static uint64_t weight_of(const struct profile *profile, uint32_t node)
{
	return profile->counts_calls ? profile->stacks.nodes[node].self_cost_us
	                             : profile->stacks.nodes[node].self_samples;
}

static void add_stacks(struct groups *groups, const struct profile *profile,
                       uint32_t node, enum lag_heaviest_rule rule, bool ordered)
{
	const struct calltree_node *leaf = &profile->stacks.nodes[node];
	const struct group added = {
		.frame = leaf->frame,
		.depth = rule == LAG_HEAVIEST_TOP_DEPTH ? leaf->depth : 0,
		.node = node,
		.newest = leaf->newest,
	};
	uint32_t at = map_add(&groups->map, &group_keys, groups, &added,
	                      groups->count);
	struct group *group;

	if (at == groups->count) {
		MEM_GROW(groups->items, groups->count, groups->cap);
		groups->items[groups->count++] = added;
	}
	group = &groups->items[at];
	if (ordered && added.newest > group->newest) {
		group->node = node;
		group->newest = added.newest;
	}
	group->samples = number_sum(group->samples, weight_of(profile, node));
}

static bool is_better(const struct group *a, const struct group *b,
                      bool ordered)
{
	if (a->samples != b->samples)
		return a->samples > b->samples;
	if (ordered && a->newest != b->newest)
		return a->newest > b->newest;
	return a->node < b->node;
}

/** The node where all samples ended; CALLTREE_ROOT: there are several. */
static uint32_t find_lone(const struct profile *profile)
{
	uint32_t lone = CALLTREE_ROOT;

	for (uint32_t i = 1; i < profile->stacks.node_count; i++) {
		if (!weight_of(profile, i))
			continue;
		if (lone != CALLTREE_ROOT)
			return CALLTREE_ROOT;
		lone = i;
	}
	return lone;
}

static struct lag_heaviest find_most_frequent(const struct profile *profile,
                                              enum lag_heaviest_rule rule)
{
	const struct calltree *tree = &profile->stacks;
	bool ordered = !profile->from_nodes;
	SCOPED(groups_release) struct groups groups = { 0 };
	struct group best = { .node = CALLTREE_ROOT };
	uint32_t lone = find_lone(profile);

	// Small report: avoid a map.
	if (lone != CALLTREE_ROOT)
		return (struct lag_heaviest){
			.node = lone,
			.samples = tree->nodes[lone].self_samples,
		};
	for (uint32_t i = 1; i < tree->node_count; i++)
		if (weight_of(profile, i))
			add_stacks(&groups, profile, i, rule, ordered);
	for (size_t i = 0; i < groups.count; i++)
		if (is_better(&groups.items[i], &best, ordered))
			best = groups.items[i];
	return (struct lag_heaviest){
		.node = best.node,
		.samples = profile->counts_calls
		                   ? tree->nodes[best.node].self_samples
		                   : best.samples,
	};
}

struct lag_heaviest lag_heaviest_find(const struct profile *profile,
                                      enum lag_heaviest_rule rule)
{
	if (rule != LAG_HEAVIEST_RUN)
		return find_most_frequent(profile, rule);
	if (profile->from_nodes)
		return find_most_frequent(profile, LAG_HEAVIEST_TOP);
	return (struct lag_heaviest){
		.node = profile->best_run.node,
		.samples = profile->best_run.samples,
	};
}

#include "lib/analysis/lag/point.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <stdbool.h>

/** Stacks that are the same. */
struct group {
	uint32_t frame;
	uint32_t depth; ///< 0: any
	uint32_t node;  ///< where the newest ended; from a tree, the first
	uint32_t newest;
	uint64_t samples; ///< 0: a free slot
};

/** A hash table, open addressing. */
struct groups {
	struct group *slots;
	size_t mask;
	uint64_t seed;
};

/** The group of a stack, or the free slot where it belongs. */
static struct group *find_group(const struct groups *groups, uint32_t frame,
                                uint32_t depth)
{
	uint64_t key = (uint64_t)depth << 32 | frame;
	uint64_t hash = hash_bytes(groups->seed, &key, sizeof(key));

	for (size_t at = hash & groups->mask;; at = (at + 1) & groups->mask) {
		struct group *group = &groups->slots[at];

		if (!group->samples ||
		    (group->frame == frame && group->depth == depth))
			return group;
	}
}

static void add_stacks(const struct groups *groups, const struct calltree *tree,
                       uint32_t node, enum lag_point_rule rule, bool ordered)
{
	const struct calltree_node *leaf = &tree->nodes[node];
	uint32_t depth = rule == LAG_POINT_TOP_DEPTH ? leaf->depth : 0;
	struct group *group = find_group(groups, leaf->frame, depth);

	if (!group->samples)
		*group = (struct group){ .frame = leaf->frame,
			                 .depth = depth,
			                 .node = node,
			                 .newest = leaf->newest };
	else if (ordered && leaf->newest > group->newest) {
		group->node = node;
		group->newest = leaf->newest;
	}
	group->samples = number_sum(group->samples, leaf->self_samples);
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

static size_t count_ends(const struct calltree *tree)
{
	size_t count = 0;

	for (uint32_t i = 1; i < tree->node_count; i++)
		if (tree->nodes[i].self_samples)
			count++;
	return count;
}

static struct lag_point find_most_frequent(const struct lag_report *report,
                                           enum lag_point_rule rule)
{
	const struct calltree *tree = &report->tree;
	bool ordered = !report->from_nodes;
	size_t ends = count_ends(tree);
	struct group best = { .node = CALLTREE_ROOT };
	size_t slots = 2;

	while (slots < 2 * ends)
		slots *= 2;

	SCOPED(mem_drop)
	struct group *table = mem_zalloc(slots, sizeof(*table));
	struct groups groups = {
		.slots = table,
		.mask = slots - 1,
		.seed = report->seed,
	};

	for (uint32_t i = 1; i < tree->node_count; i++)
		if (tree->nodes[i].self_samples)
			add_stacks(&groups, tree, i, rule, ordered);
	for (size_t i = 0; i < slots; i++)
		if (table[i].samples && is_better(&table[i], &best, ordered))
			best = table[i];
	return (struct lag_point){ .node = best.node, .samples = best.samples };
}

struct lag_point lag_point_find(const struct lag_report *report,
                                enum lag_point_rule rule)
{
	if (rule != LAG_POINT_RUN)
		return find_most_frequent(report, rule);
	if (report->from_nodes)
		return find_most_frequent(report, LAG_POINT_TOP);
	return (struct lag_point){
		.node = report->best_run.node,
		.samples = report->best_run.samples,
	};
}

// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/fold.h"
#include "lib/analysis/lag/fold_state.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <string.h>

// Mark of a node that did not fit in a full tree, nor do its callees.
#define ENDED ((uint32_t)1 << 31)

/** Add the reports of a node of several reports' tree. */
static void join_reports(struct calltree *total, uint32_t at,
                         const struct calltree *tree, uint32_t node)
{
	total->nodes[at].reports += tree->nodes[node].reports;
	if (total->origins && tree->origins)
		origins_join(total->origins, at, tree->origins, node);
}

void lag_fold_pass(struct lag_passing *passing, struct calltree *total,
                   uint32_t node)
{
	passing->by_node = mem_grow_zeroed(passing->by_node, &passing->cap,
	                                   (size_t)node + 1,
	                                   sizeof(*passing->by_node));
	if (passing->by_node[node] == passing->number)
		return;
	passing->by_node[node] = passing->number;
	total->nodes[node].reports++;
	if (total->origins)
		origins_pass(total->origins, node);
}

void lag_fold_join(struct calltree *total, const struct calltree *tree,
                   const uint32_t *functions, struct lag_passing *passing,
                   uint32_t *node_of)
{
	node_of[CALLTREE_ROOT] = CALLTREE_ROOT;
	for (uint32_t i = 1; i < tree->node_count; i++) {
		const struct calltree_node *node = &tree->nodes[i];
		uint32_t frame = functions ? functions[node->frame]
		                           : node->frame;
		uint32_t caller = node_of[node->parent];
		uint32_t at = caller;
		struct calltree_node *sum;

		if (!(caller & ENDED))
			at = calltree_child(total, caller, frame);
		node_of[i] = at == caller ? at | ENDED : at;
		sum = &total->nodes[at & ~ENDED];
		if (passing)
			lag_fold_pass(passing, total, at & ~ENDED);
		else
			join_reports(total, at & ~ENDED, tree, i);
		sum->self_samples =
		        number_sum(sum->self_samples, node->self_samples);
		sum->self_cost_us =
		        number_sum(sum->self_cost_us, node->self_cost_us);
	}
	if (!total->node_count || !tree->node_count)
		return;
	if (passing)
		lag_fold_pass(passing, total, CALLTREE_ROOT);
	else
		join_reports(total, CALLTREE_ROOT, tree, CALLTREE_ROOT);
}

/** Are all @p count functions distinct? */
static bool are_different(const uint32_t *functions, size_t count, size_t all)
{
	SCOPED(mem_drop) bool *met = mem_zalloc(all, sizeof(*met));
	bool different = true;

	for (size_t i = 0; i < count && different; i++) {
		different = !met[functions[i]];
		met[functions[i]] = true;
	}
	return different;
}

/** Move the older side of the first builder, with its nodes renumbered. */
static void join_before(struct calltree *into, struct calltree_before *before,
                        const uint32_t *node_of)
{
	if (into->before) {
		calltree_before_join(into->before, before, node_of);
		calltree_before_release(before);
		return;
	}
	calltree_before_renumber(before, node_of);
	into->before = before;
}

/** Without origins so far, the total takes the builder's. */
static void join_trees(struct calltree *into, struct lag_builder *from,
                       const uint32_t *functions, uint32_t *node_of)
{
	struct origins made = { 0 };

	if (into->origins || !from->total.origins) {
		lag_fold_join(into, &from->total, functions, NULL, node_of);
		return;
	}
	into->origins = &made;
	lag_fold_join(into, &from->total, functions, NULL, node_of);
	origins_release(&from->origins);
	from->origins = made;
	into->origins = &from->origins;
}

static void take_tree(struct calltree *into, struct lag_builder *from)
{
	calltree_release(into);
	*into = from->total;
	from->total = (struct calltree){ 0 };
}

/** As join_trees(), if functions stay distinct. */
static void take_renumbered(struct calltree *into, struct lag_builder *from,
                            const uint32_t *functions)
{
	take_tree(into, from);
	calltree_renumber(into, functions);
}

bool lag_total_take(struct calltree *into, struct profile_functions *functions,
                    struct lag_builder *from)
{
	if (into->node_count ||
	    !profile_functions_take(functions, &from->functions))
		return false;
	take_tree(into, from);
	return true;
}

void lag_total_join(struct calltree *into, struct profile_functions *functions,
                    struct lag_builder *from)
{
	uint32_t count = profile_functions_count(&from->functions);
	SCOPED(mem_drop)
	uint32_t *joined = mem_alloc(((size_t)count + 1) * sizeof(*joined));
	SCOPED(mem_drop) uint32_t *node_of = NULL;

	for (uint32_t i = 0; i < count; i++)
		joined[i] =
		        profile_functions_join(functions, &from->functions, i);
	if (!into->node_count &&
	    are_different(joined, count, profile_functions_count(functions))) {
		take_renumbered(into, from, joined);
		return;
	}
	node_of = mem_alloc(((size_t)from->total.node_count + 1) *
	                    sizeof(*node_of));
	join_trees(into, from, joined, node_of);
	for (uint32_t i = 0; i < from->total.node_count; i++)
		node_of[i] &= ~ENDED;
	if (from->total.before)
		join_before(into, from->total.before, node_of);
	calltree_release(&from->total);
	for (size_t i = 0; i < from->timeline.sample_count; i++) {
		struct timeline_sample *sample = &from->timeline.samples[i];

		sample->node = node_of[sample->node];
	}
}

void lag_total_sort(struct calltree *tree,
                    const struct profile_functions *functions)
{
	SCOPED(mem_drop) uint32_t *ranks = profile_functions_rank(functions);

	calltree_sort(tree, ranks);
}

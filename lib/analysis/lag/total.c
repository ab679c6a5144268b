#include "lib/analysis/lag/fold.h"
#include "lib/analysis/lag/fold_state.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"

// Of a node that found no place in a full tree: those below have none either.
#define ENDED ((uint32_t)1 << 31)

/** The reports that passed a node of several reports' tree. */
static void join_reports(struct calltree *total, uint32_t at,
                         const struct calltree *tree, uint32_t node)
{
	total->nodes[at].reports += tree->nodes[node].reports;
	if (total->origins && tree->origins)
		origins_join(total->origins, at, tree->origins, node);
}

void lag_fold_join(struct calltree *total, const struct calltree *tree,
                   const uint32_t *functions, uint32_t number,
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
		if (number)
			lag_fold_pass(total, at & ~ENDED, number);
		else
			join_reports(total, at & ~ENDED, tree, i);
		sum->self_samples =
		        number_sum(sum->self_samples, node->self_samples);
		sum->self_cost_us =
		        number_sum(sum->self_cost_us, node->self_cost_us);
	}
	if (!total->node_count || !tree->node_count)
		return;
	if (number)
		lag_fold_pass(total, CALLTREE_ROOT, number);
	else
		join_reports(total, CALLTREE_ROOT, tree, CALLTREE_ROOT);
}

/** Nothing was joined yet, so the numbers of functions are the same. */
static bool can_move(const struct calltree *into,
                     const struct profile_functions *functions,
                     const struct lag_builder *from)
{
	return !into->node_count &&
	       profile_functions_count(functions) ==
	               profile_functions_count(&from->functions);
}

/** Where nobody has origins yet, the builder owns those of the joined tree. */
static void join_trees(struct calltree *into, struct lag_builder *from,
                       const uint32_t *functions, uint32_t *node_of)
{
	struct origins made = { 0 };

	if (into->origins || !from->total.origins) {
		lag_fold_join(into, &from->total, functions, 0, node_of);
		return;
	}
	into->origins = &made;
	lag_fold_join(into, &from->total, functions, 0, node_of);
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
	bool is_first = !profile_functions_count(functions);
	SCOPED(mem_drop)
	uint32_t *joined = mem_alloc(((size_t)count + 1) * sizeof(*joined));
	SCOPED(mem_drop) uint32_t *node_of = NULL;

	for (uint32_t i = 0; i < count; i++)
		joined[i] =
		        profile_functions_join(functions, &from->functions, i);
	if (is_first && can_move(into, functions, from)) {
		take_tree(into, from);
		return;
	}
	node_of = mem_alloc(((size_t)from->total.node_count + 1) *
	                    sizeof(*node_of));
	join_trees(into, from, joined, node_of);
	calltree_release(&from->total);
	for (size_t i = 0; i < from->timeline.sample_count; i++) {
		struct timeline_sample *sample = &from->timeline.samples[i];

		sample->node = node_of[sample->node] & ~ENDED;
	}
}

void lag_total_sort(struct calltree *tree,
                    const struct profile_functions *functions)
{
	SCOPED(mem_drop) uint32_t *ranks = profile_functions_rank(functions);

	calltree_sort(tree, ranks);
}

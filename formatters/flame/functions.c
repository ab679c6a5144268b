// SPDX-License-Identifier: MIT
#include "formatters/flame/functions.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <stdlib.h>
#include <string.h>

/** Functions by frame number, while the tree is walked. */
struct sums {
	const struct calltree *tree;
	struct calltree_scale scale;
	struct flame_function *functions;
	uint32_t *active; ///< how often it is on the way to the node
};

static void sums_release(struct sums *sums)
{
	free(sums->functions);
	free(sums->active);
}

static void enter(struct sums *sums, uint32_t node)
{
	const struct calltree *tree = sums->tree;
	uint32_t frame = tree->nodes[node].frame;
	struct flame_function *function = &sums->functions[frame];
	struct calltree_weight now = calltree_weight_of(tree, node);
	struct calltree_weight before = calltree_weight_before(tree, node);

	function->self = number_sum(function->self, calltree_self(tree, &now));
	function->before_self =
	        number_sum(function->before_self, calltree_self(tree, &before));
	// Recursive calls add nothing.
	if (sums->active[frame]++)
		return;
	function->total =
	        number_sum(function->total, calltree_value(tree, &now));
	function->before_total = number_sum(function->before_total,
	                                    calltree_value(tree, &before));
}

static void walk(struct sums *sums)
{
	const struct calltree *tree = sums->tree;
	uint32_t node = calltree_next(tree, CALLTREE_ROOT), next;

	for (; node != CALLTREE_ROOT; node = next) {
		enter(sums, node);
		next = calltree_next(tree, node);
		for (uint32_t left = node; left != tree->nodes[next].parent;
		     left = tree->nodes[left].parent)
			sums->active[tree->nodes[left].frame]--;
	}
}

/** Sort key of a function: its weight, or the change of it. */
static uint64_t rank_of(const struct sums *sums,
                        const struct flame_function *function, bool self)
{
	uint64_t now = self ? function->self : function->total;
	uint64_t before = self ? function->before_self : function->before_total;
	int64_t change;

	if (!sums->tree->before)
		return now;
	if (sums->scale.mode == DIFF_ABSOLUTE)
		return now > before ? now - before : before - now;
	change = calltree_change(&sums->scale, now, before);
	return (uint64_t)(change < 0 ? -change : change);
}

/** Does @p a, with @p a_rank, precede @p b? */
static bool is_before(const struct calltree *tree,
                      const struct flame_function *a, uint64_t a_rank,
                      const struct flame_function *b, uint64_t b_rank)
{
	if (a_rank != b_rank)
		return a_rank > b_rank;
	// Stable for equal ones.
	return flame_compare_frames(&tree->frames[a->frame],
	                            &tree->frames[b->frame]) < 0;
}

static size_t find_first(const struct sums *sums, bool self,
                         struct flame_function *first)
{
	size_t count = 0;

	for (size_t i = 0; i < sums->tree->frame_count; i++) {
		const struct flame_function *function = &sums->functions[i];
		uint64_t rank = rank_of(sums, function, self);
		size_t at = count;

		if (!rank)
			continue;
		while (at &&
		       is_before(sums->tree, function, rank, &first[at - 1],
		                 rank_of(sums, &first[at - 1], self)))
			at--;
		if (at == FLAME_FUNCTIONS_MOST)
			continue;
		count += count < FLAME_FUNCTIONS_MOST;
		memmove(&first[at + 1], &first[at],
		        (count - 1 - at) * sizeof(*first));
		first[at] = *function;
	}
	return count;
}

void flame_functions_find(const struct flame *flame,
                          struct flame_functions *ret)
{
	const struct calltree *tree = flame->tree;
	SCOPED(sums_release)
	struct sums sums = { .tree = tree, .scale = flame->scale };

	*ret = (struct flame_functions){ 0 };
	if (!tree->node_count)
		return;
	sums.functions = mem_zalloc(tree->frame_count, sizeof(*sums.functions));
	sums.active = mem_zalloc(tree->frame_count, sizeof(*sums.active));
	for (size_t i = 0; i < tree->frame_count; i++)
		sums.functions[i].frame = (uint32_t)i;
	walk(&sums);
	ret->self_count = find_first(&sums, true, ret->by_self);
	ret->total_count = find_first(&sums, false, ret->by_total);
}

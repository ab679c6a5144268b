// SPDX-License-Identifier: MIT
#include "lib/model/calltree_before.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/sorted.h"

#include <stdlib.h>

static void add(struct calltree_before *before,
                const struct calltree_ended *ended)
{
	MEM_GROW(before->ended, before->ended_count, before->ended_cap);
	before->ended[before->ended_count++] = *ended;
}

void calltree_turn(struct calltree *tree, struct calltree_before *before)
{
	for (uint32_t i = 0; i < tree->node_count; i++) {
		struct calltree_node *node = &tree->nodes[i];

		if (node->self_samples || node->self_cost_us)
			add(before, &(struct calltree_ended){
			                    .node = i,
			                    .samples = node->self_samples,
			                    .cost_us = node->self_cost_us });
		node->self_samples = 0;
		node->self_cost_us = 0;
		node->reports = 0;
	}
	tree->before = before;
	tree->origins = NULL;
}

void calltree_before_renumber(struct calltree_before *before,
                              const uint32_t *node_of)
{
	for (size_t i = 0; i < before->ended_count; i++)
		before->ended[i].node = node_of[before->ended[i].node];
}

void calltree_before_join(struct calltree_before *before,
                          const struct calltree_before *other,
                          const uint32_t *node_of)
{
	for (size_t i = 0; i < other->ended_count; i++) {
		struct calltree_ended ended = other->ended[i];

		ended.node = node_of[ended.node];
		add(before, &ended);
	}
}

static int compare_ended(const void *a, const void *b)
{
	uint32_t left = ((const struct calltree_ended *)a)->node;
	uint32_t right = ((const struct calltree_ended *)b)->node;

	return (left > right) - (left < right);
}

/** In the order of their nodes, each once. */
static void sort_ended(struct calltree_before *before)
{
	struct calltree_ended *ended = before->ended;
	size_t count = 0;

	if (before->ended_count)
		qsort(ended, before->ended_count, sizeof(*ended),
		      compare_ended);
	for (size_t i = 0; i < before->ended_count; i++) {
		struct calltree_ended *last = count ? &ended[count - 1] : NULL;

		if (!last || last->node != ended[i].node) {
			ended[count++] = ended[i];
			continue;
		}
		last->samples = number_sum(last->samples, ended[i].samples);
		last->cost_us = number_sum(last->cost_us, ended[i].cost_us);
	}
	before->ended_count = count;
}

// Columns

static uint64_t column_get(const struct calltree_column *column, uint32_t node)
{
	if (column->narrow)
		return column->narrow[node];
	return column->wide ? column->wide[node] : 0;
}

static void column_add(const struct calltree_column *column, uint32_t node,
                       uint64_t number)
{
	if (column->narrow)
		column->narrow[node] += (uint32_t)number;
	else if (column->wide)
		column->wide[node] = number_sum(column->wide[node], number);
}

static void column_release(struct calltree_column *column)
{
	free(column->narrow);
	free(column->wide);
	*column = (struct calltree_column){ 0 };
}

/** @param total  Sum over all nodes, the max of one. */
static void column_make(struct calltree_column *column, uint64_t total,
                        size_t count)
{
	column_release(column);
	if (total > UINT32_MAX)
		column->wide = mem_zalloc(count, sizeof(*column->wide));
	else if (total)
		column->narrow = mem_zalloc(count, sizeof(*column->narrow));
}

/** Children follow their parents. */
static void column_sum(const struct calltree_column *column,
                       const struct calltree *tree)
{
	if (!column->narrow && !column->wide)
		return;
	for (uint32_t i = tree->node_count; i-- > 1;)
		column_add(column, tree->nodes[i].parent,
		           column_get(column, i));
}

/**
 * Cost per sample, if equal for all: then a column of costs, large for a large
 * tree, is redundant.
 */
static uint64_t cost_of_each(const struct calltree_before *before)
{
	uint64_t each = 0;

	for (size_t i = 0; i < before->ended_count; i++) {
		const struct calltree_ended *ended = &before->ended[i];

		if (!ended->samples || ended->cost_us % ended->samples ||
		    (i && ended->cost_us / ended->samples != each))
			return 0;
		each = ended->cost_us / ended->samples;
	}
	return each;
}

void calltree_before_sum(struct calltree_before *before,
                         const struct calltree *tree)
{
	uint64_t samples = 0;
	uint64_t cost_us = 0;

	sort_ended(before);
	for (size_t i = 0; i < before->ended_count; i++) {
		samples = number_sum(samples, before->ended[i].samples);
		cost_us = number_sum(cost_us, before->ended[i].cost_us);
	}
	// Saturated sums are no multiple.
	before->us_each = cost_us < UINT64_MAX ? cost_of_each(before) : 0;
	// The root's own weight, also in a tree without nodes.
	column_make(&before->samples, samples, (size_t)tree->node_count + 1);
	column_make(&before->cost_us, before->us_each ? 0 : cost_us,
	            (size_t)tree->node_count + 1);
	for (size_t i = 0; i < before->ended_count; i++) {
		const struct calltree_ended *ended = &before->ended[i];

		column_add(&before->samples, ended->node, ended->samples);
		column_add(&before->cost_us, ended->node, ended->cost_us);
	}
	column_sum(&before->samples, tree);
	column_sum(&before->cost_us, tree);
}

struct calltree_weight calltree_weight_before(const struct calltree *tree,
                                              uint32_t node)
{
	const struct calltree_before *before = tree->before;
	struct calltree_weight weight = { 0 };
	const struct calltree_ended *ended;
	size_t at;

	if (!before)
		return weight;
	weight.samples = column_get(&before->samples, node);
	weight.cost_us = before->us_each ? weight.samples * before->us_each
	                                 : column_get(&before->cost_us, node);
	// Most weights are 0: no search.
	if (!weight.samples && !weight.cost_us)
		return weight;
	ended = before->ended;
	at = SORTED_SKIP(i, before->ended_count, ended[i].node < node);
	if (at < before->ended_count && ended[at].node == node) {
		weight.self_samples = ended[at].samples;
		weight.self_cost_us = ended[at].cost_us;
	}
	return weight;
}

void calltree_before_forget_costs(struct calltree_before *before)
{
	for (size_t i = 0; i < before->ended_count; i++)
		before->ended[i].cost_us = 0;
}

void calltree_before_release(struct calltree_before *before)
{
	free(before->ended);
	column_release(&before->samples);
	column_release(&before->cost_us);
	*before = (struct calltree_before){ 0 };
}

// SPDX-License-Identifier: MIT
#include "formatters/calltree/rows.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/model/calltree_before.h"

#include <stdlib.h>

void calltree_rows_init(struct calltree_rows *rows, const struct calltree *tree,
                        double min_percent)
{
	const struct calltree_weight weight =
	        calltree_weight_of(tree, CALLTREE_ROOT);
	const struct calltree_weight before =
	        calltree_weight_before(tree, CALLTREE_ROOT);
	SCOPED(mem_drop)
	struct text *names = mem_zalloc(tree->frame_count, sizeof(*names));

	for (size_t i = 0; i < tree->frame_count; i++)
		names[i] = text_from(calltree_name(&tree->frames[i]));
	*rows = (struct calltree_rows){
		.tree = tree,
		.min_percent = min_percent,
		.total = calltree_value(tree, &weight),
		.total_before = calltree_value(tree, &before),
		.ranks = calltree_rank_names(names, tree->frame_count),
	};
}

void calltree_rows_release(struct calltree_rows *rows)
{
	free(rows->ranks);
	free(rows->rows);
	calltree_turns_release(&rows->turns);
	free(rows->open);
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

double calltree_share(const struct calltree_rows *rows,
                      const struct calltree_row *row)
{
	return percent(calltree_value(rows->tree, &row->weight), rows->total);
}

double calltree_share_before(const struct calltree_rows *rows,
                             const struct calltree_row *row)
{
	return percent(calltree_value(rows->tree, &row->before),
	               rows->total_before);
}

/** Too light to be shown, now and before? */
static bool is_light(const struct calltree_rows *rows,
                     const struct calltree_row *row)
{
	double min = rows->min_percent;

	return calltree_share(rows, row) < min &&
	       calltree_share_before(rows, row) < min;
}

struct calltree_row calltree_row_of(const struct calltree_rows *rows,
                                    uint32_t node)
{
	return (struct calltree_row){
		.node = node,
		.weight = calltree_weight_of(rows->tree, node),
		.before = calltree_weight_before(rows->tree, node),
	};
}

static void add_weight(struct calltree_weight *sum,
                       const struct calltree_weight *weight)
{
	sum->samples = number_sum(sum->samples, weight->samples);
	sum->cost_us = number_sum(sum->cost_us, weight->cost_us);
}

/** The heavier calls of a node wait in `turns`, the others are added up. */
static struct calltree_row sort_out(struct calltree_rows *rows, uint32_t caller)
{
	const struct calltree *tree = rows->tree;
	struct calltree_row folded = { 0 };

	rows->turns.count = 0;
	for (uint32_t node = tree->nodes[caller].first_child; node;
	     node = tree->nodes[node].next_sibling) {
		const struct calltree_row row = calltree_row_of(rows, node);

		if (is_light(rows, &row)) {
			folded.folded++;
			add_weight(&folded.weight, &row.weight);
			add_weight(&folded.before, &row.before);
			continue;
		}
		calltree_turns_add(&rows->turns,
		                   UINT64_MAX -
		                           calltree_value(tree, &row.weight),
		                   rows->ranks[tree->nodes[node].frame], node);
	}
	calltree_turns_sort(&rows->turns, 0);
	return folded;
}

static void push(struct calltree_rows *rows, struct calltree_row row,
                 uint32_t level, bool branch)
{
	row.level = level + branch;
	row.branch = branch;
	// The first to come is the last to be shown.
	row.last = false;
	MEM_GROW(rows->rows, rows->count, rows->cap);
	rows->rows[rows->count++] = row;
}

static void push_calls(struct calltree_rows *rows, uint32_t caller,
                       uint32_t level)
{
	struct calltree_row folded = sort_out(rows, caller);
	// If even their sum is light, they are only counted.
	bool has_folded = folded.folded && !is_light(rows, &folded);
	size_t first = rows->count;
	bool branch = rows->turns.count + has_folded > 1;

	if (has_folded)
		push(rows, folded, level, branch);
	for (size_t i = 0; i < rows->turns.count; i++)
		push(rows, calltree_row_of(rows, rows->turns.turns[i].node),
		     level, branch);
	if (rows->count > first)
		rows->rows[first].last = true;
}

void calltree_rows_each(struct calltree_rows *rows, calltree_row_visit visit,
                        void *context)
{
	push_calls(rows, CALLTREE_ROOT, 0);
	while (rows->count) {
		const struct calltree_row row = rows->rows[--rows->count];

		MEM_GROW(rows->open, row.level, rows->open_cap);
		if (row.branch || !row.level)
			rows->open[row.level] = !row.last;
		visit(&row, context);
		if (row.node != CALLTREE_ROOT)
			push_calls(rows, row.node, row.level);
	}
}

uint32_t calltree_heavy_call(const struct calltree_rows *rows, uint32_t caller)
{
	const struct calltree *tree = rows->tree;
	const struct calltree_weight weight = calltree_weight_of(tree, caller);
	uint64_t whole = calltree_value(tree, &weight);
	uint64_t max = 0;
	uint32_t heaviest = CALLTREE_ROOT;

	for (uint32_t node = tree->nodes[caller].first_child; node;
	     node = tree->nodes[node].next_sibling) {
		const struct calltree_weight one =
		        calltree_weight_of(tree, node);
		uint64_t value = calltree_value(tree, &one);

		if (value > max ||
		    (value == max && heaviest &&
		     rows->ranks[tree->nodes[node].frame] <
		             rows->ranks[tree->nodes[heaviest].frame])) {
			max = value;
			heaviest = node;
		}
	}
	// Of the outermost functions the heaviest is always one to name.
	if (caller != CALLTREE_ROOT && max < whole - whole / 2)
		return CALLTREE_ROOT;
	return heaviest;
}

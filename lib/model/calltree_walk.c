// SPDX-License-Identifier: MIT
#include "lib/model/calltree_walk.h"

#include "lib/base/mem.h"

#include <assert.h>
#include <stdlib.h>

const struct calltree_frame *calltree_frame_of(const struct calltree *tree,
                                               uint32_t node)
{
	uint32_t frame = tree->nodes[node].frame;

	assert(frame < tree->frame_count);
	return &tree->frames[frame];
}

struct calltree_weight calltree_weight_of(const struct calltree *tree,
                                          uint32_t node)
{
	if (node >= tree->node_count)
		return (struct calltree_weight){ 0 };
	return (struct calltree_weight){
		.samples = tree->nodes[node].samples,
		.cost_us = tree->nodes[node].cost_us,
		.self_samples = tree->nodes[node].self_samples,
		.self_cost_us = tree->nodes[node].self_cost_us,
	};
}

const char *calltree_name(const struct calltree_frame *frame)
{
	return frame->name && *frame->name ? frame->name : CALLTREE_UNKNOWN;
}

const char *calltree_path(const struct calltree_frame *frame)
{
	return frame->path ? frame->path : frame->file;
}

uint32_t calltree_next(const struct calltree *tree, uint32_t node)
{
	const struct calltree_node *nodes = tree->nodes;

	if (!tree->node_count)
		return CALLTREE_ROOT;
	if (nodes[node].first_child)
		return nodes[node].first_child;
	while (node != CALLTREE_ROOT && !nodes[node].next_sibling)
		node = nodes[node].parent;
	return node == CALLTREE_ROOT ? CALLTREE_ROOT : nodes[node].next_sibling;
}

struct ranked_name {
	struct text name;
	size_t index;
};

static int compare_names(const void *a, const void *b)
{
	return text_compare(((const struct ranked_name *)a)->name,
	                    ((const struct ranked_name *)b)->name);
}

uint32_t *calltree_rank_names(const struct text *names, size_t count)
{
	SCOPED(mem_drop)
	struct ranked_name *sorted = mem_zalloc(count, sizeof(*sorted));
	uint32_t *ranks = mem_zalloc(count, sizeof(*ranks));
	uint32_t rank = 0;

	for (size_t i = 0; i < count; i++)
		sorted[i] =
		        (struct ranked_name){ .name = names[i], .index = i };
	qsort(sorted, count, sizeof(*sorted), compare_names);
	for (size_t i = 0; i < count; i++) {
		if (i && !text_equal(sorted[i - 1].name, sorted[i].name))
			rank++;
		ranks[sorted[i].index] = rank;
	}
	return ranks;
}

void calltree_turns_add(struct calltree_turns *turns, uint64_t key,
                        uint32_t rank, uint32_t node)
{
	MEM_GROW(turns->turns, turns->count, turns->cap);
	turns->turns[turns->count] = (struct calltree_turn){
		.key = key,
		.rank = rank,
		.node = node,
		.order = turns->count,
	};
	turns->count++;
}

/** Reversed: the end of the array is popped first. */
static int compare_turns(const void *a, const void *b)
{
	const struct calltree_turn *x = a;
	const struct calltree_turn *y = b;

	if (x->key != y->key)
		return x->key < y->key ? 1 : -1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? 1 : -1;
	return (x->order < y->order) - (x->order > y->order);
}

void calltree_turns_sort(struct calltree_turns *turns, size_t start)
{
	// Most nodes have one child.
	if (turns->count - start > 1)
		qsort(turns->turns + start, turns->count - start,
		      sizeof(*turns->turns), compare_turns);
}

void calltree_turns_release(struct calltree_turns *turns)
{
	free(turns->turns);
}

void stack_text_enter(struct stack_text *stack, uint32_t depth, char separator,
                      struct text name)
{
	MEM_GROW(stack->ends, depth, stack->cap);
	stack->text.size = depth > 1 ? stack->ends[depth - 1] : 0;
	if (depth > 1)
		str_add_char(&stack->text, separator);
	str_add_text(&stack->text, name);
	stack->ends[depth] = stack->text.size;
}

void stack_text_release(struct stack_text *stack)
{
	str_release(&stack->text);
	free(stack->ends);
}

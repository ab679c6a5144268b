// SPDX-License-Identifier: MIT
#include "lib/model/calltree.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Trees of more nodes remember whole stacks.
#define KNOWN_NODES 4096

/** From a node and a frame to the child. */
struct edge {
	uint32_t parent;
	uint32_t frame;
};

static uint64_t hash_edge(uint64_t seed, const void *key)
{
	const struct edge *edge = key;

	return map_hash_number(seed,
	                       (uint64_t)edge->parent << 32 | edge->frame);
}

static bool is_edge(const void *table, uint32_t index, const void *key)
{
	const struct calltree_node *node = (const struct calltree_node *)table +
	                                   index;
	const struct edge *edge = key;

	return node->parent == edge->parent && node->frame == edge->frame;
}

static const struct map_keys edge_keys = { hash_edge, is_edge };

static uint32_t new_node(struct calltree *tree)
{
	MEM_GROW(tree->nodes, tree->node_count, tree->node_cap);
	MEM_GROW(tree->last_children, tree->node_count, tree->last_cap);
	tree->nodes[tree->node_count] = (struct calltree_node){ 0 };
	tree->last_children[tree->node_count] = CALLTREE_ROOT;
	return tree->node_count++;
}

/** Make the last node a child of @p parent, after the others. */
static uint32_t link_last(struct calltree *tree, uint32_t parent,
                          uint32_t frame)
{
	uint32_t child = tree->node_count - 1;
	struct calltree_node *above = &tree->nodes[parent];
	uint32_t *last = &tree->last_children[parent];

	tree->nodes[child].frame = frame;
	tree->nodes[child].parent = parent;
	tree->nodes[child].depth = above->depth + 1;
	if (*last)
		tree->nodes[*last].next_sibling = child;
	else
		above->first_child = child;
	*last = child;
	return child;
}

static bool is_full(const struct calltree *tree)
{
	uint32_t limit = tree->node_limit ? tree->node_limit
	                                  : CALLTREE_NODES_MAX;

	return tree->node_count >= limit;
}

/** Enter all calls of a tree whose edges were dropped or sorted. */
static void make_edges(struct calltree *tree)
{
	MEM_ROOM(tree->last_children, tree->node_count, tree->last_cap);
	if (tree->node_count)
		memset(tree->last_children, 0,
		       tree->node_count * sizeof(*tree->last_children));
	for (uint32_t i = 1; i < tree->node_count; i++) {
		const struct calltree_node *node = &tree->nodes[i];
		const struct edge edge = { node->parent, node->frame };

		if (!node->next_sibling)
			tree->last_children[node->parent] = i;
		if (tree->nodes[node->parent].first_child != i)
			map_add(&tree->edges, &edge_keys, tree->nodes, &edge,
			        i);
	}
	tree->edges_gone = false;
}

void calltree_forget_edges(struct calltree *tree)
{
	map_release(&tree->edges);
	if (!tree->in_arena)
		free(tree->last_children);
	tree->last_children = NULL;
	tree->last_cap = 0;
	tree->edges_gone = true;
}

uint32_t calltree_child(struct calltree *tree, uint32_t parent, uint32_t frame)
{
	const struct edge edge = { parent, frame };
	uint32_t first;
	uint32_t child;

	if (!tree->node_count)
		new_node(tree);
	first = tree->nodes[parent].first_child;
	if (first && tree->nodes[first].frame == frame)
		return first;
	if (tree->edges_gone)
		make_edges(tree);
	if (is_full(tree)) {
		child = map_find(&tree->edges, &edge_keys, tree->nodes, &edge);
		if (child != MAP_NONE)
			return child;
		tree->full = true;
		return parent;
	}
	if (first) {
		child = map_add(&tree->edges, &edge_keys, tree->nodes, &edge,
		                tree->node_count);
		if (child < tree->node_count)
			return child;
	}
	new_node(tree);
	return link_last(tree, parent, frame);
}

static void append_node(struct calltree *tree, struct arena *arena)
{
	if (tree->node_count >= CALLTREE_NODES_MAX)
		mem_fail();
	if (!arena) {
		new_node(tree);
		return;
	}
	tree->in_arena = true;
	ARENA_GROW(arena, tree->nodes, tree->node_count, tree->node_cap);
	ARENA_GROW(arena, tree->last_children, tree->node_count,
	           tree->last_cap);
	tree->nodes[tree->node_count] = (struct calltree_node){ 0 };
	tree->last_children[tree->node_count++] = CALLTREE_ROOT;
}

uint32_t calltree_append(struct calltree *tree, struct arena *arena,
                         uint32_t parent, uint32_t frame)
{
	if (!tree->node_count)
		append_node(tree, arena);
	assert(!tree->edges_gone);
	append_node(tree, arena);
	return link_last(tree, parent, frame);
}

bool calltree_branches(const struct calltree *tree, uint32_t node)
{
	uint32_t first = tree->nodes[node].first_child;

	return first && tree->nodes[first].next_sibling;
}

bool calltree_has_calls(const struct calltree *tree)
{
	for (uint32_t i = 1; i < tree->node_count; i++)
		if (tree->nodes[i].parent != CALLTREE_ROOT)
			return true;
	return false;
}

/** Find or add a stack call by call. */
static uint32_t add_calls(struct calltree *tree, const uint32_t *frames,
                          size_t count)
{
	uint32_t node = CALLTREE_ROOT;
	size_t i = 0;

	MEM_ROOM(tree->path, count, tree->path_cap);
	// Consecutive samples usually begin alike.
	while (i < count && i < tree->path_count &&
	       tree->nodes[tree->path[i]].frame == frames[i])
		node = tree->path[i++];
	for (; i < count; i++) {
		uint32_t child = calltree_child(tree, node, frames[i]);

		// Full: stop, so that deeper frames are not searched here.
		if (child == node)
			break;
		node = child;
		tree->path[i] = node;
	}
	tree->path_count = i;
	return node;
}

uint32_t calltree_add(struct calltree *tree, const uint32_t *frames,
                      size_t count)
{
	struct fingerprint print;
	uint32_t *known;
	bool is_new;

	if (!tree->node_count)
		new_node(tree);
	if (tree->node_count < KNOWN_NODES || !fingerprints_repay(&tree->known))
		return add_calls(tree, frames, count);
	// In a tree larger than the caches each step waits for memory: a known
	// stack is found in one.
	print = fingerprint_of(&tree->known, frames, count * sizeof(*frames));
	known = fingerprints_find(&tree->known, &print, &is_new);
	if (is_new)
		*known = add_calls(tree, frames, count);
	return *known;
}

size_t calltree_own_samples(const struct calltree *tree, uint64_t *samples)
{
	size_t exceeded = 0;

	for (uint32_t i = 1; i < tree->node_count; i++) {
		uint64_t *left = &samples[tree->nodes[i].parent];

		if (tree->nodes[i].parent == CALLTREE_ROOT)
			continue;
		if (samples[i] > *left) {
			samples[i] = *left;
			exceeded++;
		}
		*left -= samples[i];
	}
	return exceeded;
}

void calltree_sum(struct calltree *tree)
{
	struct calltree_node *nodes = tree->nodes;

	for (uint32_t i = 0; i < tree->node_count; i++) {
		nodes[i].samples = nodes[i].self_samples;
		nodes[i].cost_us = nodes[i].self_cost_us;
	}
	// Children follow their parents.
	for (uint32_t i = tree->node_count; i-- > 1;) {
		struct calltree_node *parent = &nodes[nodes[i].parent];

		parent->samples = number_sum(parent->samples, nodes[i].samples);
		parent->cost_us = number_sum(parent->cost_us, nodes[i].cost_us);
	}
}

uint32_t calltree_depth(const struct calltree *tree, uint32_t node)
{
	return node == CALLTREE_ROOT ? 0 : tree->nodes[node].depth;
}

void calltree_stack(const struct calltree *tree, uint32_t node,
                    uint32_t *frames)
{
	for (; node != CALLTREE_ROOT; node = tree->nodes[node].parent)
		frames[tree->nodes[node].depth - 1] = tree->nodes[node].frame;
}

void calltree_end(struct calltree *tree)
{
	if (tree->node_count < KNOWN_NODES)
		return;
	calltree_forget_edges(tree);
	fingerprints_release(&tree->known);
	tree->path_count = 0;
	tree->node_cap = tree->node_count;
	tree->nodes =
	        mem_realloc(tree->nodes, tree->node_cap, sizeof(*tree->nodes));
}

void calltree_move(struct calltree *into, struct calltree *from)
{
	struct calltree_node *nodes = into->nodes;
	size_t node_cap = into->node_cap;

	into->nodes = from->nodes;
	into->node_count = from->node_count;
	into->node_cap = from->node_cap;
	from->nodes = nodes;
	from->node_cap = node_cap;
	from->node_count = 0;
	calltree_forget_edges(into);
	calltree_forget_edges(from);
	fingerprints_clear(&into->known);
	fingerprints_release(&from->known);
	into->path_count = from->path_count = 0;
}

void calltree_renumber(struct calltree *tree, const uint32_t *numbers)
{
	calltree_forget_edges(tree);
	fingerprints_clear(&tree->known);
	tree->path_count = 0;
	for (uint32_t i = 1; i < tree->node_count; i++)
		tree->nodes[i].frame = numbers[tree->nodes[i].frame];
}

void calltree_clear(struct calltree *tree)
{
	map_clear(&tree->edges);
	tree->edges_gone = false;
	fingerprints_clear(&tree->known);
	tree->node_count = 0;
	tree->path_count = 0;
	tree->full = false;
	tree->frames = NULL;
	tree->frame_count = 0;
	tree->title = NULL;
	tree->by_cost = false;
	tree->counts_calls = false;
	tree->cost_unit = COST_MS;
	tree->cost_origin = COST_MEASURED;
	tree->timeline = NULL;
	tree->origins = NULL;
	tree->before = NULL;
}

void calltree_release(struct calltree *tree)
{
	free(tree->nodes);
	free(tree->last_children);
	map_release(&tree->edges);
	free(tree->path);
	fingerprints_release(&tree->known);
	*tree = (struct calltree){ 0 };
}

// Sorting

struct ranked {
	uint32_t rank;
	uint32_t node;
	size_t order; ///< before it is sorted
};

struct children {
	struct ranked *items;
	size_t count;
	size_t cap;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *left = a;
	const struct ranked *right = b;

	if (left->rank != right->rank)
		return left->rank < right->rank ? -1 : 1;
	return (left->order > right->order) - (left->order < right->order);
}

static void list_children(const struct calltree *tree, uint32_t parent,
                          const uint32_t *ranks, bool by_node,
                          struct children *ret)
{
	const struct calltree_node *nodes = tree->nodes;

	ret->count = 0;
	for (uint32_t child = nodes[parent].first_child; child;
	     child = nodes[child].next_sibling) {
		MEM_GROW(ret->items, ret->count, ret->cap);
		ret->items[ret->count] = (struct ranked){
			.rank = ranks[by_node ? child : nodes[child].frame],
			.node = child,
			.order = ret->count,
		};
		ret->count++;
	}
}

static void link_children(struct calltree *tree, uint32_t parent,
                          const struct children *children)
{
	uint32_t next = CALLTREE_ROOT;

	for (size_t i = children->count; i--;) {
		tree->nodes[children->items[i].node].next_sibling = next;
		next = children->items[i].node;
	}
	tree->nodes[parent].first_child = next;
}

static void sort(struct calltree *tree, const uint32_t *ranks, bool by_node)
{
	struct children children = { 0 };

	// The first child may have changed.
	calltree_forget_edges(tree);
	for (uint32_t i = 0; i < tree->node_count; i++) {
		if (!calltree_branches(tree, i))
			continue;
		list_children(tree, i, ranks, by_node, &children);
		qsort(children.items, children.count, sizeof(*children.items),
		      compare_ranked);
		link_children(tree, i, &children);
	}
	free(children.items);
}

void calltree_sort(struct calltree *tree, const uint32_t *ranks)
{
	sort(tree, ranks, false);
}

void calltree_sort_nodes(struct calltree *tree, const uint32_t *ranks)
{
	sort(tree, ranks, true);
}

uint32_t calltree_heaviest(const struct calltree *tree, uint32_t parent)
{
	const struct calltree_node *nodes = tree->nodes;
	uint32_t best = nodes ? nodes[parent].first_child : CALLTREE_ROOT;

	for (uint32_t i = best; i; i = nodes[i].next_sibling)
		if (nodes[i].samples > nodes[best].samples)
			best = i;
	return best;
}

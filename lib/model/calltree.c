#include "lib/model/calltree.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <stdlib.h>
#include <string.h>

#define EDGES_LEAST 256
// Trees of more nodes remember whole stacks.
#define KNOWN_NODES 4096

/** From a node and a frame to the child: a hash table, open addressing. */
struct calltree_edge {
	uint64_t key;   ///< parent and frame
	uint32_t child; ///< CALLTREE_ROOT: free
};

static uint64_t edge_key(uint32_t parent, uint32_t frame)
{
	return (uint64_t)parent << 32 | frame;
}

/** The child's edge, or the free one where it belongs. */
static struct calltree_edge *find_edge(const struct calltree *tree,
                                       uint64_t key)
{
	// Frame numbers are chosen by the input's order, not its bytes; the
	// seed keeps even that from being aimed at one slot.
	uint64_t hash = (key ^ tree->seed) * UINT64_C(0x9e3779b97f4a7c15);
	uint32_t at = (uint32_t)(hash >> 32) & tree->edge_mask;

	for (;; at = (at + 1) & tree->edge_mask) {
		struct calltree_edge *edge = &tree->edges[at];

		if (edge->child == CALLTREE_ROOT || edge->key == key)
			return edge;
	}
}

static void grow_edges(struct calltree *tree)
{
	size_t count = tree->edges ? 2 * ((size_t)tree->edge_mask + 1)
	                           : EDGES_LEAST;

	if (!tree->edges)
		tree->seed = hash_seed();
	free(tree->edges);
	tree->edges = mem_zalloc(count, sizeof(*tree->edges));
	tree->edge_mask = (uint32_t)(count - 1);
	for (uint32_t i = 1; i < tree->node_count; i++) {
		uint64_t key =
		        edge_key(tree->nodes[i].parent, tree->nodes[i].frame);

		*find_edge(tree, key) =
		        (struct calltree_edge){ .key = key, .child = i };
	}
}

static uint32_t new_node(struct calltree *tree)
{
	size_t cap = tree->node_cap;

	tree->nodes = tree->node_count < cap
	                      ? tree->nodes
	                      : mem_grow(tree->nodes, &cap,
	                                 (size_t)tree->node_count + 1,
	                                 sizeof(*tree->nodes));
	tree->node_cap = (uint32_t)cap;
	tree->nodes[tree->node_count] = (struct calltree_node){ 0 };
	return tree->node_count++;
}

static uint32_t new_child(struct calltree *tree, uint32_t parent,
                          uint32_t frame)
{
	uint32_t child = new_node(tree);
	struct calltree_node *above = &tree->nodes[parent];

	tree->nodes[child].frame = frame;
	tree->nodes[child].parent = parent;
	tree->nodes[child].depth = above->depth + 1;
	if (above->last_child)
		tree->nodes[above->last_child].next_sibling = child;
	else
		above->first_child = child;
	above->last_child = child;
	return child;
}

static bool is_full(const struct calltree *tree)
{
	uint32_t limit = tree->node_limit ? tree->node_limit
	                                  : CALLTREE_NODES_MAX;

	return tree->node_count >= limit;
}

uint32_t calltree_child(struct calltree *tree, uint32_t parent, uint32_t frame)
{
	uint64_t key = edge_key(parent, frame);
	struct calltree_edge *edge;

	if (!tree->node_count)
		new_node(tree);
	// Half full at most.
	if (!tree->edges || tree->node_count > tree->edge_mask / 2)
		grow_edges(tree);
	edge = find_edge(tree, key);
	if (edge->child != CALLTREE_ROOT)
		return edge->child;
	if (is_full(tree)) {
		tree->full = true;
		return parent;
	}
	*edge = (struct calltree_edge){ .key = key, .child = tree->node_count };
	return new_child(tree, parent, frame);
}

/** Find or add a stack call by call. */
static uint32_t add_calls(struct calltree *tree, const uint32_t *frames,
                          size_t count)
{
	uint32_t node = CALLTREE_ROOT;
	size_t i = 0;

	if (count > tree->path_cap)
		tree->path = mem_grow(tree->path, &tree->path_cap, count,
		                      sizeof(*tree->path));
	// Samples that follow each other mostly begin alike.
	while (i < count && i < tree->path_count &&
	       tree->nodes[tree->path[i]].frame == frames[i])
		node = tree->path[i++];
	for (; i < count; i++) {
		uint32_t child = calltree_child(tree, node, frames[i]);

		// Full: what comes below must not be looked for up here.
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
	if (tree->node_count < KNOWN_NODES)
		return add_calls(tree, frames, count);
	// Each step through a tree larger than the caches waits for memory:
	// a stack that was seen before is found in one.
	print = fingerprint_of(&tree->known, frames, count * sizeof(*frames));
	known = fingerprints_find(&tree->known, &print, &is_new);
	if (is_new)
		*known = add_calls(tree, frames, count);
	return *known;
}

void calltree_sum(struct calltree *tree)
{
	struct calltree_node *nodes = tree->nodes;

	for (uint32_t i = 0; i < tree->node_count; i++) {
		nodes[i].samples = nodes[i].self_samples;
		nodes[i].cost_us = nodes[i].self_cost_us;
	}
	// Children stand behind their parents.
	for (uint32_t i = tree->node_count; i-- > 1;) {
		struct calltree_node *parent = &nodes[nodes[i].parent];

		parent->samples = number_sum(parent->samples, nodes[i].samples);
		parent->cost_us = number_sum(parent->cost_us, nodes[i].cost_us);
	}
}

void calltree_stack(const struct calltree *tree, uint32_t node,
                    uint32_t *frames)
{
	for (; node != CALLTREE_ROOT; node = tree->nodes[node].parent)
		frames[tree->nodes[node].depth - 1] = tree->nodes[node].frame;
}

void calltree_clear(struct calltree *tree)
{
	// A table that one large report left behind is not wiped for each of
	// a million small ones.
	if (tree->edges && tree->node_count > (tree->edge_mask + 1) / 16) {
		memset(tree->edges, 0,
		       ((size_t)tree->edge_mask + 1) * sizeof(*tree->edges));
	} else {
		for (uint32_t i = tree->node_count; i-- > 1;)
			find_edge(tree, edge_key(tree->nodes[i].parent,
			                         tree->nodes[i].frame))
			        ->child = CALLTREE_ROOT;
	}
	fingerprints_clear(&tree->known);
	tree->node_count = 0;
	tree->path_count = 0;
	tree->full = false;
	tree->frames = NULL;
	tree->frame_count = 0;
	tree->title = NULL;
	tree->by_cost = false;
	tree->before = NULL;
}

void calltree_release(struct calltree *tree)
{
	free(tree->nodes);
	free(tree->edges);
	free(tree->path);
	fingerprints_release(&tree->known);
	*tree = (struct calltree){ 0 };
}

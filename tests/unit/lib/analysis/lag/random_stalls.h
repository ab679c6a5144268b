// SPDX-License-Identifier: MIT
/**
 * Invented hangs for property tests, and a tree of them that is built and
 * summed up in the plainest way: nodes that hold lists of nodes.
 */
#ifndef APMTOOL_TESTS_UNIT_RANDOM_STALLS_H
#define APMTOOL_TESTS_UNIT_RANDOM_STALLS_H

#include "lib/base/mem.h"
#include "lib/model/calltree.h"

#include <stdint.h>
#include <stdlib.h>

/** A node of the plain tree; freed with plain_free(). */
struct plain {
	uint32_t frame;
	unsigned born; ///< place in the order of first appearance
	uint64_t self_samples;
	uint64_t self_cost_us;
	struct plain **children;
	size_t child_count;
};

static inline uint64_t random_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static inline uint64_t random_below(uint64_t *state, uint64_t limit)
{
	return random_next(state) % limit;
}

static inline struct plain *plain_new(uint32_t frame, unsigned born)
{
	struct plain *node = mem_zalloc(1, sizeof(*node));

	node->frame = frame;
	node->born = born;
	return node;
}

static inline void plain_free(struct plain *node)
{
	for (size_t i = 0; i < node->child_count; i++)
		plain_free(node->children[i]);
	free(node->children);
	free(node);
}

static inline struct plain *plain_child(struct plain *node, uint32_t frame,
                                        unsigned *births)
{
	for (size_t i = 0; i < node->child_count; i++)
		if (node->children[i]->frame == frame)
			return node->children[i];
	node->children = mem_realloc(node->children, node->child_count + 1,
	                             sizeof(struct plain *));
	node->children[node->child_count] = plain_new(frame, ++*births);
	return node->children[node->child_count++];
}

static inline uint64_t plain_cost(const struct plain *node)
{
	uint64_t sum = node->self_cost_us;

	for (size_t i = 0; i < node->child_count; i++)
		sum += plain_cost(node->children[i]);
	return sum;
}

static inline uint64_t plain_samples(const struct plain *node)
{
	uint64_t sum = node->self_samples;

	for (size_t i = 0; i < node->child_count; i++)
		sum += plain_samples(node->children[i]);
	return sum;
}

/** What a random hang is like. */
struct hang_shape {
	unsigned stacks;
	unsigned depth;
	unsigned frames; ///< different ones; few: stacks share much
	unsigned costs;  ///< different ones, of @p unit_us; few: many ties
	uint64_t unit_us;
};

/** Put the same samples into both trees. @p tree is summed up. */
static inline struct plain *random_hang(const struct hang_shape *shape,
                                        uint64_t *state, struct calltree *tree)
{
	struct plain *root = plain_new(0, 0);
	uint32_t *frames = mem_zalloc(shape->depth, sizeof(*frames));
	unsigned births = 0;

	for (unsigned i = 0; i < shape->stacks; i++) {
		size_t depth = 1 + random_below(state, shape->depth);
		uint64_t cost = random_below(state, shape->costs + 1) *
		                shape->unit_us;
		uint64_t samples = 1 + random_below(state, 2);
		struct plain *node = root;
		struct calltree_node *leaf;
		uint32_t end;

		for (size_t at = 0; at < depth; at++) {
			frames[at] =
			        (uint32_t)random_below(state, shape->frames);
			node = plain_child(node, frames[at], &births);
		}
		node->self_samples += samples;
		node->self_cost_us += cost;
		end = calltree_add(tree, frames, depth);
		leaf = &tree->nodes[end];
		leaf->self_samples += samples;
		leaf->self_cost_us += cost;
	}
	calltree_sum(tree);
	free(frames);
	return root;
}

#endif

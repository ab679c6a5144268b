// SPDX-License-Identifier: MIT
/**
 * In which order formatters walk a call tree, and the text of a stack while
 * they do.
 *
 * A walk never recurses: a tree may be thousands of levels deep. In the tree's
 * own order, calltree_next() needs no memory at all:
 *
 *     for (node = calltree_next(tree, CALLTREE_ROOT); node;
 *          node = calltree_next(tree, node))
 *
 * In any other, the children of a node are listed, sorted, and kept on a stack
 * of the formatter's own.
 */
#ifndef APMTOOL_LIB_MODEL_CALLTREE_WALK_H
#define APMTOOL_LIB_MODEL_CALLTREE_WALK_H

#include "lib/base/str.h"
#include "lib/model/calltree.h"

#include <stddef.h>
#include <stdint.h>

/** Shown for a frame without a name, as stackcollapse tools have it. */
#define CALLTREE_UNKNOWN "[unknown]"

/** What a node other than the root stands for. */
const struct calltree_frame *calltree_frame_of(const struct calltree *tree,
                                               uint32_t node);

/** All that a node weighs; nothing, of the root of an empty tree. */
struct calltree_weight calltree_weight_of(const struct calltree *tree,
                                          uint32_t node);

/** What a weight counts where costs are shown, or samples. */
static inline uint64_t calltree_value(const struct calltree *tree,
                                      const struct calltree_weight *weight)
{
	return tree->by_cost ? weight->cost_us : weight->samples;
}

/** The same of what ended there. */
static inline uint64_t calltree_self(const struct calltree *tree,
                                     const struct calltree_weight *weight)
{
	return tree->by_cost ? weight->self_cost_us : weight->self_samples;
}

/** What ended at a node, as calltree_self() of calltree_weight_of(). */
static inline uint64_t calltree_self_of(const struct calltree *tree,
                                        uint32_t node)
{
	return tree->by_cost ? tree->nodes[node].self_cost_us
	                     : tree->nodes[node].self_samples;
}

/** What its samples are: `sample`, `call`. */
static inline const char *calltree_noun(const struct calltree *tree)
{
	return tree->counts_calls ? "call" : "sample";
}

/** The name of a frame; CALLTREE_UNKNOWN where it has none. */
const char *calltree_name(const struct calltree_frame *frame);

/** The source file with its directory, where that is known; NULL: no file. */
const char *calltree_path(const struct calltree_frame *frame);

/** The node after @p node in pre-order; CALLTREE_ROOT after the last. */
uint32_t calltree_next(const struct calltree *tree, uint32_t node);

/**
 * Where each name is in byte order; equal names are at one place.
 *
 * @return By index into @p names; free with free().
 */
uint32_t *calltree_rank_names(const struct text *names, size_t count);

/** A node that waits for its turn. */
struct calltree_turn {
	uint64_t key;  ///< the least comes first
	uint32_t rank; ///< then the first in this order
	uint32_t node;
	size_t order; ///< then what was added first
};

struct calltree_turns {
	struct calltree_turn *turns;
	size_t count;
	size_t cap;
};

void calltree_turns_add(struct calltree_turns *turns, uint64_t key,
                        uint32_t rank, uint32_t node);
/** Sort from the turn @p start on, the first at the end: a stack to pop. */
void calltree_turns_sort(struct calltree_turns *turns, size_t start);
void calltree_turns_release(struct calltree_turns *turns);

/** The text of the stack that a walk has come to. */
struct stack_text {
	struct str text;
	size_t *ends; ///< where the text of each depth ends
	size_t cap;
};

/** Cut back to the caller of a frame at @p depth, from 1, and go on. */
void stack_text_enter(struct stack_text *stack, uint32_t depth, char separator,
                      struct text name);
void stack_text_release(struct stack_text *stack);

#endif

// SPDX-License-Identifier: MIT
/**
 * Iteration over a call tree for formatters, and the text of the current stack.
 *
 * Walks do not recurse, since a tree may be thousands of levels deep. In the
 * tree's own order, calltree_next() needs no memory:
 *
 *     for (node = calltree_next(tree, CALLTREE_ROOT); node;
 *          node = calltree_next(tree, node))
 *
 * In other orders, the children of a node are listed, sorted, and kept on an
 * explicit stack.
 */
#ifndef APMTOOL_LIB_MODEL_CALLTREE_WALK_H
#define APMTOOL_LIB_MODEL_CALLTREE_WALK_H

#include "lib/base/str.h"
#include "lib/model/calltree.h"

#include <stddef.h>
#include <stdint.h>

/** Name of a frame without one, as in stackcollapse tools. */
#define CALLTREE_UNKNOWN "[unknown]"

/** The frame of a node other than the root. */
const struct calltree_frame *calltree_frame_of(const struct calltree *tree,
                                               uint32_t node);

/** The weight of a node; zeros for the root of an empty tree. */
struct calltree_weight calltree_weight_of(const struct calltree *tree,
                                          uint32_t node);

/** The displayed value of a weight: cost or samples. */
static inline uint64_t calltree_value(const struct calltree *tree,
                                      const struct calltree_weight *weight)
{
	return tree->by_cost ? weight->cost_us : weight->samples;
}

/** As calltree_value(), for own weights. */
static inline uint64_t calltree_self(const struct calltree *tree,
                                     const struct calltree_weight *weight)
{
	return tree->by_cost ? weight->self_cost_us : weight->self_samples;
}

/** The displayed own value of a node. */
static inline uint64_t calltree_self_of(const struct calltree *tree,
                                        uint32_t node)
{
	return tree->by_cost ? tree->nodes[node].self_cost_us
	                     : tree->nodes[node].self_samples;
}

/** Name of its samples: `sample`, `call`. */
static inline const char *calltree_noun(const struct calltree *tree)
{
	return tree->counts_calls ? "call" : "sample";
}

/** The name of a frame; or CALLTREE_UNKNOWN. */
const char *calltree_name(const struct calltree_frame *frame);

/** The source file, with its directory if known; or NULL. */
const char *calltree_path(const struct calltree_frame *frame);

/** The next node in pre-order; CALLTREE_ROOT after the last. */
uint32_t calltree_next(const struct calltree *tree, uint32_t node);

/**
 * Ranks of names in byte order; equal names have equal ranks.
 *
 * @return By index into @p names; free it with free().
 */
uint32_t *calltree_rank_names(const struct text *names, size_t count);

/** A node that is waiting on the stack. */
struct calltree_turn {
	uint64_t key;  ///< lowest first
	uint32_t rank; ///< then by rank
	uint32_t node;
	size_t order; ///< then in order of addition
};

struct calltree_turns {
	struct calltree_turn *turns;
	size_t count;
	size_t cap;
};

void calltree_turns_add(struct calltree_turns *turns, uint64_t key,
                        uint32_t rank, uint32_t node);
/**
 * Sort the entries from @p start on, the next one last: pop them from the end.
 */
void calltree_turns_sort(struct calltree_turns *turns, size_t start);
void calltree_turns_release(struct calltree_turns *turns);

/** Text of the stack at the current node of a walk. */
struct stack_text {
	struct str text;
	size_t *ends; ///< by depth: end of its text
	size_t cap;
};

/**
 * Truncate to the caller of a frame at @p depth, from 1, and append the frame.
 */
void stack_text_enter(struct stack_text *stack, uint32_t depth, char separator,
                      struct text name);
void stack_text_release(struct stack_text *stack);

#endif

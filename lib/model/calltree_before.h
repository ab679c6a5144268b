// SPDX-License-Identifier: MIT
/**
 * Weights of a call tree in the older of two inputs.
 *
 * Both inputs go into one tree, the older first, so that nodes and names exist
 * once. Between them, the own weights of all nodes move here, and the tree's
 * restart at 0. Most nodes have none, so this is little. When the tree is
 * complete, calltree_before_sum() adds them up.
 *
 *     calltree_turn(&tree, &before);      // the older input has been added
 *     …                                   // now add the newer
 *     calltree_sum(&tree);
 *     calltree_before_sum(&before, &tree);
 *     weight = calltree_weight_before(&tree, node);
 */
#ifndef APMTOOL_LIB_MODEL_CALLTREE_BEFORE_H
#define APMTOOL_LIB_MODEL_CALLTREE_BEFORE_H

#include "lib/model/calltree.h"

#include <stddef.h>
#include <stdint.h>

/** Own weight of a node. */
struct calltree_ended {
	uint32_t node;
	uint64_t samples;
	uint64_t cost_us;
};

/** Values by node, in the narrowest type; neither: all are 0. */
struct calltree_column {
	uint32_t *narrow;
	uint64_t *wide;
};

/** All zeros: empty. */
struct calltree_before {
	struct calltree_ended *ended; ///< sorted by node after summing
	size_t ended_count;
	size_t ended_cap;
	struct calltree_column samples; ///< inclusive
	struct calltree_column cost_us;
	/**
	 * Cost of every sample, if they are equal: then there is no column. 0:
	 * there is.
	 */
	uint64_t us_each;
};

/**
 * Move the own weights of @p tree to @p before, and drop its data about
 * reports. The tree can grow further; @p before must outlive it.
 */
void calltree_turn(struct calltree *tree, struct calltree_before *before);

/** Renumber the nodes; several may become one. */
void calltree_before_renumber(struct calltree_before *before,
                              const uint32_t *node_of);

/** Add the weights of another tree, with its nodes renumbered. */
void calltree_before_join(struct calltree_before *before,
                          const struct calltree_before *other,
                          const uint32_t *node_of);

/** Add up towards the root of @p tree, which is complete. */
void calltree_before_sum(struct calltree_before *before,
                         const struct calltree *tree);

/** Weight of a node in the older input; zeros in a tree without comparison. */
struct calltree_weight calltree_weight_before(const struct calltree *tree,
                                              uint32_t node);

/** Drop all costs; call it before summing. */
void calltree_before_forget_costs(struct calltree_before *before);

void calltree_before_release(struct calltree_before *before);

#endif

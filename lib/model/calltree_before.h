// SPDX-License-Identifier: MIT
/**
 * What the nodes of a call tree weighed in the older of two inputs.
 *
 * Both inputs go into one tree, the older first: so nothing is there twice,
 * neither nodes nor names. Between them, what ended at the nodes so far moves
 * here, and they start again from nothing; most nodes only pass samples on, so
 * this is little. When the tree is complete, calltree_before_sum() adds it up.
 *
 *     calltree_turn(&tree, &before);      // the older input has been added
 *     …                                   // and now the newer
 *     calltree_sum(&tree);
 *     calltree_before_sum(&before, &tree);
 *     weight = calltree_weight_before(&tree, node);
 */
#ifndef APMTOOL_LIB_MODEL_CALLTREE_BEFORE_H
#define APMTOOL_LIB_MODEL_CALLTREE_BEFORE_H

#include "lib/model/calltree.h"

#include <stddef.h>
#include <stdint.h>

/** What ended at a node. */
struct calltree_ended {
	uint32_t node;
	uint64_t samples;
	uint64_t cost_us;
};

/** Numbers by node, as narrow as they can be; neither: all are 0. */
struct calltree_column {
	uint32_t *narrow;
	uint64_t *wide;
};

/** All zeros is nothing. */
struct calltree_before {
	struct calltree_ended *ended; ///< by node, once they are summed up
	size_t ended_count;
	size_t ended_cap;
	struct calltree_column samples; ///< with all below
	struct calltree_column cost_us;
	/** All samples cost the same, and there is no column; 0: there is. */
	uint64_t us_each;
};

/**
 * What ended at the nodes of @p tree becomes that of the older input, and so
 * does what is known of their reports: it is forgotten. The tree can go on to
 * grow; @p before outlives it.
 */
void calltree_turn(struct calltree *tree, struct calltree_before *before);

/** The nodes have other numbers now; several may have become one. */
void calltree_before_renumber(struct calltree_before *before,
                              const uint32_t *node_of);

/** Add that of another tree, whose nodes have these numbers here. */
void calltree_before_join(struct calltree_before *before,
                          const struct calltree_before *other,
                          const uint32_t *node_of);

/** Add up towards the root of @p tree, which is complete. */
void calltree_before_sum(struct calltree_before *before,
                         const struct calltree *tree);

/** What a node weighed; nothing, in a tree that is not compared. */
struct calltree_weight calltree_weight_before(const struct calltree *tree,
                                              uint32_t node);

/** Before it is summed up: what it cost is not known. */
void calltree_before_forget_costs(struct calltree_before *before);

void calltree_before_release(struct calltree_before *before);

#endif

// SPDX-License-Identifier: MIT
/**
 * The aggregation key: the call that identifies a hang (apmtool-formats(5)).
 *
 * From the virtual root, the walk steps into a child if
 *
 *     cost > parent's cost * 1.1 / n   and   cost > parent's cost * 20 %
 *
 * n is the number of siblings, the child included; for n = 1, the first clause
 * holds. The virtual root's cost is the sum of the roots. The walk ends at a
 * node without cost. Arithmetic is exact. Of several children, the costliest
 * wins, then the higher count, then the first in the file. The key is the
 * deepest app frame on the path, or else its deepest frame.
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_KEY_H
#define APMTOOL_LIB_ANALYSIS_LAG_KEY_H

#include "lib/model/calltree.h"

#include <stdbool.h>
#include <stdint.h>

/** Meaning of n. */
enum lag_siblings {
	LAG_SIBLINGS_PARENT, ///< the children of the same parent
	LAG_SIBLINGS_LEVEL,  ///< all nodes of the depth: the literal definition
};

/** The two clauses for one child. */
struct lag_step {
	uint32_t node;
	uint64_t parent_cost_us; ///< of roots: their sum
	uint64_t n;
	bool over_fair_share; ///< first clause, or n is 1
	bool over_fifth;      ///< second clause
	bool taken;           ///< the walk continues here
};
typedef void (*lag_step_visit)(const struct lag_step *step, void *context);

struct lag_key {
	uint32_t node;     ///< CALLTREE_ROOT: no node was taken
	uint32_t path_end; ///< deepest node of the walk
	bool is_app;
};

/**
 * Find the key. O(n).
 *
 * @param tree  Summed up, with `frames`; other frames are not app code.
 * @param visit  Called for each child considered, in the order of the file,
 *               level by level; or NULL.
 */
struct lag_key lag_key_find(const struct calltree *tree,
                            enum lag_siblings siblings, lag_step_visit visit,
                            void *context);

#endif

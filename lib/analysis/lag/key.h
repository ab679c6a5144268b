// SPDX-License-Identifier: MIT
/**
 * The aggregation key: which call a hang is filed under (formats.md 7.3).
 *
 * From the virtual root the walk steps into a child only where it took
 *
 *     cost > parent's cost * 1.1 / n   and   cost > parent's cost * 20 %
 *
 * n being the number of its siblings and itself; where n is 1, the first is
 * met. The virtual root's cost is the sum of the roots' costs; below a node
 * without cost, nothing is taken. Numbers are exact. Of several, the costliest
 * wins, then the higher count, then the first in the file. The key is the
 * deepest app frame of the walked path, or else its deepest frame.
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_KEY_H
#define APMTOOL_LIB_ANALYSIS_LAG_KEY_H

#include "lib/model/calltree.h"

#include <stdbool.h>
#include <stdint.h>

/** What n counts. */
enum lag_siblings {
	LAG_SIBLINGS_PARENT, ///< the children of the same parent
	LAG_SIBLINGS_LEVEL,  ///< all nodes of the depth: the text, literally
};

/** How one node stood up to the two clauses. */
struct lag_step {
	uint32_t node;
	uint64_t parent_cost_us; ///< of roots: what all of them took
	uint64_t n;
	bool over_fair_share; ///< the first clause, or n is 1
	bool over_fifth;      ///< the second clause
	bool taken;           ///< the walk went on here
};
typedef void (*lag_step_visit)(const struct lag_step *step, void *context);

struct lag_key {
	uint32_t node;     ///< CALLTREE_ROOT: the tree has no node to take
	uint32_t path_end; ///< deepest node of the walk
	bool is_app;
};

/**
 * O(n).
 *
 * @param tree   Summed up, its `frames` set; a frame beyond them is no app's.
 * @param visit  Is called for each child that the walk looked at, in order of
 *               the file, level by level; NULL: nobody asks.
 */
struct lag_key lag_key_find(const struct calltree *tree,
                            enum lag_siblings siblings, lag_step_visit visit,
                            void *context);

#endif

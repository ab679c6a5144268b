// SPDX-License-Identifier: MIT
/**
 * Recursion folded: a function that calls itself is one frame.
 */
#ifndef APMTOOL_LIB_MODEL_CALLTREE_RECURSION_H
#define APMTOOL_LIB_MODEL_CALLTREE_RECURSION_H

#include "lib/model/calltree.h"

/**
 * Replace a tree by one in which no function calls itself directly; what its
 * inner calls held and called is its own. Functions that call each other in
 * turn stay as they are. The tree is summed up again.
 */
void calltree_fold_recursion(struct calltree *tree);

#endif

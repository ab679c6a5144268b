// SPDX-License-Identifier: MIT
/** Folds recursion: a function that calls itself becomes one frame. */
#ifndef APMTOOL_LIB_MODEL_CALLTREE_RECURSION_H
#define APMTOOL_LIB_MODEL_CALLTREE_RECURSION_H

#include "lib/model/calltree.h"

/**
 * Replace a tree by one in which no function calls itself directly; samples and
 * callees of inner calls move to the outer call. Functions that call each other
 * in turn are kept. Sums up the tree again.
 */
void calltree_fold_recursion(struct calltree *tree);

#endif

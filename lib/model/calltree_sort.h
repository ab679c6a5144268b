/**
 * The children of a call tree in an order of the caller's.
 */
#ifndef APMTOOL_LIB_MODEL_CALLTREE_SORT_H
#define APMTOOL_LIB_MODEL_CALLTREE_SORT_H

#include "lib/model/calltree.h"

/**
 * Order the children of each node; nodes keep their numbers. O(n log n).
 *
 * @param ranks  By frame: the least comes first.
 */
void calltree_sort(struct calltree *tree, const uint32_t *ranks);

#endif

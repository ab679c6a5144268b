/**
 * Two call trees side by side: what a node weighs now, and what it weighed
 * before.
 */
#ifndef APMTOOL_LIB_MODEL_CALLTREE_COMPARE_H
#define APMTOOL_LIB_MODEL_CALLTREE_COMPARE_H

#include "lib/model/calltree.h"

/**
 * Add to @p now the nodes that only @p old has, without weight, and tell what
 * each node weighed there. Both trees use the same numbers of frames and are
 * summed up.
 *
 * @return By node of @p now; to be freed.
 */
struct calltree_weight *calltree_compare(struct calltree *now,
                                         const struct calltree *old);

#endif

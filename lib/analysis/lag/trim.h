// SPDX-License-Identifier: MIT
/**
 * Trims a call tree to a max number of nodes (apmtool-formats(5)).
 *
 * Nodes that cost less than 5 ms are removed with their subtrees, then those
 * below 10 ms, and so on up to 300 ms, until the limit is met. The result may
 * be empty, as nodes of equal cost are removed together.
 *
 * If too many are left at 300 ms, the first ones stay, sorted by cost, then
 * samples (both descending), then the order of the file. A caller costs and
 * counts at least as much as its callees, so it sorts first and no node loses
 * its caller.
 *
 * Samples of removed nodes end at the nearest remaining caller, or at the
 * virtual root, so the inclusive numbers of the other nodes do not change. O(n
 * log n).
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_TRIM_H
#define APMTOOL_LIB_ANALYSIS_LAG_TRIM_H

#include "lib/model/calltree.h"

#include <stddef.h>
#include <stdint.h>

/** Max depth of a trimmed tree (apmtool-formats(5)). */
#define LAG_TRIM_DEPTH 100

/**
 * @param tree  Summed up.
 * @param limit  Max nodes of the result, without the virtual root; 0: trim only
 *               the depth.
 * @param ret  An empty tree. Filled, summed up, with the members of @p tree for
 *             formatters except `before`, which counts by node. Children keep
 *             their order.
 * @return The threshold used, in ms; 0: none. At 300, there may have been more
 *         nodes than the limit.
 */
unsigned lag_trim(const struct calltree *tree, size_t limit,
                  struct calltree *ret);

#endif

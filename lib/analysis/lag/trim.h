// SPDX-License-Identifier: MIT
/**
 * Trimming a call tree to a number of nodes (formats.md 7.4).
 *
 * Nodes cheaper than 5 ms go, with all below them, then those cheaper than
 * 10 ms, and so on up to 300 ms, until few enough are left. That can be none:
 * nodes of one cost go together.
 *
 * If even 300 ms leave too many, the first of them are kept, in this order: by
 * cost, the greatest first; then by samples, the most first; then in the order
 * of the file. A caller comes before what it calls, for it costs and counts as
 * much at least, so no node is kept without its callers.
 *
 * What goes ends at the nearest caller that is kept, or at the virtual root:
 * the inclusive numbers of all that is kept are what they were. O(n log n).
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_TRIM_H
#define APMTOOL_LIB_ANALYSIS_LAG_TRIM_H

#include "lib/model/calltree.h"

#include <stddef.h>
#include <stdint.h>

/** Deepest node of a trimmed tree (formats.md 7.1). */
#define LAG_TRIM_DEPTH 100

/**
 * @param tree   Summed up.
 * @param limit  Most nodes of the result, the virtual root not counted; 0:
 *               nothing but the depth is trimmed.
 * @param ret    An empty tree; filled, summed up, with what @p tree has for
 *               formatters but `before`, which counts by node. Children keep
 *               their order.
 * @return The threshold that was reached, in ms; 0: none was needed. After
 *         300, there may have been too many all the same.
 */
unsigned lag_trim(const struct calltree *tree, size_t limit,
                  struct calltree *ret);

#endif

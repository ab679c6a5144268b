/**
 * Trimming a call tree to a number of nodes (formats.md 7.4).
 *
 * Nodes cheaper than 5 ms go, with all below them, then those cheaper than
 * 10 ms, and so on up to 300 ms, until few enough are left; then the costliest
 * are kept, with their callers. What a node took with it stays in its parent's
 * numbers: inclusive costs do not change.
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
 * @param ret    An empty tree; filled, summed up, with @p tree's `frames`.
 *               Children keep their order.
 * @return The threshold that was reached, in ms; 0: none was needed.
 */
unsigned lag_trim(const struct calltree *tree, size_t limit,
                  struct calltree *ret);

#endif

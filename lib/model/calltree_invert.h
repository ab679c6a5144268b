// SPDX-License-Identifier: MIT
/**
 * Inverts call trees: roots are innermost frames, children are callers.
 * MetricKit's crashes and Matrix' power reports have such trees; report.trees
 * have outermost frames as roots.
 */
#ifndef APMTOOL_LIB_MODEL_CALLTREE_INVERT_H
#define APMTOOL_LIB_MODEL_CALLTREE_INVERT_H

#include "lib/base/text.h"
#include "lib/model/calltree.h"

#include <stdbool.h>
#include <stdint.h>

/** Max work for one tree: frames on the paths to all leaves. */
#define CALLTREE_INVERT_STEPS_MAX 500000

/** Nodes with an equal identity have the same frame. */
struct calltree_identity {
	uint64_t address;
	struct text kind; ///< distinguishes frames of one address
};

/**
 * Invert a tree and merge equal callers. A node contributes its samples minus
 * those of its children; if those exceed them, nothing.
 *
 * @param tree        From calltree_append(), with samples.
 * @param identities  By node.
 * @param ret         Empty; gets frames and samples; add no more nodes
 *             afterwards. Merged nodes have the frame of the first.
 * @return false if the work would exceed CALLTREE_INVERT_STEPS_MAX.
 */
bool calltree_invert(const struct calltree *tree,
                     const struct calltree_identity *identities,
                     struct calltree *ret);

#endif

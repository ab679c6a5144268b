// SPDX-License-Identifier: MIT
/**
 * Call trees that are upside down: their roots are the innermost frames,
 * children are callers. MetricKit's crashes and Matrix' power reports are
 * written like that; report.trees have the outermost frames as roots.
 */
#ifndef APMTOOL_LIB_MODEL_CALLTREE_INVERT_H
#define APMTOOL_LIB_MODEL_CALLTREE_INVERT_H

#include "lib/base/text.h"
#include "lib/model/calltree.h"

#include <stdbool.h>
#include <stdint.h>

/** Most steps of turning one tree round: frames on the way to each leaf. */
#define CALLTREE_INVERT_STEPS_MAX 500000

/** What makes the frames of two nodes the same. */
struct calltree_identity {
	uint64_t address;
	struct text kind; ///< two frames of one address differ by it
};

/**
 * Turn a tree round, equal callers merged. A node passes on what it has more
 * than its children; those that exceed it leave it nothing.
 *
 * @param tree        As calltree_append() makes it; its samples are set.
 * @param identities  By node.
 * @param ret         Empty; gets frames and samples, and no more nodes after
 *                    that. Where several nodes are merged, the frame is that
 *                    of the first.
 * @return false if that would cost more than CALLTREE_INVERT_STEPS_MAX.
 */
bool calltree_invert(const struct calltree *tree,
                     const struct calltree_identity *identities,
                     struct calltree *ret);

#endif

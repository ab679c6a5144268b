// SPDX-License-Identifier: MIT
/**
 * Changes between two compared trees.
 *
 * Numbers of samples can be compared directly. For inputs of different length,
 * shares are compared: older values are scaled so that the code in both inputs
 * has equal weight. Code that is gone or new does not affect the scale.
 *
 *     scale = calltree_scale_of(tree, options->diff);
 *     change = calltree_change(&scale, value, value_before);
 */
#ifndef APMTOOL_LIB_MODEL_CALLTREE_CHANGE_H
#define APMTOOL_LIB_MODEL_CALLTREE_CHANGE_H

#include "lib/model/calltree.h"
#include "lib/model/format_options.h"

#include <stdint.h>

/** Totals of both sides; shares refer to the larger one. */
struct calltree_scale {
	enum diff_mode mode;
	uint64_t now;
	uint64_t before;
};

/** For a tree with or without an older one; without: all zeros. */
struct calltree_scale calltree_scale_of(const struct calltree *tree,
                                        enum diff_mode mode);

/**
 * The change of a value in thousandths of a percent of the larger input: -100 %
 * to 100 %.
 */
int64_t calltree_change(const struct calltree_scale *scale, uint64_t now,
                        uint64_t before);

#endif

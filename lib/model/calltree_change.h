// SPDX-License-Identifier: MIT
/**
 * How much the nodes of two trees that are compared have changed.
 *
 * Numbers of samples may be compared as they are. Where the two inputs are of
 * different length, shares are: the older numbers are scaled so that the code
 * which both have weighs the same. What is gone or new moves nothing else.
 *
 *     scale = calltree_scale_of(tree, options->diff);
 *     change = calltree_change(&scale, value, value_before);
 */
#ifndef APMTOOL_LIB_MODEL_CALLTREE_CHANGE_H
#define APMTOOL_LIB_MODEL_CALLTREE_CHANGE_H

#include "lib/model/calltree.h"
#include "lib/model/format_options.h"

#include <stdint.h>

/** What the values of each side are parts of: the larger of the two inputs. */
struct calltree_scale {
	enum diff_mode mode;
	uint64_t now;
	uint64_t before;
};

/** For a tree with an older one, or none: then all zeros. */
struct calltree_scale calltree_scale_of(const struct calltree *tree,
                                        enum diff_mode mode);

/**
 * The change of a value in thousandths of a percent of the larger input: from
 * -100 % to 100 %.
 */
int64_t calltree_change(const struct calltree_scale *scale, uint64_t now,
                        uint64_t before);

#endif

/**
 * Sampled trees that are upside down: their roots are the innermost frames,
 * children are callers. MetricKit's crashes and Matrix' power reports are
 * written like that; report.trees have the outermost frames as roots.
 */
#ifndef APMTOOL_LIB_MODEL_TREE_INVERT_H
#define APMTOOL_LIB_MODEL_TREE_INVERT_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Most steps of turning one tree round: frames on the way to each leaf. */
#define TREE_INVERT_STEPS_MAX 500000

#define TREE_INVERT_NO_NODE SIZE_MAX

/** A node as it is written, in pre-order. */
struct tree_invert_node {
	uint64_t address;
	struct text kind; ///< two frames of one address differ by it
	uint64_t samples; ///< with those of its children
	size_t parent;    ///< comes before it, or TREE_INVERT_NO_NODE
};

struct tree_invert_source {
	const struct tree_invert_node *nodes;
	size_t count;
};

/** A node of the tree that was turned round, in pre-order. */
struct tree_inverted {
	size_t node; ///< of the source, whose frame it is
	size_t depth;
	uint64_t samples;
	bool is_leaf;
};

/**
 * Turn a tree round, equal callers merged. A node passes on what it has more
 * than its children; those that exceed it leave it nothing.
 *
 * @param ret  Freed by the caller.
 * @return false if that would cost more than TREE_INVERT_STEPS_MAX.
 */
bool tree_invert(const struct tree_invert_source *source,
                 struct tree_inverted **ret, size_t *ret_count);

#endif

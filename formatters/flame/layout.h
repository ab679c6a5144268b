// SPDX-License-Identifier: MIT
/**
 * Layout of a call tree as a flame graph: which frames are drawn, where, and in
 * which color. A box's position is in units of weight, so that rounding does
 * not add up; writers convert to pixels.
 *
 * Siblings are sorted by name, not by time: the same code is at the same place
 * in two pictures. On request the heaviest comes first, or the tree's order is
 * kept. Frames that are too narrow to see are removed with all they call before
 * sorting, so the cost of a tree of a million nodes depends on the visible
 * ones. Their room is at the right, next to the caller's own weight.
 *
 *     SCOPED(flame_release) struct flame flame = { 0 };
 *
 *     flame_lay_out(&flame, tree, options);
 */
#ifndef APMTOOL_FORMATTERS_FLAME_LAYOUT_H
#define APMTOOL_FORMATTERS_FLAME_LAYOUT_H

#include "lib/base/out.h"
#include "lib/model/calltree_before.h"
#include "lib/model/calltree_change.h"
#include "lib/model/calltree_walk.h"
#include "lib/model/format_options.h"

#include <stdbool.h>

/** A drawn frame. */
struct flame_box {
	uint32_t node;
	uint32_t row;    ///< 0: the virtual root, with all samples
	uint64_t start;  ///< weight to the left of it
	uint64_t weight; ///< at least 1
};

/** All zeros: nothing to draw. */
struct flame {
	const struct calltree *tree;
	enum call_order order;
	struct calltree_scale scale; ///< scale of changes
	unsigned width;              ///< of the picture in px
	uint64_t min_hundredths;     ///< min width of a frame in px / 100
	struct flame_box *boxes;     ///< callers first, then by position
	size_t count;
	size_t cap;
	uint32_t rows;
	uint64_t total; ///< weight of the root; 0: no boxes
	size_t narrow;  ///< frames that are too narrow
	size_t gone;    ///< frames only in the older tree
};

void flame_lay_out(struct flame *flame, const struct calltree *tree,
                   const struct format_options *options);
void flame_release(struct flame *flame);

/** Order by name, then by image, NULL first. */
int flame_compare_frames(const struct calltree_frame *a,
                         const struct calltree_frame *b);

/** Weight of a node: cost or samples. */
static inline uint64_t flame_weight(const struct calltree *tree, uint32_t node)
{
	return tree->by_cost ? tree->nodes[node].cost_us
	                     : tree->nodes[node].samples;
}

/** Its weight in the older tree, which must exist. */
static inline uint64_t flame_before(const struct calltree *tree, uint32_t node)
{
	struct calltree_weight weight = calltree_weight_before(tree, node);

	return calltree_value(tree, &weight);
}

/** Is the node only in the older tree, which must exist? */
static inline bool flame_is_gone(const struct calltree *tree, uint32_t node)
{
	return !flame_weight(tree, node) && flame_before(tree, node);
}

/** For units_share(): hundredths of a percent. */
#define FLAME_PERCENT 10000

/** Shades of each hue, classes `a0` … and `s0` … of flame.css. */
#define FLAME_SHADES 6

/** Depends on the name only. */
unsigned flame_shade(const char *name);

/** Steps of change in each direction, classes `m1` … and `l1` …. */
#define FLAME_STEPS 5

/**
 * The step of a change.
 *
 * @return From -FLAME_STEPS (much less) to FLAME_STEPS (much more); 0 for less
 * than a tenth of a percent of the scale.
 */
int flame_change(const struct calltree_scale *scale, uint64_t now,
                 uint64_t before);

/** Change of the outermost step, in percent of the scale. */
#define FLAME_CHANGE_MOST 10

#endif

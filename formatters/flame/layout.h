// SPDX-License-Identifier: MIT
/**
 * A call tree laid out as a flame graph: which frames are drawn, where, and
 * in which color. What is measured in pixels is for the writer; here a box
 * is a part of the whole weight, so that no rounding adds up.
 *
 * Siblings are in the order of their names, not of time: the same code is
 * found at the same place in two pictures. Where it is asked for, the heaviest
 * comes first, or they keep the order of the tree. Those too narrow to be seen
 * are left out before anything is sorted, and with them all that they called,
 * so a tree of a million nodes costs little more than what is seen of it. The
 * room that they leave is at the right, where a frame's own weight shows.
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

/** A frame that is drawn. */
struct flame_box {
	uint32_t node;
	uint32_t row;    ///< 0: the virtual root, all samples
	uint64_t start;  ///< the weight that is left of it
	uint64_t weight; ///< at least 1
};

/** All zeros is nothing to draw. */
struct flame {
	const struct calltree *tree;
	enum call_order order;
	struct calltree_scale scale; ///< of what is compared
	unsigned width;              ///< of the picture in px
	uint64_t min_hundredths;     ///< least width of a frame in px / 100
	struct flame_box *boxes;     ///< callers first, then in their order
	size_t count;
	size_t cap;
	uint32_t rows;
	uint64_t total; ///< weight of all; 0: there are no boxes
	size_t narrow;  ///< frames that are not drawn
	size_t gone;    ///< frames that only the older tree has
};

void flame_lay_out(struct flame *flame, const struct calltree *tree,
                   const struct format_options *options);
void flame_release(struct flame *flame);

/** Order of the names, then of the images, NULL first. */
int flame_compare_frames(const struct calltree_frame *a,
                         const struct calltree_frame *b);

/** What counts of a node: its cost, or its samples. */
static inline uint64_t flame_weight(const struct calltree *tree, uint32_t node)
{
	return tree->by_cost ? tree->nodes[node].cost_us
	                     : tree->nodes[node].samples;
}

/** The same in the older tree; there must be one. */
static inline uint64_t flame_before(const struct calltree *tree, uint32_t node)
{
	struct calltree_weight weight = calltree_weight_before(tree, node);

	return calltree_value(tree, &weight);
}

/** Has only the older tree something there? There must be one. */
static inline bool flame_is_gone(const struct calltree *tree, uint32_t node)
{
	return !flame_weight(tree, node) && flame_before(tree, node);
}

/** For units_share(): hundredths of a percent. */
#define FLAME_PERCENT 10000

/** Shades of each hue, classes `a0` … and `s0` … of flame.css. */
#define FLAME_SHADES 6

/** Always the same for a name, on every machine. */
unsigned flame_shade(const char *name);

/** Steps of change in each direction, classes `m1` … and `l1` …. */
#define FLAME_STEPS 5

/**
 * How much a value has changed.
 *
 * @return -FLAME_STEPS (far less) to FLAME_STEPS (far more); 0 below a tenth
 *         of a percent of the scale.
 */
int flame_change(const struct calltree_scale *scale, uint64_t now,
                 uint64_t before);

/** The change in percent of the scale that the outermost step begins with. */
#define FLAME_CHANGE_MOST 10

#endif

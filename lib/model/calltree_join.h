/**
 * Two call trees become one: each call of the one is looked for in the other,
 * and added where it is not there yet. Several threads do it.
 *
 *     done = calltree_join(&total, &tree, &by_frame, node_of, jobs);
 */
#ifndef APMTOOL_LIB_MODEL_CALLTREE_JOIN_H
#define APMTOOL_LIB_MODEL_CALLTREE_JOIN_H

#include "lib/model/calltree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What the frames of one tree are in another; no two are the same. */
struct calltree_frames {
	const uint32_t *numbers; ///< by frame
	size_t most;             ///< all numbers are below
};

/**
 * Add the nodes of @p from to @p into, which has some, and the samples, costs
 * and reports of both. Children that are new follow the others, in their order.
 * Neither tree is in an arena, or knows from which devices its reports are.
 *
 * @param node_of  By node of @p from: gets its number in @p into. Has room for
 *                 all of them.
 * @return false: @p into has no room for all of them, or no node; it is as it
 *         was.
 */
bool calltree_join(struct calltree *into, const struct calltree *from,
                   const struct calltree_frames *frames, uint32_t *node_of,
                   unsigned jobs);

#endif

// SPDX-License-Identifier: MIT
/**
 * The stacks of groups as call trees, for outputs that draw them. What is kept
 * is bounded: of groups, of nodes, of names; the rest is not drawn.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_GROUP_STACKS_H
#define APMTOOL_LIB_ANALYSIS_CRASH_GROUP_STACKS_H

#include "lib/analysis/crash/signature/signature.h"
#include "lib/base/intern.h"
#include "lib/model/calltree.h"

/** Groups whose stacks are kept, and nodes of each and of all. */
#define CRASH_STACKS_GROUPS    2000
#define CRASH_STACKS_NODES     2000
#define CRASH_STACKS_ALL_NODES 500000
/** Different frames of all groups. */
#define CRASH_STACKS_FRAMES 200000
/** Rows of the table that show theirs. */
#define CRASH_STACKS_SHOWN 20

/** All zeros is none. */
struct crash_stacks {
	struct calltree *trees; ///< by group
	size_t count;
	size_t cap;
	struct intern identities; ///< of frames
	struct calltree_frame *frames;
	size_t frame_cap;
	struct arena arena; ///< names and titles
	uint64_t nodes;     ///< of all trees
};

/** Add the blamed stack of a report of this group. */
void crash_stacks_add(struct crash_stacks *stacks, uint32_t group,
                      const struct signature *signature);

/**
 * The stacks of a group, summed up, after all were added; NULL: there are none.
 *
 * @param reports  That the group counts, for the title.
 */
const struct calltree *crash_stacks_of(struct crash_stacks *stacks,
                                       uint32_t group, uint64_t reports);

void crash_stacks_release(struct crash_stacks *stacks);

#endif

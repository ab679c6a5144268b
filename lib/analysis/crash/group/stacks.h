// SPDX-License-Identifier: MIT
/**
 * Stacks of groups as call trees, for formats that draw them. The numbers of
 * groups, nodes and frames have limits; trees lack what exceeds them.
 */
#ifndef APMTOOL_LIB_ANALYSIS_CRASH_GROUP_STACKS_H
#define APMTOOL_LIB_ANALYSIS_CRASH_GROUP_STACKS_H

#include "lib/analysis/crash/signature/signature.h"
#include "lib/base/intern.h"
#include "lib/model/calltree.h"

/** Max groups with stacks, nodes of each, and nodes of all. */
#define CRASH_STACKS_GROUPS    2000
#define CRASH_STACKS_NODES     2000
#define CRASH_STACKS_ALL_NODES 500000
/** Max different frames of all groups. */
#define CRASH_STACKS_FRAMES 200000
/** Rows of the table with stacks. */
#define CRASH_STACKS_SHOWN 20

/** All zeros is empty. */
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

/** Add the stack of a report of this group. */
void crash_stacks_add(struct crash_stacks *stacks, uint32_t group,
                      const struct signature *signature);

/**
 * The call tree of a group, with sums; or NULL. Add the stacks of all reports
 * first.
 *
 * @param reports  Number of reports in the group, for the title.
 */
const struct calltree *crash_stacks_of(struct crash_stacks *stacks,
                                       uint32_t group, uint64_t reports);

void crash_stacks_release(struct crash_stacks *stacks);

#endif

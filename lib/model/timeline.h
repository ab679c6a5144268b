// SPDX-License-Identifier: MIT
/**
 * Samples in the order in which they were taken, as nodes of a call tree: a
 * track for each report, which begins at 0. Equal samples that follow each
 * other are one. It is kept only where an output shows time, and up to
 * TIMELINE_SAMPLES_MAX: of what is larger, nothing is kept.
 *
 *     struct timeline timeline = { 0 };
 *
 *     timeline_begin(&timeline, "stall-1", true);
 *     timeline_add(&timeline, node, 1, 50000);   // each sample
 *     samples = timeline_samples(&timeline, 0, &count);
 */
#ifndef APMTOOL_LIB_MODEL_TIMELINE_H
#define APMTOOL_LIB_MODEL_TIMELINE_H

#include "lib/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** 96 MB of them. */
#define TIMELINE_SAMPLES_MAX ((size_t)1 << 22)

struct calltree;

struct timeline_sample {
	uint32_t node;   ///< CALLTREE_ROOT: its stack was left out
	uint32_t weight; ///< samples
	uint64_t cost_us;
};

struct timeline_track {
	const char *name;
	/** Its samples came in the order in which they were taken. */
	bool is_ordered;
	size_t first; ///< of its samples
};

/** All zeros is empty. */
struct timeline {
	struct arena arena; ///< of names
	struct timeline_track *tracks;
	size_t track_count;
	size_t track_cap;
	struct timeline_sample *samples;
	size_t sample_count;
	size_t sample_cap;
	bool is_full; ///< there were too many: it is empty, and stays so
};

/** A new track; its name is copied. */
void timeline_begin(struct timeline *timeline, const char *name,
                    bool is_ordered);

/** Add to the last track. */
void timeline_add(struct timeline *timeline, uint32_t node, uint32_t weight,
                  uint64_t cost_us);

/** The samples of a track; borrowed until more are added. */
const struct timeline_sample *timeline_samples(const struct timeline *timeline,
                                               size_t track, size_t *ret_count);

/** How many tracks have an order, of those that have samples. */
size_t timeline_ordered(const struct timeline *timeline);

/** The nodes of the tree have other numbers now. */
void timeline_renumber(struct timeline *timeline, const uint32_t *node_of);

/**
 * Order the children of each node by when they were first met, in tracks that
 * have an order, one after the other. Those that were not come last, in the
 * order in which they are.
 */
void timeline_sort(const struct timeline *timeline, struct calltree *tree);

/** Of a tree that has no title. */
#define TIMELINE_UNTITLED "call tree"

/**
 * The timeline of a tree, or what replaces it where the order is unknown:
 * one track, with the title of the tree, of what ends at each node one after
 * the other, in the order of the tree. It holds all that the tree does, however
 * much that is.
 *
 * @param made  All zeros; the caller releases it.
 */
const struct timeline *timeline_of_tree(const struct calltree *tree,
                                        struct timeline *made);

void timeline_release(struct timeline *timeline);

#endif

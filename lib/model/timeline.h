// SPDX-License-Identifier: MIT
/**
 * Samples in chronological order, as nodes of a call tree: a track for each
 * report, which begins at 0. Equal consecutive samples are merged. Recorded
 * only if the output shows time, up to TIMELINE_SAMPLES_MAX samples; of more,
 * nothing is kept.
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

/** 96 MB. */
#define TIMELINE_SAMPLES_MAX ((size_t)1 << 22)

struct calltree;

struct timeline_sample {
	uint32_t node;   ///< CALLTREE_ROOT: its stack was removed
	uint32_t weight; ///< samples
	uint64_t cost_us;
};

struct timeline_track {
	const char *name;
	/** Its samples are in chronological order. */
	bool is_ordered;
	size_t first; ///< its first sample
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
	bool is_full; ///< there were too many samples: it stays empty
};

/** Begin a track; the name is copied. */
void timeline_begin(struct timeline *timeline, const char *name,
                    bool is_ordered);

/** Append samples to the last track. */
void timeline_add(struct timeline *timeline, uint32_t node, uint32_t weight,
                  uint64_t cost_us);

/** The samples of a track; borrowed until more are added. */
const struct timeline_sample *timeline_samples(const struct timeline *timeline,
                                               size_t track, size_t *ret_count);

/** Number of tracks with samples in a known order. */
size_t timeline_ordered(const struct timeline *timeline);

/** Renumber the nodes of the tree. */
void timeline_renumber(struct timeline *timeline, const uint32_t *node_of);

/**
 * Sort the children of each node by first appearance in the ordered tracks, one
 * after the other. Others come last, in their current order.
 */
void timeline_sort(const struct timeline *timeline, struct calltree *tree);

/** Name for a tree without title. */
#define TIMELINE_UNTITLED "call tree"

/**
 * The timeline of a tree, or a replacement if the order is unknown: one track
 * with the title of the tree, and the own samples of each node in the order of
 * the tree, of any number.
 *
 * @param made  All zeros; released by the caller.
 */
const struct timeline *timeline_of_tree(const struct calltree *tree,
                                        struct timeline *made);

void timeline_release(struct timeline *timeline);

#endif

// SPDX-License-Identifier: MIT
/**
 * A profile: weighted stacks that were sampled one after the other, in tables
 * where each thing is numbered once. It is what lag samples, sampled trees and
 * hangs become.
 *
 *     strings    symbols, names of images; shared by the profiles of a reader
 *     images     what was loaded, and where
 *     frames     places in code, by address (frames.h)
 *     stacks     a prefix tree of frames; what ends at a node is its weight
 *     functions  what frames stand for, across profiles (functions.h)
 *
 * A frame of the stacks is a number of one of two kinds: a bare symbol is its
 * number in the strings; anything that has an address is PROFILE_FRAME plus its
 * index in the frames. Addresses are those of the device: they mean nothing
 * outside of the profile before profile_place().
 *
 * Samples are folded as they come. Of their order, what the choice of the
 * heaviest stack needs is kept; so memory grows with the different stacks, not
 * with the samples. Only with `keeps_order`, they are listed as well, up to
 * PROFILE_ORDER_MAX.
 */
#ifndef APMTOOL_LIB_MODEL_PROFILE_PROFILE_H
#define APMTOOL_LIB_MODEL_PROFILE_PROFILE_H

#include "lib/base/intern.h"
#include "lib/model/calltree.h"
#include "lib/model/profile/frames.h"
#include "lib/model/profile/images.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A frame number from here on is an index into the frames. */
#define PROFILE_FRAME ((uint32_t)1 << 31)

/** The longest run of samples with the same innermost frame (Matrix). */
struct profile_run {
	uint32_t frame;
	uint32_t node; ///< where the newest sample of the run ended
	uint64_t samples;
};

/** Samples that followed each other and were equal. */
struct profile_sample {
	uint32_t node;
	uint32_t weight;
	uint32_t uncosted; ///< of the weight: profile_settle() sets their cost
	uint64_t cost_us;
};

/** Most that are kept in their order: 96 MB. */
#define PROFILE_ORDER_MAX ((size_t)1 << 22)

struct profile {
	struct intern *strings; ///< of the reader; outlives the profile
	struct profile_images images;
	struct profile_frames frames;
	struct calltree stacks;
	uint64_t sample_count; ///< all weights
	uint64_t cost_us;
	uint32_t sequence;           ///< samples added so far
	struct profile_run run;      ///< the one that is going on
	struct profile_run best_run; ///< the longest, the newest on a tie
	/** Its frames came with their images: they are not placed again. */
	bool is_placed;
	bool from_nodes; ///< read from a tree: nothing is known of the order
	/** Its samples are calls, each node with a cost of its own: they are
	 * not in proportion. */
	bool counts_calls;
	/** Read from sums, or of one moment: their order is not that of time.
	 */
	bool is_unordered;

	bool keeps_order; ///< wanted; stays when the profile is cleared
	/** As they came, one more than PROFILE_ORDER_MAX at most. */
	struct profile_sample *order;
	size_t order_count;
	size_t order_cap;
};

/** @p strings  Outlives the profile and may be shared. */
void profile_init(struct profile *profile, struct intern *strings);
/** Ready to be filled again; memory is kept. */
void profile_clear(struct profile *profile);
void profile_release(struct profile *profile);

/** The number of a frame that has an address; equal ones get the same. */
uint32_t profile_frame(struct profile *profile,
                       const struct profile_frame *frame);

/**
 * Add a stack, outermost frame first.
 *
 * @param weight   How many samples it stands for; 0: it is a call of a tree
 *                 that took time of its own, and no sample ended there.
 * @param cost_us  Of all of them.
 * @return The node where it ends; CALLTREE_ROOT if it is empty: then nothing
 *         is counted.
 */
uint32_t profile_add(struct profile *profile, const uint32_t *frames,
                     size_t count, uint64_t weight, uint64_t cost_us);

/**
 * Count samples that ended at @p node, which calltree_child() gave.
 *
 * @param weight  0: it took time of its own, and no sample ended there.
 */
void profile_count(struct profile *profile, uint32_t node, uint64_t weight,
                   uint64_t cost_us);

/** Of the sample that was added last, its reader does not know the cost. */
void profile_uncosted(struct profile *profile);

/**
 * Share @p total_us among all samples, in proportion to what they cost.
 */
void profile_set_cost(struct profile *profile, uint64_t total_us);

/** What its stacks cost is not known; in their order, parts still are. */
void profile_forget_cost(struct profile *profile);

/** Set the cost of those in the order that have none: @p each_us. */
void profile_settle(struct profile *profile, uint64_t each_us);

/**
 * Set the image of each frame (profile_images_place()). No frames are added
 * afterwards: they would not be known to be equal.
 */
void profile_place(struct profile *profile, enum pointer_signing signing);

#endif

// SPDX-License-Identifier: MIT
/**
 * A profile: weighted stacks in order of sampling, in tables without
 * duplicates. Lag samples, sampled trees and hangs are converted to profiles.
 *
 *     strings    symbols, names of images; shared by the profiles of a reader
 *     images     what was loaded, and where
 *     frames     places in code, by address (frames.h)
 *     stacks     a prefix tree of frames; a stack's weight is at its last node
 *     functions  identities of frames, across profiles (functions.h)
 *
 * A frame of the stacks is one of two kinds of numbers: a symbol without
 * address is its number in the strings; a frame with an address is
 * PROFILE_FRAME plus its index in the frames. Addresses are the device's: they
 * are meaningless outside of the profile before profile_place().
 *
 * Samples are folded as they arrive. Of their order, only what the choice of
 * the heaviest stack needs is kept, so memory grows with different stacks, not
 * with samples. With `keeps_order` samples are listed as well, up to
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

/** Frame numbers from here on are indexes into the frames. */
#define PROFILE_FRAME ((uint32_t)1 << 31)

/** The longest run of samples with the same innermost frame (as in Matrix). */
struct profile_run {
	uint32_t frame;
	uint32_t node; ///< last node of its newest sample
	uint64_t samples;
};

/** A run of equal samples. */
struct profile_sample {
	uint32_t node;
	uint32_t weight;
	/** part of the weight without a cost: set by profile_finish_costs() */
	uint32_t uncosted;
	uint64_t cost_us;
};

/** Max samples kept in order: 96 MB. */
#define PROFILE_ORDER_MAX ((size_t)1 << 22)

struct profile {
	struct intern *strings; ///< of the reader; must outlive the profile
	struct profile_images images;
	struct profile_frames frames;
	struct calltree stacks;
	uint64_t sample_count; ///< sum of weights
	uint64_t cost_us;
	uint32_t sequence;           ///< samples added so far
	struct profile_run run;      ///< the current run
	struct profile_run best_run; ///< the longest; of equal ones the newest
	/** Frames came with their images: do not place them again. */
	bool is_placed;
	bool from_nodes; ///< read from a tree: the order is unknown
	/** Its samples are calls, with independent costs. */
	bool counts_calls;
	/** Read from sums, or of one moment: not in chronological order. */
	bool is_unordered;

	bool keeps_order; ///< requested; kept when the profile is cleared
	/** In order, at most one more than PROFILE_ORDER_MAX. */
	struct profile_sample *order;
	size_t order_count;
	size_t order_cap;
};

/** @param strings  Must outlive the profile; may be shared. */
void profile_init(struct profile *profile, struct intern *strings);
/** Prepare for reuse; keeps memory. */
void profile_clear(struct profile *profile);
void profile_release(struct profile *profile);

/** The number of a frame with an address; equal frames have the same. */
uint32_t profile_frame(struct profile *profile,
                       const struct profile_frame *frame);

/**
 * Add a stack, outermost frame first.
 *
 * @param weight   Number of samples; 0: a call of a tree with time of its own,
 *                but no samples.
 * @param cost_us  Of all of them.
 * @return Its last node; CALLTREE_ROOT for an empty stack, which is not
 * counted.
 */
uint32_t profile_add(struct profile *profile, const uint32_t *frames,
                     size_t count, uint64_t weight, uint64_t cost_us);

/**
 * Count samples that ended at @p node, from calltree_child().
 *
 * @param weight  0: time of its own, but no samples.
 */
void profile_count(struct profile *profile, uint32_t node, uint64_t weight,
                   uint64_t cost_us);

/** Mark the cost of the last sample as unknown. */
void profile_uncosted(struct profile *profile);

/** Distribute @p total_us over all samples, in proportion to their costs. */
void profile_set_cost(struct profile *profile, uint64_t total_us);

/**
 * Mark the costs of all stacks as unknown; proportions in the sample order
 * stay.
 */
void profile_forget_cost(struct profile *profile);

/** Set the missing costs in the sample order to @p each_us. */
void profile_finish_costs(struct profile *profile, uint64_t each_us);

/**
 * Set the image of each frame (profile_images_place()). Add no frames
 * afterwards: they would not be recognized as equal.
 */
void profile_place(struct profile *profile, enum pointer_signing signing);

#endif

// SPDX-License-Identifier: MIT
/**
 * The frame table of a profile: places in code as the device said them, each
 * numbered once.
 */
#ifndef APMTOOL_LIB_MODEL_PROFILE_FRAMES_H
#define APMTOOL_LIB_MODEL_PROFILE_FRAMES_H

#include "lib/base/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** For profile_frame.placed: it lies in no image. */
#define PROFILE_NO_IMAGE UINT32_MAX

struct profile_frame {
	uint64_t address; ///< 0: not said; then symbol and image are
	uint32_t symbol;  ///< in the strings; INTERN_NONE: not said
	uint32_t image;   ///< in the strings, as the frame itself says;
	                  ///< INTERN_NONE
	/** Index of its image; PROFILE_NO_IMAGE. Set by profile_place(). */
	uint32_t placed;
	/** The address lies in that image; else, the frame only names it. */
	bool has_offset;
	bool is_pc; ///< a program counter, not a return address
};

/** All zeros is empty. */
struct profile_frames {
	struct profile_frame *items; ///< in the order of first appearance
	size_t count;
	size_t cap;
	struct map map;
};

/** The index of a frame; equal ones get the same. */
uint32_t profile_frames_add(struct profile_frames *frames,
                            const struct profile_frame *frame);

/** Forget all frames, keep memory. */
void profile_frames_clear(struct profile_frames *frames);
void profile_frames_release(struct profile_frames *frames);

#endif

// SPDX-License-Identifier: MIT
/**
 * The frame table of a profile: places in code as the device recorded them,
 * each once.
 */
#ifndef APMTOOL_LIB_MODEL_PROFILE_FRAMES_H
#define APMTOOL_LIB_MODEL_PROFILE_FRAMES_H

#include "lib/base/map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** For profile_frame.placed: not in an image. */
#define PROFILE_NO_IMAGE UINT32_MAX

struct profile_frame {
	uint64_t address; ///< 0: unknown; then symbol and image are set
	uint32_t symbol;  ///< in the strings; or INTERN_NONE
	/** in the strings, from the frame itself; or INTERN_NONE */
	uint32_t image;
	/** Index of its image; or PROFILE_NO_IMAGE. Set by profile_place(). */
	uint32_t placed;
	/** The address is in that image; else the frame only names it. */
	bool has_offset;
	bool is_pc; ///< a program counter, not a return address
};

/** All zeros is empty. */
struct profile_frames {
	struct profile_frame *items; ///< in order of first appearance
	size_t count;
	size_t cap;
	struct map map;
};

/** The index of a frame; equal frames have the same. */
uint32_t profile_frames_add(struct profile_frames *frames,
                            const struct profile_frame *frame);

/** Remove all frames; keeps memory. */
void profile_frames_clear(struct profile_frames *frames);
void profile_frames_release(struct profile_frames *frames);

#endif

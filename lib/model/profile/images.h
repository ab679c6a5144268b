// SPDX-License-Identifier: MIT
/**
 * The images of a profile, in the order in which its input lists them.
 */
#ifndef APMTOOL_LIB_MODEL_PROFILE_IMAGES_H
#define APMTOOL_LIB_MODEL_PROFILE_IMAGES_H

#include "lib/base/intern.h"
#include "lib/base/uuid.h"
#include "lib/darwin/pointer.h"
#include "lib/model/profile/frames.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile_image {
	uint64_t base;    ///< load address; 0: not known
	uint64_t size;    ///< bytes; 0: not known
	struct uuid uuid; ///< zero: not said
	const char *name; ///< base name of the path; never NULL
	const char *path; ///< NULL: only a name was given
	/** The app's own, as its reader found in a format without paths. */
	bool own;
};

/** All zeros is empty. */
struct profile_images {
	struct profile_image *items;
	size_t count;
	size_t cap;
};

/**
 * An image without a name at 0, to be filled; borrowed until the next one is
 * added.
 */
struct profile_image *profile_images_add(struct profile_images *images);

/**
 * Set the image of each frame (lib/model/image_map.h): the one that covers its
 * address, or else the one that the frame names, above whose base it lies, or
 * the lowest of that name. A signed address loses its signature where an image
 * is found. O(n log n).
 *
 * @param keep  Frames that have an image keep it.
 */
void profile_images_place(const struct profile_images *images,
                          const struct intern *strings,
                          enum pointer_signing signing, bool keep,
                          struct profile_frames *frames);

#endif

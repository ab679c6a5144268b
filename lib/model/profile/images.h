// SPDX-License-Identifier: MIT
/** The images of a profile, in the order of the input. */
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
	uint64_t base;    ///< load address; 0: unknown
	uint64_t size;    ///< bytes; 0: unknown
	struct uuid uuid; ///< or zero
	const char *name; ///< base name of the path; not NULL
	const char *path; ///< NULL: only the name is known
	/** App code according to the reader, in a format without paths. */
	bool own;
};

/** All zeros is empty. */
struct profile_images {
	struct profile_image *items;
	size_t count;
	size_t cap;
};

/** Append an image without a name at 0; borrowed until the next call. */
struct profile_image *profile_images_add(struct profile_images *images);

/**
 * Set the image of each frame (lib/model/image_map.h). It is the image that
 * covers the address. If there is none, it is an image with the name in the
 * frame: of several, the one that begins closest below the address, else the
 * lowest. Removes pointer signatures if an image is found. O(n log n).
 *
 * @param keep  Frames that have an image keep it.
 */
void profile_images_place(const struct profile_images *images,
                          const struct intern *strings,
                          enum pointer_signing signing, bool keep,
                          struct profile_frames *frames);

#endif

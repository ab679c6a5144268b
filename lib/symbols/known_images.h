// SPDX-License-Identifier: MIT
/**
 * The images that were asked for, with the files of each and the answers that
 * came of them. Both stay until they are too many: known_images_trim().
 */
#ifndef APMTOOL_LIB_SYMBOLS_KNOWN_IMAGES_H
#define APMTOOL_LIB_SYMBOLS_KNOWN_IMAGES_H

#include "lib/base/arena.h"
#include "lib/base/uuid.h"
#include "lib/symbols/answers.h"
#include "lib/symbols/call_names.h"
#include "lib/symbols/image_files.h"

#include <stdbool.h>
#include <stddef.h>

struct known_image {
	struct uuid uuid;
	/** Those of the index when it was first asked, or after a trim. */
	struct image_files files;
	size_t entry_count; ///< as many entries has the index of it
	size_t trims;       ///< of all images, when it was asked the last time
	bool has_all_files; ///< the catalog was asked for others
	struct symbol_answers answers;
};

/** All zeros is empty. */
struct known_images {
	struct known_image **images; ///< ascending by UUID
	size_t count;
	size_t cap;
	size_t trims;                 ///< how many there were
	struct arena arena;           ///< of the calls of all answers
	struct printed_names printed; ///< those in it
};

/** Closes all files. */
void known_images_release(struct known_images *images);

/**
 * The image of a UUID, which has @p entries if it is a new one. After a trim,
 * it begins anew where there are more than before: a file was added to a store.
 */
struct known_image *known_images_get(struct known_images *images,
                                     const struct uuid *uuid,
                                     const struct uuid_entry *entries,
                                     size_t count);

/** Close the files; they are opened again when they are asked. */
void known_image_close(struct known_image *image);

/** Forget answers where there are many, and close files likewise. */
void known_images_trim(struct known_images *images);

#endif

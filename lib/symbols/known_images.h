// SPDX-License-Identifier: MIT
/**
 * Images of all requests so far, with their files and answers, until
 * known_images_trim().
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
	/** From the index at the first request, or after a trim. */
	struct image_files files;
	size_t entry_count; ///< number of the index's entries
	size_t trims;       ///< known_images.trims at its last request
	bool has_all_files; ///< includes those of the catalog
	struct symbol_answers answers;
};

/** All zeros is empty. */
struct known_images {
	struct known_image **images; ///< ascending by UUID
	size_t count;
	size_t cap;
	size_t trims;                 ///< number of trims
	struct arena arena;           ///< of the calls of all answers
	struct printed_names printed; ///< names in the arena
};

/** Closes all files. */
void known_images_release(struct known_images *images);

/**
 * The image of a UUID; a new one has @p entries. After a trim, it starts again
 * if there are more entries: a file was added to a store.
 */
struct known_image *known_images_get(struct known_images *images,
                                     const struct uuid *uuid,
                                     const struct uuid_entry *entries,
                                     size_t count);

/** Close the files; they are opened again when needed. */
void known_image_close(struct known_image *image);

/** Free answers if there are many, and close files. */
void known_images_trim(struct known_images *images);

#endif

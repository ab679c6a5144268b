// SPDX-License-Identifier: MIT
/**
 * The one pass that names: whatever has an address in an image is gathered,
 * each image's symbol file is asked once, and the answers are handed back.
 * Frames of reports (symbolicate.h) and samples (lib/analysis/lag) go this way.
 *
 *     struct naming naming = { 0 };
 *
 *     naming_add(&naming, &place);                 // each of them
 *     naming_resolve(&naming, store, visit, context);
 *     naming_release(&naming);
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_NAMING_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_NAMING_H

#include "lib/base/uuid.h"
#include "lib/symbols/store.h"

#include <stddef.h>

/** An address in an image. Group and item are numbers of the caller's. */
struct naming_place {
	const struct uuid *uuid; ///< of the image; borrowed
	struct symbol_query query;
	size_t group;
	size_t item;
};

/** All zeros is empty. */
struct naming {
	struct naming_place *places;
	size_t count;
	size_t cap;
};

void naming_add(struct naming *naming, const struct naming_place *place);

/**
 * Gets a place, its answer, and what the store knows of the image, as far as it
 * concerns this place.
 */
typedef void (*naming_visit)(const struct naming_place *place,
                             const struct symbol_answer *answer,
                             const struct symbol_image *image, void *context);

/**
 * Look all places up. They are visited by UUID, then by group, offset and item.
 */
void naming_resolve(struct naming *naming, struct symbol_store *store,
                    naming_visit visit, void *context);

void naming_release(struct naming *naming);

#endif

// SPDX-License-Identifier: MIT
/**
 * The symbolication pass: collects addresses in images, looks each image up
 * once, and returns the results. Used for frames of reports (symbolicate.h) and
 * samples (lib/analysis/lag).
 *
 *     struct naming naming = { 0 };
 *
 *     naming_add(&naming, &place);                 // each address
 *     naming_resolve(&naming, store, visit, context);
 *     naming_release(&naming);
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_NAMING_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_NAMING_H

#include "lib/base/uuid.h"
#include "lib/symbols/store.h"

#include <stddef.h>

/** An address in an image; group and item are the caller's numbers. */
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

/** Receives a place, its result, and the state of its image's symbols. */
typedef void (*naming_visit)(const struct naming_place *place,
                             const struct symbol_answer *answer,
                             const struct symbol_image *image, void *context);

/**
 * Look up all places. They are visited by UUID, then by group, offset and item.
 */
void naming_resolve(struct naming *naming, struct symbol_store *store,
                    naming_visit visit, void *context);

void naming_release(struct naming *naming);

#endif

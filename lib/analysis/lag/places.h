// SPDX-License-Identifier: MIT
/**
 * Places of the frames of lag samples, and their functions.
 *
 * A place is an offset in an image. It is the same in all reports of a build,
 * so it is resolved once. Bare symbols have no place
 * (lib/analysis/lag/calls.h).
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_PLACES_H
#define APMTOOL_LIB_ANALYSIS_LAG_PLACES_H

#include "lib/analysis/lag/calls.h"
#include "lib/analysis/lag/images.h"
#include "lib/base/fingerprint.h"
#include "lib/base/intern.h"
#include "lib/base/map.h"
#include "lib/base/str.h"
#include "lib/model/profile/lag.h"
#include "lib/symbols/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lag_places {
	bool waits;           ///< some places need lag_places_name()
	struct intern *names; ///< of the reports' frames
	struct lag_build_images images;
	struct lag_call_table calls;
	struct map map;
	struct lag_place *places;
	uint32_t place_count;
	size_t place_cap;
	uint32_t named_count; ///< places below it are named
};

void lag_places_init(struct lag_places *places, struct intern *names,
                     struct profile_functions *functions);
void lag_places_release(struct lag_places *places);

/**
 * Forget all places and calls, so that names and functions can be forgotten.
 *
 * @return false: not done, because places in images would be looked up again.
 */
bool lag_places_forget(struct lag_places *places);

/**
 * Set the place of each frame with an address.
 *
 * @param report  Its frames have their images.
 * @param ret  One per frame.
 */
void lag_places_add(struct lag_places *places, const struct lag_report *report,
                    uint32_t *ret);

/** Functions at a named place. */
struct lag_calls lag_places_calls(const struct lag_places *places,
                                  uint32_t place);

/** The kind of a frame in no image: app if the input names no image at all. */
enum calltree_kind lag_places_bare_kind(const struct lag_report *report);

/** Name all new places; each image is looked up once. */
void lag_places_name(struct lag_places *places, struct symbol_store *store);

/** Append an identity of the place that is equal in all builders. */
void lag_places_identify(const struct lag_places *places, uint32_t place,
                         struct str *out);

/** Places of an image without file and line. */
struct lag_lineless {
	bool any;
	uint64_t new; ///< not counted before
};

/**
 * Count the places of each image without file and line.
 *
 * @param seen  Places already counted for other lag_places.
 * @return By image; to be freed.
 */
struct lag_lineless *lag_places_lineless(const struct lag_places *places,
                                         struct fingerprints *seen);

#endif

// SPDX-License-Identifier: MIT
/** Images of lag reports. Each build of an image has one number. */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_IMAGES_H
#define APMTOOL_LIB_ANALYSIS_LAG_IMAGES_H

#include "lib/base/arena.h"
#include "lib/base/intern.h"
#include "lib/config/config.h"
#include "lib/model/profile/lag.h"
#include "lib/symbols/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lag_build_image {
	const char *name;
	const char *path; ///< or NULL
	struct uuid uuid; ///< zero: unknown
	enum calltree_kind kind;

	// For the list of missing symbols:
	const char *arch;      ///< or NULL
	const char *os;        ///< NULL: unknown, or several
	const char *input;     ///< NULL: several
	uint64_t report_count; ///< with frames in it
	bool is_asked;         ///< it was looked up in the store
	struct symbol_image found;
};

struct lag_build_images {
	const struct config *config; ///< in-app rules; or NULL
	bool has_paths;              ///< rules match paths
	struct arena arena;
	struct intern ids; ///< identity of each image, by number
	struct lag_build_image *items;
	size_t cap;
};

void lag_build_images_release(struct lag_build_images *images);

/**
 * The number of a report's image. Images with different names have different
 * numbers. Paths count only if a rule matches paths, because each installation
 * of an app has its own path.
 */
uint32_t lag_build_images_add(struct lag_build_images *images,
                              const struct lag_report *report,
                              const struct profile_image *image);

/** Set the store's answer for an image; the first one stays. */
void lag_build_images_found(struct lag_build_images *images, uint32_t number,
                            const struct symbol_image *found);

#endif

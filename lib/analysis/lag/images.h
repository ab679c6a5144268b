// SPDX-License-Identifier: MIT
/**
 * Images as all lag reports of a build see them, each numbered once.
 */
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
	const char *path; ///< NULL: not known
	struct uuid uuid; ///< zero: not known
	enum calltree_kind kind;

	// For the list of what is missing:
	const char *arch;      ///< NULL: not said
	const char *os;        ///< NULL: not said, or not by all alike
	const char *input;     ///< NULL: of several
	uint64_t report_count; ///< that have frames in it
	bool is_asked;         ///< the store was asked for it
	struct symbol_image found;
};

struct lag_build_images {
	const struct config *config; ///< in-app rules; NULL: none
	bool has_paths;              ///< rules ask for paths
	struct arena arena;
	struct intern ids; ///< by number: what makes two images the same
	struct lag_build_image *items;
	size_t cap;
};

void lag_build_images_release(struct lag_build_images *images);

/**
 * The number of an image of a report: one for each name of it that rules may
 * ask for. Each installation of an app has its own path, so that counts only
 * where a rule asks for paths.
 */
uint32_t lag_build_images_add(struct lag_build_images *images,
                              const struct lag_report *report,
                              const struct profile_image *image);

/** Keep what the store found for an image; the first answer counts. */
void lag_build_images_found(struct lag_build_images *images, uint32_t number,
                            const struct symbol_image *found);

#endif

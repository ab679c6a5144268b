// SPDX-License-Identifier: MIT
/**
 * Places of the frames of lag samples, and their functions.
 *
 * A site is an offset in an image. It is the same in all reports of a build, so
 * it is resolved once. Bare symbols have no site (lib/analysis/lag/calls.h).
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_SITES_H
#define APMTOOL_LIB_ANALYSIS_LAG_SITES_H

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

struct lag_sites {
	bool waits;           ///< some sites need lag_sites_name()
	struct intern *names; ///< of the reports' frames
	struct lag_build_images images;
	struct lag_call_table calls;
	struct map map;
	struct lag_site *sites;
	uint32_t site_count;
	size_t site_cap;
	uint32_t named_count; ///< sites below it are named
};

void lag_sites_init(struct lag_sites *sites, struct intern *names,
                    struct profile_functions *functions);
void lag_sites_release(struct lag_sites *sites);

/**
 * Forget all sites and calls, so that names and functions can be forgotten.
 *
 * @return false: not done, because sites in images would be looked up again.
 */
bool lag_sites_forget(struct lag_sites *sites);

/**
 * Set the site of each frame with an address.
 *
 * @param report  Its frames have their images.
 * @param ret  One per frame.
 */
void lag_sites_add(struct lag_sites *sites, const struct lag_report *report,
                   uint32_t *ret);

/** Functions at a named site. */
struct lag_calls lag_sites_calls(const struct lag_sites *sites, uint32_t site);

/** The kind of a frame in no image: app if the input names no image at all. */
enum calltree_kind lag_sites_bare_kind(const struct lag_report *report);

/** Name all new sites; each image is looked up once. */
void lag_sites_name(struct lag_sites *sites, struct symbol_store *store);

/** Append an identity of the site that is equal in all builders. */
void lag_sites_identify(const struct lag_sites *sites, uint32_t site,
                        struct str *out);

/** Places of an image without file and line. */
struct lag_lineless {
	bool any;
	uint64_t new; ///< not counted before
};

/**
 * Count the places of each image without file and line.
 *
 * @param seen  Places already counted for other lag_sites.
 * @return By image; to be freed.
 */
struct lag_lineless *lag_sites_lineless(const struct lag_sites *sites,
                                        struct fingerprints *seen);

#endif

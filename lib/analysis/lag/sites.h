// SPDX-License-Identifier: MIT
/**
 * Where the frames of lag samples lie, and which functions are there.
 *
 * A site is a place in an image: the same for all reports of a build, so what
 * is known of it is found out once. A bare symbol has no site; it is a function
 * as it is (lib/analysis/lag/calls.h).
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
	bool waits;           ///< for lag_sites_name()
	struct intern *names; ///< of the reports' frames
	struct lag_build_images images;
	struct lag_call_table calls;
	struct map map;
	struct lag_site *sites;
	uint32_t site_count;
	size_t site_cap;
	uint32_t named_count; ///< sites below it have their calls
};

void lag_sites_init(struct lag_sites *sites, struct intern *names,
                    struct profile_functions *functions);
void lag_sites_release(struct lag_sites *sites);

/**
 * Forget all sites and calls, and then their names and functions may be
 * forgotten, too.
 *
 * @return false: nothing was done, for some sites lie in images, whose symbols
 *         would be looked up once more.
 */
bool lag_sites_forget(struct lag_sites *sites);

/**
 * The site of each frame of a report that has an address.
 *
 * @param report    Placed.
 * @param ret       As many as its frames.
 */
void lag_sites_add(struct lag_sites *sites, const struct lag_report *report,
                   uint32_t *ret);

/** What is at a site, once it is named. */
struct lag_calls lag_sites_calls(const struct lag_sites *sites, uint32_t site);

/**
 * Whose code a frame is that lies in no image: the app's, where the input
 * names no image at all.
 */
enum calltree_kind lag_sites_bare_kind(const struct lag_report *report);

/** Name the sites that wait; each image is asked once. */
void lag_sites_name(struct lag_sites *sites, struct symbol_store *store);

/** Append what makes two sites the same, whoever numbered them. */
void lag_sites_identify(const struct lag_sites *sites, uint32_t site,
                        struct str *out);

/** Places in an image that have no file and line. */
struct lag_lineless {
	bool any;
	uint64_t new; ///< that were not counted before
};

/**
 * How many places in each image have no file and line.
 *
 * @param seen  Places of other sites that were counted before: not again.
 * @return By image; to be freed.
 */
struct lag_lineless *lag_sites_lineless(const struct lag_sites *sites,
                                        struct fingerprints *seen);

#endif

/**
 * Where the frames of lag samples lie, and which functions are there.
 *
 * A site is a place in an image: the same for all reports of a build, so what
 * is known of it is found out once. A bare symbol has no site; it is a function
 * as it stands. The user's rules are asked here, once for each function.
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_SITES_H
#define APMTOOL_LIB_ANALYSIS_LAG_SITES_H

#include "lib/analysis/lag/functions.h"
#include "lib/base/arena.h"
#include "lib/base/intern.h"
#include "lib/base/str.h"
#include "lib/config/config.h"
#include "lib/config/lag_rules.h"
#include "lib/model/lag.h"
#include "lib/symbols/symbol_store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A function at a frame. */
struct lag_call {
	uint32_t function;
	bool cut; ///< what it calls is left out
};

/** Functions of a frame, outermost first; none: it is left out. */
struct lag_calls {
	const struct lag_call *items;
	size_t count;
};

struct lag_sites {
	const struct config *config;   ///< NULL: none
	const struct lag_rules *rules; ///< NULL: none
	bool waits;                    ///< for lag_sites_name()

	struct intern *names; ///< of the reports' frames
	struct lag_functions *functions;
	struct arena arena;
	struct intern image_ids;
	struct lag_site_image *images;
	size_t image_cap;
	struct intern site_ids;
	struct lag_site *sites;
	size_t site_cap;
	uint32_t named_count; ///< sites below it have their calls
	struct lag_call *calls;
	size_t call_count;
	size_t call_cap;
	/** By name, of bare symbols: of the app, and of the system. */
	struct lag_bare *bare[2];
	size_t bare_cap[2];
	/** The first rule that was too costly to decide; NULL: none was. */
	const struct lag_rule *undecided;
	size_t rule_budget; ///< for lag_rules_find()
};

void lag_sites_init(struct lag_sites *sites, struct intern *names,
                    struct lag_functions *functions);
void lag_sites_release(struct lag_sites *sites);

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

/** What a bare symbol stands for. */
struct lag_calls lag_sites_bare(struct lag_sites *sites, uint32_t name,
                                enum calltree_kind kind);

/** Name what waits in any of @p all, each image being asked once. */
void lag_sites_name(struct lag_sites *const *all, size_t count,
                    struct symbol_store *store);

/** Append what makes two sites the same, whoever numbered them. */
void lag_sites_identify(const struct lag_sites *sites, uint32_t site,
                        struct str *out);

#endif

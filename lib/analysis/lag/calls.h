// SPDX-License-Identifier: MIT
/**
 * The functions at a frame of lag samples, as the user's rules leave them: what
 * is to be left out is no call, and below some calls the tree ends. The rules
 * are asked here, once for each function.
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_CALLS_H
#define APMTOOL_LIB_ANALYSIS_LAG_CALLS_H

#include "lib/base/arena.h"
#include "lib/base/intern.h"
#include "lib/config/lag_rules.h"
#include "lib/model/profile/functions.h"
#include "lib/symbols/demangle/demangle.h"

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

struct lag_call_table {
	const struct lag_rules *rules; ///< the user's; NULL: none
	/** For frames that lie in no image; NULL: none. */
	const struct lag_rules *known;
	struct intern *names; ///< of the reports' frames
	struct profile_functions *functions;
	struct arena arena;
	struct lag_call *items;
	size_t count;
	size_t cap;
	/** By name, of bare symbols: of the app, and of the system. */
	struct lag_bare *bare[2];
	size_t bare_cap[2];
	/** The first rule that was too costly to decide; NULL: none was. */
	const struct lag_rule *undecided;
	size_t rule_budget; ///< for lag_rules_find()
	size_t known_budget;
	enum demangle_form form; ///< of what is printed; rules see the short
};

void lag_call_table_init(struct lag_call_table *table, struct intern *names,
                         struct profile_functions *functions);
void lag_call_table_release(struct lag_call_table *table);

/** Forget all calls; what rules have cost so far still counts. */
void lag_call_table_forget(struct lag_call_table *table);

/**
 * Add a call after those that are there, unless the rules leave it out.
 *
 * @param mangled  What its symbol was printed from; NULL: not known.
 * @param path     Of its image; NULL: not known.
 */
void lag_call_add(struct lag_call_table *table, struct profile_place *place,
                  const char *mangled, const char *path);

/** What a bare symbol stands for. */
struct lag_calls lag_call_bare(struct lag_call_table *table, uint32_t name,
                               enum calltree_kind kind);

/** Mangled names in the short form; other names as they are. */
const char *lag_call_readable(struct lag_call_table *table, const char *symbol);

#endif

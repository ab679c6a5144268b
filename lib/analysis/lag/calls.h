// SPDX-License-Identifier: MIT
/**
 * Functions at a frame of lag samples, filtered by the user's rules. A rule
 * drops a function, or cuts the tree below it. Rules are applied once per
 * function.
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
	bool cut; ///< drop its callees
};

/** Functions of a frame, outermost first; empty: the frame is dropped. */
struct lag_calls {
	const struct lag_call *items;
	size_t count;
};

struct lag_call_table {
	const struct lag_rules *rules; ///< the user's; or NULL
	/** Rules for frames in no image; or NULL. */
	const struct lag_rules *known;
	struct intern *names; ///< of the reports' frames
	struct profile_functions *functions;
	struct arena arena;
	struct lag_call *items;
	size_t count;
	size_t cap;
	/** Bare symbols by name: of the app, and of the system. */
	struct lag_bare *bare[2];
	size_t bare_cap[2];
	/** The first rule that exceeded its budget; or NULL. */
	const struct lag_rule *undecided;
	size_t rule_budget; ///< for lag_rules_find()
	size_t known_budget;
	enum demangle_form
	        form; ///< of printed names; rules match the short form
};

void lag_call_table_init(struct lag_call_table *table, struct intern *names,
                         struct profile_functions *functions);
void lag_call_table_release(struct lag_call_table *table);

/** Forget all calls, but not the cost of rules so far. */
void lag_call_table_forget(struct lag_call_table *table);

/**
 * Append a call, unless a rule drops it.
 *
 * @param mangled  Symbol that the name was printed from; or NULL.
 * @param path  Of its image; or NULL.
 */
void lag_call_add(struct lag_call_table *table, struct profile_place *place,
                  const char *mangled, const char *path);

/** Functions of a bare symbol. */
struct lag_calls lag_call_bare(struct lag_call_table *table, uint32_t name,
                               enum calltree_kind kind);

/** The short form of a mangled name; other names unchanged. */
const char *lag_call_readable(struct lag_call_table *table, const char *symbol);

#endif

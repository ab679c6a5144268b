// SPDX-License-Identifier: MIT
/**
 * A table of demangled names, so that each name is demangled once.
 *
 *     struct known_names names = { 0 };
 *     struct known_name *known = known_names_add(&names, mangled, arena);
 *
 *     if (!known->name)
 *             known->name = demangle(text_from(known->mangled), true, arena);
 *
 * The key is the mangled name: use a table per source and form.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_KNOWN_NAMES_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_KNOWN_NAMES_H

#include "lib/base/arena.h"
#include "lib/base/map.h"
#include "lib/base/text.h"
#include "lib/symbols/demangle/demangle.h"

#include <stddef.h>

struct known_name {
	const char *mangled; ///< in full
	const char *name;    ///< NULL: new, to be set by the caller
	const char *shown_mangled;
};

/** All zeros is empty. */
struct known_names {
	struct known_name *items;
	size_t count;
	size_t cap;
	struct map map; ///< indexes into items
};

/**
 * The entry of @p mangled; added if new.
 *
 * @param arena  For copies of new names; the same one in all calls, which
 *               outlives the table.
 * @return Borrowed until the next call.
 */
struct known_name *known_names_add(struct known_names *names,
                                   struct text mangled, struct arena *arena);

void known_names_release(struct known_names *names);

#endif

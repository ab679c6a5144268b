// SPDX-License-Identifier: MIT
/**
 * Mangled names that were printed before: a name is demangled once, however
 * many places it is found at.
 *
 *     struct known_names names = { 0 };
 *     struct known_name *known = known_names_add(&names, mangled, arena);
 *
 *     if (!known->name)
 *             known->name = demangle(text_from(known->mangled), true, arena);
 *
 * A table is for one source and one printed form: the name alone is the key.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_KNOWN_NAMES_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_KNOWN_NAMES_H

#include "lib/base/arena.h"
#include "lib/base/map.h"
#include "lib/base/text.h"
#include "lib/symbols/demangle/demangle.h"

#include <stddef.h>

struct known_name {
	const char *mangled; ///< whole
	const char *name;    ///< NULL: new, the caller fills it in
	const char *shown_mangled;
};

/** All zeros is empty. */
struct known_names {
	struct known_name *items;
	size_t count;
	size_t cap;
	struct map map; ///< indexes of items
};

/**
 * The entry of @p mangled, a new one where there is none.
 *
 * @param arena  Keeps a copy of a name that is new; one for all calls, which
 *               outlives the table.
 * @return Borrowed until the next call.
 */
struct known_name *known_names_add(struct known_names *names,
                                   struct text mangled, struct arena *arena);

void known_names_release(struct known_names *names);

#endif

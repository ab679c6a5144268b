// SPDX-License-Identifier: MIT
/**
 * Demangles C++, Swift and Rust.
 *
 * Each language has its own file; work and output are bounded. A name that is
 * not understood is returned unchanged, never in part.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_DEMANGLE_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_DEMANGLE_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/symbols/demangle/parts.h"

#include <stdbool.h>

enum demangle_form {
	DEMANGLE_SHORT, ///< as in Apple's crash reports and atos
	DEMANGLE_FULL,  ///< with modules and types
	DEMANGLE_NONE,  ///< mangled
};

/**
 * Demangle a linkage name to the short form.
 *
 * @param from_symtab  The name is from a symbol table, where C names have a
 *                     leading `_`, which is removed.
 * @return In the arena; a copy of the name if it is not mangled or exceeds a
 *         limit.
 */
const char *demangle(struct text name, bool from_symtab, struct arena *arena);

/** As demangle(), in any form. */
const char *demangle_as(struct text name, enum demangle_form form,
                        bool from_symtab, struct arena *arena);

/** Choices of a `--demangle` option, in the order of enum demangle_form. */
#define DEMANGLE_FORMS "short|full|none"

/** As demangle_as(), for a name of unknown origin. */
const char *demangle_printed(struct text name, enum demangle_form form,
                             struct arena *arena);

/**
 * Convert a name in the short form to @p form.
 *
 * @param mangled  Its mangled name; or NULL.
 * @return @p name itself if there is no other form.
 */
const char *demangle_again(const char *name, const char *mangled,
                           enum demangle_form form, struct arena *arena);

/** A mangled name and its parts. */
struct demangled {
	const char *mangled;
	const char *name;     ///< demangled
	const char *language; ///< `C++`, `Swift`, `Rust`; NULL: not mangled
	struct name_parts parts;
};

/** As demangle_printed(), with the parts of the name. */
struct demangled demangle_whole(struct text name, enum demangle_form form,
                                struct arena *arena);

/** Does it begin as a mangled name of some language does? */
bool demangle_knows(struct text name);

#endif

// SPDX-License-Identifier: MIT
/**
 * Names as people wrote them: C++, Swift and Rust.
 *
 * Each language has a file of its own; all are bounded in work and output. A
 * name that is not understood is returned as it is, never half of it.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_DEMANGLE_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_DEMANGLE_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/symbols/demangle/parts.h"

#include <stdbool.h>

enum demangle_form {
	DEMANGLE_SHORT, ///< as Apple's crash reports and atos print names
	DEMANGLE_FULL,  ///< with modules and types
	DEMANGLE_NONE,  ///< as the linker knows them
};

/**
 * The printed form of a linkage name, the short one.
 *
 * @param from_symtab  The name comes from a symbol table, where C names carry
 *                     one leading `_`, which is removed.
 * @return In the arena; a copy of the name where there is nothing to demangle
 *         or a limit is reached.
 */
const char *demangle(struct text name, bool from_symtab, struct arena *arena);

/** The same in a form of choice. */
const char *demangle_as(struct text name, enum demangle_form form,
                        bool from_symtab, struct arena *arena);

/** Choices of a `--demangle` option, in the order of enum demangle_form. */
#define DEMANGLE_FORMS "short|full|none"

/** As demangle_as(), whether it comes from a symbol table or not. */
const char *demangle_printed(struct text name, enum demangle_form form,
                             struct arena *arena);

/**
 * A name that is printed in the short form, in @p form.
 *
 * @param mangled  What it was printed from; NULL: that is not known.
 * @return @p name itself where there is nothing else to print.
 */
const char *demangle_again(const char *name, const char *mangled,
                           enum demangle_form form, struct arena *arena);

/** A mangled name and what it says. */
struct demangled {
	const char *mangled;
	const char *name;     ///< as printed
	const char *language; ///< `C++`, `Swift`, `Rust`; NULL: not mangled
	struct name_parts parts;
};

/** As demangle_printed(), and the parts of the name. */
struct demangled demangle_whole(struct text name, enum demangle_form form,
                                struct arena *arena);

/** Does it begin as the mangled names of some language do? */
bool demangle_knows(struct text name);

#endif

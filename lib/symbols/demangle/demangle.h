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

#endif

/**
 * Names as people wrote them: C++ through __cxa_demangle, within a budget.
 *
 * Swift and Rust names stay mangled until there are demanglers of our own; a
 * name that is not understood is returned as it is, never guessed at.
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_DEMANGLE_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_DEMANGLE_H

#include "lib/base/arena.h"
#include "lib/base/text.h"

#include <stdbool.h>

/**
 * The printable form of a linkage name.
 *
 * @param from_symtab  The name comes from a symbol table, where C names carry
 *                     one leading `_`, which is removed.
 * @return In the arena; a copy of the name where there is nothing to demangle
 *         or the budget (4 KiB, 24 back references) is exceeded.
 */
const char *demangle(struct text name, bool from_symtab, struct arena *arena);

#endif

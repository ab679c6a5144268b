// SPDX-License-Identifier: MIT
/**
 * Symbol stores: directories in which the path of a file follows from its UUID,
 * so that nothing has to be searched.
 *
 *     ab/cdef…/debuginfo                     Symbolicator's unified layout,
 *     ab/cdef…/executable                    which `index --store` writes
 *     ABCD/EF01/2345/6789/ABCD/EF0123456789  LLDB's file-mapped UUIDs
 *     _.dwarf/mach-uuid-sym-abcdef…/_.dwarf  Microsoft's symbol server
 *
 * Sources: Symbolicator's and LLDB's documentation of their layouts ("Symbol
 * Server Compatibility", "Debugging Symbols"). A file is taken for what its
 * content says, never for its path: a UUID that is not its own is not found.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_STORE_LAYOUT_H
#define APMTOOL_LIB_SYMBOLS_INDEX_STORE_LAYOUT_H

#include "lib/base/str.h"
#include "lib/base/uuid.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Append the path in a store that a file of this UUID may have.
 *
 * @param index  From 0 on; the first two are of debug information and of an
 *               executable in the layout that we write.
 * @return False past the last one, and nothing is appended.
 */
bool store_layout_add(const char *store, const struct uuid *uuid, size_t index,
                      struct str *out);

#define STORE_DEBUG_INFO 0
#define STORE_EXECUTABLE 1

#endif

// SPDX-License-Identifier: MIT
/**
 * Symbol stores: directories in which the UUID of a file determines its path,
 * so that no search is necessary.
 *
 *     ab/cdef…/debuginfo                     Symbolicator's unified layout,
 *     ab/cdef…/executable                    which `index --store` writes
 *     ab/cdef…/bcsymbolmap
 *     ab/cdef…/uuidmap
 *     ABCD/EF01/2345/6789/ABCD/EF0123456789  LLDB's file-mapped UUIDs
 *     _.dwarf/mach-uuid-sym-abcdef…/_.dwarf  Microsoft's symbol server
 *
 * Sources: Symbolicator's and LLDB's documentation of their layouts ("Symbol
 * Server Compatibility", "Debugging Symbols"). Readers trust the UUID in a
 * file, not its path. apmtool-store(5) describes all files of our stores.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_STORE_LAYOUT_H
#define APMTOOL_LIB_SYMBOLS_INDEX_STORE_LAYOUT_H

#include "lib/base/str.h"
#include "lib/base/uuid.h"

#include <stddef.h>

/** Paths in a store. Files with symbols come first. */
enum store_file {
	STORE_DEBUG_INFO,
	STORE_EXECUTABLE,
	STORE_LLDB,                     ///< either of them
	STORE_SYMBOL_SERVER,            ///< either of them
	STORE_SYMBOL_FILES,             ///< the number of the above
	STORE_MAP = STORE_SYMBOL_FILES, ///< a BCSymbolMap
	STORE_UUID_MAP,  ///< has the UUID of its BCSymbolMap (DBGOriginalUUID)
	STORE_DIRECTORY, ///< in the unified layout: has all files of the UUID
};

/** Append the path of a file with this UUID. */
void store_layout_add(const char *store, const struct uuid *uuid,
                      enum store_file file, struct str *out);

#endif

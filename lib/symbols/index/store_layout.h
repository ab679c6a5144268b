// SPDX-License-Identifier: MIT
/**
 * Symbol stores: directories in which the path of a file follows from its UUID,
 * so that nothing has to be searched.
 *
 *     ab/cdef…/debuginfo                     Symbolicator's unified layout,
 *     ab/cdef…/executable                    which `index --store` writes
 *     ab/cdef…/bcsymbolmap
 *     ab/cdef…/uuidmap
 *     ABCD/EF01/2345/6789/ABCD/EF0123456789  LLDB's file-mapped UUIDs
 *     _.dwarf/mach-uuid-sym-abcdef…/_.dwarf  Microsoft's symbol server
 *
 * Sources: Symbolicator's and LLDB's documentation of their layouts ("Symbol
 * Server Compatibility", "Debugging Symbols"). A file is taken for what its
 * content says, never for its path: a UUID that is not its own is not found.
 * apmtool-store(5) describes what else a store of ours holds.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_STORE_LAYOUT_H
#define APMTOOL_LIB_SYMBOLS_INDEX_STORE_LAYOUT_H

#include "lib/base/str.h"
#include "lib/base/uuid.h"

#include <stddef.h>

/** What has a path in a store. Files with symbols come first. */
enum store_file {
	STORE_DEBUG_INFO,
	STORE_EXECUTABLE,
	STORE_LLDB,                     ///< of either kind
	STORE_SYMBOL_SERVER,            ///< of either kind
	STORE_SYMBOL_FILES,             ///< how many of these there are
	STORE_MAP = STORE_SYMBOL_FILES, ///< a BCSymbolMap
	STORE_UUID_MAP,  ///< names the UUID whose map it is (DBGOriginalUUID)
	STORE_DIRECTORY, ///< of the unified layout: of all files of the UUID
};

/** Append the path in a store that a file of this UUID has. */
void store_layout_add(const char *store, const struct uuid *uuid,
                      enum store_file file, struct str *out);

#endif

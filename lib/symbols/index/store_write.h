// SPDX-License-Identifier: MIT
/**
 * Copying symbols into a store (store_layout.h): each slice into a file of its
 * own, whose path follows from its UUID.
 *
 * A file is written beside its place and linked into it. What is there is never
 * replaced: two files of one UUID with different bytes are a clash, which
 * somebody has to look into, and so is a file that somebody else cut.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_STORE_WRITE_H
#define APMTOOL_LIB_SYMBOLS_INDEX_STORE_WRITE_H

#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/base/uuid.h"
#include "lib/symbols/index/store_layout.h"
#include "lib/symbols/index/uuid_entry.h"

#include <sys/types.h>

enum store_added {
	STORE_NEW,
	STORE_THERE,   ///< the same bytes
	STORE_CLASH,   ///< others
	STORE_DAMAGED, ///< what is there is cut, or not of that UUID
	STORE_PASSED,  ///< no UUID, or neither debug information nor executable
};

/**
 * Copy one slice.
 *
 * @param path  Gets its path in the store appended, unless it is passed over.
 * @return An error where it cannot be read, or the store not be written.
 */
MUST_CHECK struct error *store_add(const char *store,
                                   const struct uuid_entry *entry,
                                   struct str *path, enum store_added *ret);

/**
 * Copy a BCSymbolMap (STORE_MAP), or the list that names the UUID of one
 * (STORE_UUID_MAP), as store_add() does.
 */
MUST_CHECK struct error *store_add_file(const char *store,
                                        const struct uuid *uuid,
                                        enum store_file file,
                                        const char *source, struct str *path,
                                        enum store_added *ret);

/** Make the directories that a file is to lie in; @p mode as mkdir() has it. */
MUST_CHECK struct error *store_make_directories(const char *path, mode_t mode);

#endif

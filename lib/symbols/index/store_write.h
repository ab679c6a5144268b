// SPDX-License-Identifier: MIT
/**
 * Copies slices into a store (store_layout.h), each into a file.
 *
 * A file gets a temporary name in the same directory, and then a link under its
 * own name. An existing file is never replaced: if its bytes differ, or if it
 * is damaged, the user has to decide.
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
	STORE_THERE,   ///< the store has the same bytes
	STORE_CLASH,   ///< the store has other bytes
	STORE_DAMAGED, ///< the store has a truncated file, or another UUID
	STORE_PASSED,  ///< no UUID, or neither debug information nor executable
};

/**
 * Copy one slice.
 *
 * @param path  Appended: the path in the store, except for STORE_PASSED.
 * @return An error of reading the slice or writing the store.
 */
MUST_CHECK struct error *store_add(const char *store,
                                   const struct uuid_entry *entry,
                                   struct str *path, enum store_added *ret);

/**
 * As store_add(), for a BCSymbolMap (STORE_MAP), or the property list with the
 * UUID of one (STORE_UUID_MAP).
 */
MUST_CHECK struct error *store_add_file(const char *store,
                                        const struct uuid *uuid,
                                        enum store_file file,
                                        const char *source, struct str *path,
                                        enum store_added *ret);

/** Make the directories above a file. @param mode  As for mkdir(). */
MUST_CHECK struct error *store_make_directories(const char *path, mode_t mode);

#endif

// SPDX-License-Identifier: MIT
/**
 * Copying symbols into a store (store_layout.h): each slice into a file of its
 * own, whose path follows from its UUID.
 *
 * A file is written beside its place and renamed into it. What is there is
 * never replaced: two files of one UUID with different bytes are a clash, which
 * somebody has to look into.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_STORE_WRITE_H
#define APMTOOL_LIB_SYMBOLS_INDEX_STORE_WRITE_H

#include "lib/base/error.h"
#include "lib/symbols/index/uuid_entry.h"

enum store_added {
	STORE_NEW,
	STORE_THERE,  ///< the same bytes
	STORE_CLASH,  ///< others
	STORE_PASSED, ///< no UUID, or neither debug information nor executable
};

/**
 * Copy one slice.
 *
 * @return An error where it cannot be read, or the store not be written.
 */
MUST_CHECK struct error *store_add(const char *store,
                                   const struct uuid_entry *entry,
                                   enum store_added *ret);

#endif

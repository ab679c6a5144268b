// SPDX-License-Identifier: MIT
/**
 * Fills a symbol store: copies slices and BCSymbolMaps (store_write.h), records
 * their builds (store_builds.h), and reads the debug information of each file
 * into a cache entry next to it.
 *
 * Files of an .xcarchive belong to its app. Other files belong to the app whose
 * `X.app.dSYM` is below the same operand, if there is exactly one.
 */
#ifndef APMTOOL_LIB_SYMBOLS_STORE_FILL_H
#define APMTOOL_LIB_SYMBOLS_STORE_FILL_H

#include "lib/symbols/index/store_write.h"
#include "lib/symbols/index/uuid_index.h"

#include <stddef.h>
#include <stdint.h>

struct store_fill {
	const char *store;
	struct uuid_index *index; ///< to copy
	// Of all copied files; NULL: from archives and dSYMs.
	const char *app;
	const char *version;
	const char *build;
	int64_t now_s; ///< since 1970: date of builds without one
	unsigned jobs; ///< max children at once
	/** Called for files that are not copied or unreadable; required. */
	void (*fault)(const char *path, const char *text, void *context);
	/** Called for incomplete results; required. */
	void (*warning)(const char *path, const char *text, void *context);
	void *context;

	size_t found; ///< slices and maps
	size_t counts[STORE_PASSED + 1];
	size_t failed;  ///< of those found: unreadable or unwritable
	size_t builds;  ///< records that list found files
	size_t made;    ///< files whose debug information was read
	size_t present; ///< files whose debug information was already cached
};

void store_fill_run(struct store_fill *fill);

#endif

// SPDX-License-Identifier: MIT
/**
 * All of the cache looked over: the UUID index against the files that it names,
 * and each entry against its checksums; on demand, both readers of debug
 * information against each other.
 */
#ifndef APMTOOL_LIB_SYMBOLS_CACHE_VERIFY_H
#define APMTOOL_LIB_SYMBOLS_CACHE_VERIFY_H

#include "lib/symbols/cache/cache_directory.h"

#include <stdbool.h>
#include <stddef.h>

struct cache_verify {
	struct cache_directory *directory;
	/** Read all debug information by both readers, and compare. */
	bool compares_readers;
	/** A file that is not as it should be; must be set. */
	void (*fault)(const char *path, const char *reason, void *context);
	void *context;

	size_t slice_count; ///< of the index
	size_t entry_count; ///< of debug information
	size_t fault_count;
	size_t stuck; ///< entries that are no good, and cannot be removed
};

/**
 * Entries that are no good are removed, unless the directory is frozen: the
 * next run makes them again.
 *
 * @return Why the first of those that are stuck cannot be removed.
 */
MUST_CHECK struct error *cache_verify_run(struct cache_verify *verify);

#endif

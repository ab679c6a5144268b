// SPDX-License-Identifier: MIT
/**
 * Verifies the cache: compares the UUID index with the files in it, and each
 * entry with its checksums; on request, compares both readers of debug
 * information.
 */
#ifndef APMTOOL_LIB_SYMBOLS_CACHE_VERIFY_H
#define APMTOOL_LIB_SYMBOLS_CACHE_VERIFY_H

#include "lib/symbols/cache/cache_directory.h"

#include <stdbool.h>
#include <stddef.h>

struct cache_verify {
	struct cache_directory *directory;
	/** Read all debug information with both readers, and compare. */
	bool compares_readers;
	/** Called for each faulty file; required. */
	void (*fault)(const char *path, const char *reason, void *context);
	void *context;

	size_t slice_count; ///< of the index
	size_t entry_count; ///< of debug information
	size_t fault_count;
	size_t stuck; ///< faulty entries that cannot be removed
};

/**
 * Verify the cache. Faulty entries are removed unless the directory is frozen;
 * the next run makes them again.
 *
 * @return Why the first stuck entry cannot be removed.
 */
MUST_CHECK struct error *cache_verify_run(struct cache_verify *verify);

#endif

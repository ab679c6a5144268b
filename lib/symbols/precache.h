// SPDX-License-Identifier: MIT
/**
 * Fills the cache: a child reads the debug information of each file whole
 * (lib/symbols/cache/debug_cache.h). Of several files of a UUID, the first
 * readable one is used; in a dry run, the first that can be opened.
 *
 * libdwarf also reads the first unit of each file; a difference is a fault of
 * one of the readers, and reported.
 */
#ifndef APMTOOL_LIB_SYMBOLS_PRECACHE_H
#define APMTOOL_LIB_SYMBOLS_PRECACHE_H

#include "lib/symbols/cache/cache_directory.h"
#include "lib/symbols/index/uuid_catalog.h"

#include <stdbool.h>
#include <stddef.h>

struct precache {
	/**
	 * NULL: each entry is written to the directory of its file, as in a
	 * store.
	 */
	struct cache_directory *directory;
	unsigned jobs; ///< max children at once
	bool dry_run;  ///< only count

	size_t made;    ///< in a dry run, to be read
	size_t present; ///< already cached
	size_t failed;  ///< in a dry run, files that cannot be opened
	size_t unkept;  ///< read, but not written
	/**
	 * Called for files that cannot be read whole, or not be written;
	 * required.
	 */
	void (*problem)(const char *path, const char *reason, void *context);
	/** Called for differences between the readers; required. */
	void (*difference)(const char *path, const char *text, void *context);
	/** Called after each file; or NULL. */
	void (*progress)(size_t done, size_t total, void *context);
	void *context;
};

/**
 * Read all items with debug information that are not cached; GSYM files are
 * only opened.
 *
 * @param items  Sorted by catalog_sort().
 */
void precache_run(struct precache *precache, const struct catalog_item *items,
                  size_t count);

#endif

// SPDX-License-Identifier: MIT
/**
 * The cache filled ahead: the debug information of many files, each read whole
 * by a child and kept (lib/symbols/cache/debug_cache.h). Of several files of a
 * UUID it is the first that can be read; in a dry run, the first that can be
 * opened.
 *
 * The first unit of each file of many is read by libdwarf, too: a difference is
 * a fault of one of the readers, and named.
 */
#ifndef APMTOOL_LIB_SYMBOLS_PRECACHE_H
#define APMTOOL_LIB_SYMBOLS_PRECACHE_H

#include "lib/symbols/cache/cache_directory.h"
#include "lib/symbols/index/uuid_catalog.h"

#include <stdbool.h>
#include <stddef.h>

struct precache {
	/** NULL: each is kept in the directory of its file, as in a store. */
	struct cache_directory *directory;
	unsigned jobs; ///< children at once
	bool dry_run;  ///< only count

	size_t made;    ///< in a dry run, what would be read
	size_t present; ///< kept already
	size_t failed;  ///< files; in a dry run, those that cannot be opened
	size_t unkept;  ///< read, and could not be written
	/** What cannot be read, or not whole, or kept; must be set. */
	void (*problem)(const char *path, const char *reason, void *context);
	/** What the two readers say otherwise; must be set. */
	void (*difference)(const char *path, const char *text, void *context);
	/** A file more is done; may be NULL. */
	void (*progress)(size_t done, size_t total, void *context);
	void *context;
};

/**
 * Read all items that have debug information and are not kept whole yet; GSYM
 * files are only opened.
 *
 * @param items  Sorted by catalog_sort().
 */
void precache_run(struct precache *precache, const struct catalog_item *items,
                  size_t count);

#endif

// SPDX-License-Identifier: MIT
/**
 * Updates the UUID index: walks paths, and replaces the catalog's items of
 * these paths.
 *
 *     SCOPED(catalog_update_release) struct catalog_update update = { 0 };
 *
 *     catalog_update_begin(&update, directory);
 *     err = catalog_update_add(&update, "build/");
 *     err = catalog_update_write(&update, directory);
 *
 * Concurrent updates are kept, as the catalog is read again and written under
 * the cache's lock. Items of other paths stay while their files exist. Items in
 * an unreadable directory stay, too: it may be readable again. All paths are
 * made absolute, without links.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_CATALOG_UPDATE_H
#define APMTOOL_LIB_SYMBOLS_INDEX_CATALOG_UPDATE_H

#include "lib/base/arena.h"
#include "lib/base/error.h"
#include "lib/base/intern.h"
#include "lib/symbols/index/unread_packed.h"
#include "lib/symbols/index/uuid_catalog.h"

#include <stdbool.h>
#include <stddef.h>

/** State of a path in catalog_update_add_known(). */
enum catalog_absence {
	CATALOG_PRESENT,
	CATALOG_GONE, ///< dropped from the catalog
	/** The path is kept: its volume may be mounted again (volume.h). */
	CATALOG_AWAY,
};

/** A file that is unreadable, wholly or in part. */
struct catalog_problem {
	const char *path;
	const char *reason;
	enum catalog_absence absence;
	bool was_absent; ///< if away: it was away the last time, too
};

/** Counts of slices. */
struct catalog_counts {
	size_t added;   ///< new
	size_t changed; ///< of a file that has changed
	size_t same;
	size_t removed; ///< the file or the slice is gone
};

struct catalog_update {
	struct arena arena;
	struct uuid_catalog *old; ///< or NULL
	struct catalog_item *items;
	size_t count;
	size_t cap;
	const char **roots;
	size_t root_count;
	size_t root_cap;
	size_t walked; ///< number of roots of this update
	struct intern paths;
	struct file_stamp stamp; ///< of the current file
	const char *version;
	struct catalog_problem *problems;
	size_t problem_count;
	size_t problem_cap;
	struct unread_packed packed; ///< files that may have symbols
	size_t empty_count;          ///< paths added without symbols
	/** Set by catalog_update_finish() or catalog_update_write(). */
	struct catalog_counts counts;
	size_t file_count; ///< set with the counts
	/** Called for each file of a long walk; or NULL. */
	void (*progress)(size_t files, void *context);
	void *context;
};

/**
 * Begin. An error says why the current catalog is unusable; it is then
 * replaced.
 */
MUST_CHECK struct error *catalog_update_begin(
        struct catalog_update *update, const struct cache_directory *directory);
void catalog_update_release(struct catalog_update *update);

/**
 * Walk a path: a file, an archive, a directory. A missing one is an error; a
 * directory without symbols is a problem, and counted.
 */
MUST_CHECK struct error *catalog_update_add(struct catalog_update *update,
                                            const char *path);

/** Walk the catalog's paths again; see enum catalog_absence. */
void catalog_update_add_known(struct catalog_update *update);

/** Take over the catalog's items of other paths, and count the changes. */
void catalog_update_finish(struct catalog_update *update);

/**
 * As catalog_update_finish(), with the current catalog under lock; write the
 * result if it differs.
 */
MUST_CHECK struct error *catalog_update_write(
        struct catalog_update *update, struct cache_directory *directory);

/** The stamp of the file at @p path, or of its archive. */
bool catalog_stamp(const char *path, struct file_stamp *ret);

#endif

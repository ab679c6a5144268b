// SPDX-License-Identifier: MIT
/**
 * The UUID index brought up to date: paths are walked, and what is found there
 * takes the place of what the catalog had of them.
 *
 *     SCOPED(catalog_update_release) struct catalog_update update = { 0 };
 *
 *     catalog_update_begin(&update, directory);
 *     err = catalog_update_add(&update, "build/");
 *     err = catalog_update_write(&update, directory);
 *
 * Others may do the same at the same time: what they have written since is kept
 * as well, for the catalog is read again, and written, under the cache's lock.
 * Files of other paths stay, as long as they are there, and so does what cannot
 * be seen: its directory may be readable again. All paths are made
 * absolute, without links.
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

/** Paths that catalog_update_add_known() does not find. */
enum catalog_absence {
	CATALOG_PRESENT,
	CATALOG_GONE, ///< dropped from the catalog
	/** The path is kept: its volume may be mounted again (volume.h). */
	CATALOG_AWAY,
};

/** A file that could not be read, or not all of it. */
struct catalog_problem {
	const char *path;
	const char *reason;
	enum catalog_absence absence;
	bool was_absent; ///< last time, too, if it is away
};

/** Slices, by what became of them. */
struct catalog_counts {
	size_t added;   ///< not there before
	size_t changed; ///< of a file that has changed
	size_t same;
	size_t removed; ///< the file is not there any more, or not the slice
};

struct catalog_update {
	struct arena arena;
	struct uuid_catalog *old; ///< NULL: there was none
	struct catalog_item *items;
	size_t count;
	size_t cap;
	const char **roots;
	size_t root_count;
	size_t root_cap;
	size_t walked; ///< how many of the roots are those of this update
	struct intern paths;
	struct file_stamp stamp; ///< of the file that is walked
	const char *version;
	struct catalog_problem *problems;
	size_t problem_count;
	size_t problem_cap;
	struct unread_packed packed; ///< what may hold symbols
	size_t empty_count; ///< paths that were added, and have no symbols
	/** Filled by catalog_update_finish() or catalog_update_write(). */
	struct catalog_counts counts;
	size_t file_count; ///< as well
	/** Told of each file, for the progress of a long walk; may be NULL. */
	void (*progress)(size_t files, void *context);
	void *context;
};

/** An error says why the catalog that is there is of no use: it is made anew.
 */
MUST_CHECK struct error *catalog_update_begin(
        struct catalog_update *update, const struct cache_directory *directory);
void catalog_update_release(struct catalog_update *update);

/**
 * Walk a path: a file, an archive, a directory. An absent one is an error; a
 * directory without symbols is a problem, and counted.
 */
MUST_CHECK struct error *catalog_update_add(struct catalog_update *update,
                                            const char *path);

/** Walk again what was walked for the catalog; see enum catalog_absence. */
void catalog_update_add_known(struct catalog_update *update);

/** Take over what the catalog has of other paths, and count the changes. */
void catalog_update_finish(struct catalog_update *update);

/**
 * Do so with the catalog that is there now, and write what comes of it, unless
 * it would be what it was.
 */
MUST_CHECK struct error *catalog_update_write(
        struct catalog_update *update, struct cache_directory *directory);

/** The stamp of the file that @p path names or leads into. */
bool catalog_stamp(const char *path, struct file_stamp *ret);

#endif

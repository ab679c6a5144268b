// SPDX-License-Identifier: MIT
/**
 * Which file holds the symbols of which UUID.
 *
 *     index = uuid_index_new();
 *     err = uuid_index_add(index, "build/App.xcarchive");
 *     entries = uuid_index_find(index, &uuid, &count);
 *
 * Paths (dSYM bundles, Mach-O files, archives, directories of either) are
 * walked once (symbol_walk.h). A path may lead into an archive, and so do those
 * of what was found there (lib/text/archive.h). BCSymbolMaps are remembered.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_UUID_INDEX_H
#define APMTOOL_LIB_SYMBOLS_INDEX_UUID_INDEX_H

#include "lib/base/error.h"
#include "lib/base/file_walk.h"
#include "lib/base/uuid.h"
#include "lib/symbols/index/uuid_entry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uuid_index;
struct symbol_maps;
struct unread_packed;

struct uuid_index *uuid_index_new(void);
void uuid_index_free(struct uuid_index *index);

/**
 * Add everything at or below @p path; a file that is there already is kept
 * once. An absent path is an error, and so is a file that is not Mach-O, or an
 * archive without any; a directory may hold anything.
 */
MUST_CHECK struct error *uuid_index_add(struct uuid_index *index,
                                        const char *path);

/** The same for one of several places: a damaged archive is a problem only. */
MUST_CHECK struct error *uuid_index_add_place(struct uuid_index *index,
                                              const char *path);

/**
 * As uuid_index_add_place(), for symbols of the system, a DeviceSupport
 * directory: they are looked at last, and are no candidates for an image of an
 * app.
 */
MUST_CHECK struct error *uuid_index_add_system(struct uuid_index *index,
                                               const char *path);

/** The same for a path that was only found: see file_walk_found(). */
MUST_CHECK struct error *uuid_index_add_found(struct uuid_index *index,
                                              const char *path,
                                              struct file_budget *budget);

/**
 * Add the dSYMs at or below @p path, which was only found, as far as they can
 * be read: what has no `dSYM` in its path is passed over.
 *
 * @return False where the budget was spent before the end.
 */
bool uuid_index_add_near(struct uuid_index *index, const char *path,
                         struct file_budget *budget);

/**
 * Add a file listed in the catalog; errors are ignored, and it does not count
 * as a search.
 */
void uuid_index_add_known(struct uuid_index *index, const char *path);

/** Add the BCSymbolMaps at or below @p path; an error where there is none. */
MUST_CHECK struct error *uuid_index_add_maps(struct uuid_index *index,
                                             const char *path);

/** All BCSymbolMaps found so far; the index's own. */
struct symbol_maps *uuid_index_maps(struct uuid_index *index);

/**
 * All entries of a UUID: dSYMs, then GSYM files, then binaries, those of the
 * system last; then in the order that paths were added, and by path.
 * Valid until the next uuid_index_add(). None for the zero UUID.
 *
 * @param ret_count  0 and NULL where there are none.
 */
const struct uuid_entry *uuid_index_find(struct uuid_index *index,
                                         const struct uuid *uuid,
                                         size_t *ret_count);

/**
 * All entries of files with this name, in the order of uuid_index_find() but
 * for the UUID. Valid as long.
 */
const struct uuid_entry *uuid_index_find_name(struct uuid_index *index,
                                              const char *name,
                                              size_t *ret_count);

/** All entries, in the order they were found (`apmtool uuid`). */
const struct uuid_entry *uuid_index_all(const struct uuid_index *index,
                                        size_t *ret_count);

/** What was searched so far, but for symbols of the system and maps. */
struct uuid_searched {
	const char *path; ///< the first that was added; NULL: none was
	size_t path_count;
	size_t file_count;  ///< files at or below these paths
	size_t macho_count; ///< of those, Mach-O files
};
const struct uuid_searched *uuid_index_searched(const struct uuid_index *index);

/** Mach-O files that are damaged, wholly or in one slice, or unreadable. */
struct uuid_problem {
	const char *path;
	const char *reason;
};
const struct uuid_problem *uuid_index_problems(const struct uuid_index *index,
                                               size_t *ret_count);

/** What may hold symbols, and is packed; the index's own. */
const struct unread_packed *uuid_index_packed(const struct uuid_index *index);

#endif

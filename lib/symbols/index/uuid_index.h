// SPDX-License-Identifier: MIT
/**
 * Finds files with symbols by UUID.
 *
 *     index = uuid_index_new();
 *     err = uuid_index_add(index, "build/App.xcarchive");
 *     entries = uuid_index_find(index, &uuid, &count);
 *
 * Paths (dSYM bundles, Mach-O files, archives, directories of either) are
 * walked once (symbol_walk.h). Paths of entries may be inside of an archive
 * (lib/text/archive.h). BCSymbolMaps are indexed as well.
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
 * Add all symbols at or below @p path; duplicate files are added once. Errors:
 * a missing path, a file that is not Mach-O, an archive without any. A
 * directory may have any files.
 */
MUST_CHECK struct error *uuid_index_add(struct uuid_index *index,
                                        const char *path);

/**
 * As uuid_index_add(), if there are other paths: a damaged archive is a
 * problem, not an error.
 */
MUST_CHECK struct error *uuid_index_add_place(struct uuid_index *index,
                                              const char *path);

/**
 * As uuid_index_add_place(), for symbols of the system, a DeviceSupport
 * directory: they come last, and are no candidates for an app's image.
 */
MUST_CHECK struct error *uuid_index_add_system(struct uuid_index *index,
                                               const char *path);

/**
 * As uuid_index_add(), for a path that was found, not named: see
 * file_walk_found().
 */
MUST_CHECK struct error *uuid_index_add_found(struct uuid_index *index,
                                              const char *path,
                                              struct file_budget *budget);

/**
 * Add readable dSYMs at or below @p path, which was found, not named. Skips
 * paths without `dSYM`.
 *
 * @return false: the budget was used up.
 */
bool uuid_index_add_near(struct uuid_index *index, const char *path,
                         struct file_budget *budget);

/**
 * Add a file listed in the catalog; errors are ignored, and it does not count
 * as a search.
 */
void uuid_index_add_known(struct uuid_index *index, const char *path);

/** Add the BCSymbolMaps at or below @p path; an error if there is none. */
MUST_CHECK struct error *uuid_index_add_maps(struct uuid_index *index,
                                             const char *path);

/** All BCSymbolMaps; owned by the index. */
struct symbol_maps *uuid_index_maps(struct uuid_index *index);

/**
 * All entries of a UUID: dSYMs, GSYM files, binaries, then those of the system;
 * then in the order of added paths, and by path. Valid until the next
 * uuid_index_add(). None for the zero UUID.
 *
 * @param ret_count  0 if it returns NULL.
 */
const struct uuid_entry *uuid_index_find(struct uuid_index *index,
                                         const struct uuid *uuid,
                                         size_t *ret_count);

/** All entries of files with this name, in the same order. Valid as long. */
const struct uuid_entry *uuid_index_find_name(struct uuid_index *index,
                                              const char *name,
                                              size_t *ret_count);

/** All entries, in the order of the walks (`apmtool uuid`). */
const struct uuid_entry *uuid_index_all(const struct uuid_index *index,
                                        size_t *ret_count);

/** Searched paths, without symbols of the system and maps. */
struct uuid_searched {
	const char *path; ///< the first added; or NULL
	size_t path_count;
	size_t file_count;  ///< files at or below these paths
	size_t macho_count; ///< of these, Mach-O files
};
const struct uuid_searched *uuid_index_searched(const struct uuid_index *index);

/** A Mach-O file that is damaged, wholly or in one slice, or unreadable. */
struct uuid_problem {
	const char *path;
	const char *reason;
};
const struct uuid_problem *uuid_index_problems(const struct uuid_index *index,
                                               size_t *ret_count);

/** Packed files that may have symbols; owned by the index. */
const struct unread_packed *uuid_index_packed(const struct uuid_index *index);

#endif

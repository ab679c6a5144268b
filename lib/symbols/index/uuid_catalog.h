// SPDX-License-Identifier: MIT
/**
 * The UUID index on disk: which files hold the symbols of which UUID, as
 * `apmtool index` found them.
 *
 *     err = uuid_catalog_open(directory, &catalog);
 *     count = uuid_catalog_find(catalog, &uuid, &first);
 *     for (size_t i = first; i < first + count; i++)
 *             if (uuid_catalog_item(catalog, i, &item))
 *                     …
 *
 * It is one file of the cache, mapped and searched by halves; apmtool-cache(5)
 * describes it. It only says where to look: a file that it names is read again
 * before its symbols are used, and one that is not there any more, or not of
 * that UUID, is not found. A catalog that is damaged, or of another version, is
 * of no use, which is for the user to know.
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_UUID_CATALOG_H
#define APMTOOL_LIB_SYMBOLS_INDEX_UUID_CATALOG_H

#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/uuid.h"
#include "lib/symbols/cache/cache_directory.h"
#include "lib/symbols/source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UUID_CATALOG_NAME "uuids"

/** A file with symbols, a part of one, or a BCSymbolMap. */
struct catalog_item {
	struct uuid uuid;
	const char *path;         ///< absolute; may lead into an archive
	const char *version;      ///< of the app or bundle; NULL: not said
	struct file_stamp stamp;  ///< of the file, or of the archive
	enum symbol_kind kind;    ///< SYMBOL_KIND_MAP is one, too
	struct symbol_locator at; ///< in the file; of a map zeros
};

/** A catalog to be written; all is borrowed. */
struct catalog_contents {
	struct catalog_item *items; ///< sorted by catalog_sort()
	size_t count;
	const char *const *roots; ///< the paths that were indexed; absolute
	size_t root_count;
};

/** Is it an entry of a dSYM, or of another file with debug information? */
bool catalog_item_is_dsym(const struct catalog_item *item);

/** By UUID, then dSYMs before other files, then by path and offset. */
void catalog_sort(struct catalog_item *items, size_t count);
/** That order, of two items; for bsearch(). */
int catalog_compare(const void *a, const void *b);

MUST_CHECK struct error *uuid_catalog_write(struct cache_directory *directory,
                                            const struct catalog_contents *in);

struct uuid_catalog;

/**
 * Map the catalog of a cache. One that is there and cannot be used is an error,
 * which says what to do.
 *
 * @param ret  NULL where there is none.
 */
MUST_CHECK struct error *uuid_catalog_open(
        const struct cache_directory *directory, struct uuid_catalog **ret);
/** As uuid_catalog_open(), but for reading all of it: damage is an error. */
MUST_CHECK struct error *uuid_catalog_open_whole(
        const struct cache_directory *directory, struct uuid_catalog **ret);
/** NULL is fine. */
void uuid_catalog_close(struct uuid_catalog *catalog);

/** How many items there are of a UUID, from number @p ret_first on. */
size_t uuid_catalog_find(struct uuid_catalog *catalog, const struct uuid *uuid,
                         size_t *ret_first);

size_t uuid_catalog_count(const struct uuid_catalog *catalog);
/** Item @p index; borrows. False where that part of the file is damaged. */
bool uuid_catalog_item(struct uuid_catalog *catalog, size_t index,
                       struct catalog_item *ret);

size_t uuid_catalog_root_count(const struct uuid_catalog *catalog);
/** NULL where that part of the file is damaged. */
const char *uuid_catalog_root(struct uuid_catalog *catalog, size_t index);

/** Read a catalog in place (a fuzz target does). */
MUST_CHECK struct error *uuid_catalog_read(struct bytes in,
                                           struct uuid_catalog **ret);

/**
 * To be asked after look-ups: an error, as that of uuid_catalog_open(), where
 * one of them met damage, and may have found too little.
 */
MUST_CHECK struct error *uuid_catalog_fault(
        const struct uuid_catalog *catalog,
        const struct cache_directory *directory);

/** Is there a file that begins as a catalog does? It is ours, if damaged. */
bool uuid_catalog_has_mark(const struct cache_directory *directory);

/** Is all of it as it was written? */
bool uuid_catalog_is_sound(struct uuid_catalog *catalog);

#endif

// SPDX-License-Identifier: MIT
/**
 * The UUID index on disk: files with symbols by UUID, as `apmtool index` found
 * them.
 *
 *     err = uuid_catalog_open(directory, &catalog);
 *     count = uuid_catalog_find(catalog, &uuid, &first);
 *     for (size_t i = first; i < first + count; i++)
 *             if (uuid_catalog_item(catalog, i, &item))
 *                     …
 *
 * It is a file of the cache, mapped and searched in place; apmtool-cache(5)
 * describes the format. A file in it is read again before its symbols are used,
 * and ignored if it is missing or has another UUID. A damaged catalog, or one
 * of another version, is an error that the user must see.
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
	const char *path;         ///< absolute; may be inside of an archive
	const char *version;      ///< of the app or bundle; or NULL
	struct file_stamp stamp;  ///< of the file, or of the archive
	enum symbol_kind kind;    ///< may be SYMBOL_KIND_MAP
	struct symbol_locator at; ///< in the file; zero for a map
};

/** A catalog to write; all is borrowed. */
struct catalog_contents {
	struct catalog_item *items; ///< sorted by catalog_sort()
	size_t count;
	const char *const *roots; ///< indexed paths; absolute
	size_t root_count;
};

/** Is it a dSYM, or another file with debug information? */
bool catalog_item_is_dsym(const struct catalog_item *item);

/** Sort by UUID, then dSYMs first, then by path and offset. */
void catalog_sort(struct catalog_item *items, size_t count);
/** The order of catalog_sort(), for bsearch(). */
int catalog_compare(const void *a, const void *b);

MUST_CHECK struct error *uuid_catalog_write(struct cache_directory *directory,
                                            const struct catalog_contents *in);

struct uuid_catalog;

/**
 * Map the catalog of a cache. An unusable one is an error, which says what to
 * do.
 *
 * @param ret  NULL: there is none.
 */
MUST_CHECK struct error *uuid_catalog_open(
        const struct cache_directory *directory, struct uuid_catalog **ret);
/** As uuid_catalog_open(), to read all items: damage is an error. */
MUST_CHECK struct error *uuid_catalog_open_whole(
        const struct cache_directory *directory, struct uuid_catalog **ret);
/** NULL is allowed. */
void uuid_catalog_close(struct uuid_catalog *catalog);

/** Number of items of a UUID, starting at number @p ret_first. */
size_t uuid_catalog_find(struct uuid_catalog *catalog, const struct uuid *uuid,
                         size_t *ret_first);

size_t uuid_catalog_count(const struct uuid_catalog *catalog);
/** Get item @p index; borrows. False: that part of the file is damaged. */
bool uuid_catalog_item(struct uuid_catalog *catalog, size_t index,
                       struct catalog_item *ret);

size_t uuid_catalog_root_count(const struct uuid_catalog *catalog);
/** NULL: that part of the file is damaged. */
const char *uuid_catalog_root(struct uuid_catalog *catalog, size_t index);

/** Read a catalog in place, for a fuzz target. */
MUST_CHECK struct error *uuid_catalog_read(struct bytes in,
                                           struct uuid_catalog **ret);

/**
 * After look-ups: the error of uuid_catalog_open() if one of them met damage
 * and may be incomplete.
 */
MUST_CHECK struct error *uuid_catalog_fault(
        const struct uuid_catalog *catalog,
        const struct cache_directory *directory);

/** Does a file begin as a catalog does? Then it is ours, even if damaged. */
bool uuid_catalog_has_mark(const struct cache_directory *directory);

/** Are all checksums right? */
bool uuid_catalog_is_sound(struct uuid_catalog *catalog);

#endif

// SPDX-License-Identifier: MIT
/**
 * Finds the files of a UUID: in added paths, in symbol stores, in the index of
 * the cache, and among files allowed for an image.
 *
 *     search.index = uuid_index_new();
 *     err = uuid_index_add(search.index, "build/");
 *     if (!file_search_has_dsym(&search, &uuid))
 *             file_search_ask_catalog(&search, directory, &uuid);
 *     entries = file_search_find(&search, &uuid, &count);
 */
#ifndef APMTOOL_LIB_SYMBOLS_INDEX_FILE_SEARCH_H
#define APMTOOL_LIB_SYMBOLS_INDEX_FILE_SEARCH_H

#include "lib/base/error.h"
#include "lib/base/intern.h"
#include "lib/base/uuid.h"
#include "lib/symbols/cache/cache_directory.h"
#include "lib/symbols/index/uuid_catalog.h"
#include "lib/symbols/index/uuid_index.h"

#include <stdbool.h>
#include <stddef.h>

/** Files allowed for an image, for example of another build. */
struct allowed_files {
	struct uuid uuid; ///< of the image
	struct uuid_entry *entries;
	size_t count;
};

struct file_search {
	struct uuid_index *index;
	struct uuid_catalog *catalog; ///< NULL: none, or not opened yet
	struct error *catalog_fault;  ///< why it is unusable; or NULL
	bool uses_catalog;
	bool catalog_tried;
	const char **stores; ///< directories (store_layout.h), borrowed
	size_t store_count;
	size_t store_cap;
	struct intern asked;           ///< UUIDs already searched in the stores
	struct allowed_files *allowed; ///< few: images of an app
	size_t allowed_count;
	size_t allowed_cap;
};

void file_search_release(struct file_search *search);

/** As symbol_store_allow(). */
void file_search_allow(struct file_search *search, const struct uuid *uuid,
                       const struct uuid_entry *entries, size_t count);

/** Has the index a dSYM with this UUID? Then the catalog is not needed. */
bool file_search_has_dsym(struct file_search *search, const struct uuid *uuid);

/** Search this store, too; the path is borrowed. */
void file_search_add_store(struct file_search *search, const char *store);

/** Search the stores again from now on, as files may have been added. */
void file_search_forget_asked(struct file_search *search);

/**
 * Add the stores' files of an image to the index, once per UUID. Invalidates
 * pointers into the index.
 */
void file_search_ask_stores(struct file_search *search,
                            const struct uuid *uuid);

/** Is it debug information in a store with our layout? */
bool file_search_is_stored(const struct file_search *search,
                           const struct uuid_entry *entry);

/**
 * Add the catalog's files of an image to the index. Invalidates pointers into
 * the index.
 *
 * @param directory  Of the catalog; or NULL.
 */
void file_search_ask_catalog(struct file_search *search,
                             const struct cache_directory *directory,
                             const struct uuid *uuid);

/**
 * The files of an image: those with its UUID, else the allowed ones. Borrowed
 * until the index grows.
 */
const struct uuid_entry *file_search_find(struct file_search *search,
                                          const struct uuid *uuid,
                                          size_t *ret_count);

#endif

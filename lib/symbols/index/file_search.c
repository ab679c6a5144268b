// SPDX-License-Identifier: MIT
#include "lib/symbols/index/file_search.h"

#include "lib/base/mem.h"
#include "lib/symbols/index/bundle_info.h"
#include "lib/symbols/index/map.h"
#include "lib/symbols/index/store_layout.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void file_search_release(struct file_search *search)
{
	for (size_t i = 0; i < search->allowed_count; i++)
		free(search->allowed[i].entries);
	free(search->allowed);
	uuid_index_free(search->index);
	uuid_catalog_close(search->catalog);
	error_free(search->catalog_fault);
	free(search->stores);
	intern_release(&search->asked);
	*search = (struct file_search){ 0 };
}

void file_search_allow(struct file_search *search, const struct uuid *uuid,
                       const struct uuid_entry *entries, size_t count)
{
	struct allowed_files allowed = {
		.uuid = *uuid,
		.entries = mem_zalloc(count, sizeof(*entries)),
		.count = count,
	};

	memcpy(allowed.entries, entries, count * sizeof(*entries));
	MEM_GROW(search->allowed, search->allowed_count, search->allowed_cap);
	search->allowed[search->allowed_count++] = allowed;
}

bool file_search_has_dsym(struct file_search *search, const struct uuid *uuid)
{
	size_t count;
	const struct uuid_entry *entries =
	        uuid_index_find(search->index, uuid, &count);

	return entries && uuid_entry_is_dsym(&entries[0]);
}

void file_search_add_store(struct file_search *search, const char *store)
{
	MEM_GROW(search->stores, search->store_count, search->store_cap);
	search->stores[search->store_count++] = store;
}

void file_search_forget_asked(struct file_search *search)
{
	intern_release(&search->asked);
	search->asked = (struct intern){ 0 };
}

/** Add the map of @p uuid under the UUID @p user. */
static bool add_map(struct file_search *search, const char *store,
                    const struct uuid *uuid, const struct uuid *user)
{
	SCOPED(str_release) struct str path = { 0 };

	store_layout_add(store, uuid, STORE_MAP, &path);
	if (access(str_cstr(&path), F_OK))
		return false;
	symbol_maps_add(uuid_index_maps(search->index), user, str_cstr(&path));
	return true;
}

/** Add the store's map of a UUID. */
static void find_map(struct file_search *search, const char *store,
                     const struct uuid *uuid)
{
	SCOPED(str_release) struct str path = { 0 };
	struct uuid original;

	// Stores are searched repeatedly.
	if (symbol_maps_has(uuid_index_maps(search->index), uuid) ||
	    add_map(search, store, uuid, uuid))
		return;
	store_layout_add(store, uuid, STORE_UUID_MAP, &path);
	if (bundle_read_original(str_cstr(&path), &original))
		add_map(search, store, &original, uuid);
}

static void ask_store(struct file_search *search, const char *store,
                      const struct uuid *uuid)
{
	SCOPED(str_release) struct str path = { 0 };
	bool is_there = false;

	for (int file = 0; file < STORE_SYMBOL_FILES; file++) {
		str_clear(&path);
		store_layout_add(store, uuid, (enum store_file)file, &path);
		if (access(str_cstr(&path), F_OK))
			continue;
		uuid_index_add_known(search->index, str_cstr(&path));
		is_there = true;
	}
	if (is_there)
		find_map(search, store, uuid);
}

void file_search_ask_stores(struct file_search *search, const struct uuid *uuid)
{
	if (!search->store_count || uuid_is_zero(uuid) ||
	    !intern_add_new(&search->asked, uuid_key(uuid)))
		return;
	for (size_t i = 0; i < search->store_count; i++)
		ask_store(search, search->stores[i], uuid);
}

bool file_search_is_stored(const struct file_search *search,
                           const struct uuid_entry *entry)
{
	SCOPED(str_release) struct str path = { 0 };

	for (size_t i = 0; i < search->store_count; i++) {
		str_clear(&path);
		store_layout_add(search->stores[i], &entry->uuid,
		                 STORE_DEBUG_INFO, &path);
		if (!strcmp(str_cstr(&path), entry->path))
			return true;
	}
	return false;
}

void file_search_ask_catalog(struct file_search *search,
                             const struct cache_directory *directory,
                             const struct uuid *uuid)
{
	size_t count, first = 0;

	if (!directory || !search->uses_catalog || uuid_is_zero(uuid))
		return;
	if (!search->catalog_tried)
		search->catalog_fault =
		        uuid_catalog_open(directory, &search->catalog);
	search->catalog_tried = true;
	count = search->catalog
	                ? uuid_catalog_find(search->catalog, uuid, &first)
	                : 0;
	for (size_t i = first; count && i < first + count; i++) {
		struct catalog_item item;

		if (uuid_catalog_item(search->catalog, i, &item))
			uuid_index_add_known(search->index, item.path);
	}
	if (search->catalog && !search->catalog_fault)
		search->catalog_fault =
		        uuid_catalog_fault(search->catalog, directory);
}

const struct uuid_entry *file_search_find(struct file_search *search,
                                          const struct uuid *uuid,
                                          size_t *ret_count)
{
	const struct uuid_entry *entries = NULL;

	*ret_count = 0;
	if (!uuid_is_zero(uuid))
		entries = uuid_index_find(search->index, uuid, ret_count);
	for (size_t i = 0; i < search->allowed_count && !entries; i++) {
		if (!uuid_equal(&search->allowed[i].uuid, uuid))
			continue;
		entries = search->allowed[i].entries;
		*ret_count = search->allowed[i].count;
	}
	return entries;
}

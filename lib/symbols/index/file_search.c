// SPDX-License-Identifier: MIT
#include "lib/symbols/index/file_search.h"

#include "lib/base/mem.h"
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

void file_search_ask_stores(struct file_search *search, const struct uuid *uuid)
{
	SCOPED(str_release) struct str path = { 0 };
	size_t before = search->asked.count;
	char text[UUID_TEXT_SIZE];

	if (!search->store_count || uuid_is_zero(uuid) ||
	    intern_add(&search->asked, text_from(uuid_format(uuid, text))) !=
	            before)
		return;
	for (size_t i = 0; i < search->store_count; i++) {
		const char *store = search->stores[i];

		for (size_t k = 0; store_layout_add(store, uuid, k, &path);
		     k++) {
			if (!access(str_cstr(&path), F_OK))
				uuid_index_add_known(search->index,
				                     str_cstr(&path));
			str_clear(&path);
		}
	}
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

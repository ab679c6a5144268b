// SPDX-License-Identifier: MIT
#include "lib/symbols/gsym/tables.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

void gsym_tables_init(struct gsym_tables *tables)
{
	*tables = (struct gsym_tables){ .file_count = 1, .file_cap = 64 };
	tables->files = mem_zalloc(tables->file_cap, sizeof(*tables->files));
	MEM_GROW(tables->strings, 0, tables->string_cap);
	tables->strings[tables->string_count++] =
	        (struct gsym_string){ .cstr = "", .size = 1 };
	tables->strings_size = 1;
}

void gsym_tables_release(struct gsym_tables *tables)
{
	free(tables->strings);
	map_release(&tables->string_map);
	map_release(&tables->file_map);
	free(tables->files);
	*tables = (struct gsym_tables){ 0 };
}

static uint64_t hash_string(uint64_t seed, const void *key)
{
	const struct gsym_string *string = key;

	return hash_bytes(seed, string->cstr, string->size);
}

static bool is_string(const void *table, uint32_t index, const void *key)
{
	const struct gsym_tables *tables = table;
	const struct gsym_string *known = &tables->strings[index];
	const struct gsym_string *string = key;

	return known->size == string->size &&
	       !memcmp(known->cstr, string->cstr, string->size);
}

static const struct map_keys string_keys = { hash_string, is_string };

uint32_t gsym_tables_string(struct gsym_tables *tables, const char *cstr)
{
	size_t size = cstr ? strlen(cstr) + 1 : 1;
	struct gsym_string string = { .cstr = cstr };
	uint32_t index;

	if (size == 1)
		return 0;
	if (tables->strings_size + size > UINT32_MAX) {
		tables->too_large = true;
		return 0;
	}
	string.size = (uint32_t)size;
	string.offset = (uint32_t)tables->strings_size;
	index = map_add(&tables->string_map, &string_keys, tables, &string,
	                tables->string_count);
	if (index == tables->string_count) {
		MEM_GROW(tables->strings, tables->string_count,
		         tables->string_cap);
		tables->strings[tables->string_count++] = string;
		tables->strings_size += size;
	}
	return tables->strings[index].offset;
}

void gsym_tables_write_strings(const struct gsym_tables *tables,
                               struct str *out)
{
	for (size_t i = 0; i < tables->string_count; i++)
		str_add_bytes(out, tables->strings[i].cstr,
		              tables->strings[i].size);
}

static uint64_t hash_file(uint64_t seed, const void *key)
{
	return hash_bytes(seed, key, sizeof(struct gsym_file));
}

static bool is_file(const void *table, uint32_t index, const void *key)
{
	const struct gsym_tables *tables = table;

	return !memcmp(&tables->files[index], key, sizeof(struct gsym_file));
}

static const struct map_keys file_keys = { hash_file, is_file };

uint32_t gsym_tables_file(struct gsym_tables *tables, const char *directory,
                          const char *name)
{
	const struct gsym_file file = {
		.directory = gsym_tables_string(tables, directory),
		.name = gsym_tables_string(tables, name),
	};
	uint32_t index;

	if (!file.directory && !file.name)
		return 0;
	if (tables->file_count >= UINT32_MAX / sizeof(file)) {
		tables->too_large = true;
		return 0;
	}
	index = map_add(&tables->file_map, &file_keys, tables, &file,
	                tables->file_count);
	if (index == tables->file_count) {
		MEM_GROW(tables->files, tables->file_count, tables->file_cap);
		tables->files[tables->file_count++] = file;
	}
	return index;
}

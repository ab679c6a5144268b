#include "lib/symbols/gsym/tables.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

void gsym_tables_init(struct gsym_tables *tables)
{
	*tables = (struct gsym_tables){ .file_count = 1, .file_cap = 64 };
	tables->files = mem_zalloc(tables->file_cap, sizeof(*tables->files));
	str_add_char(&tables->strings, '\0');
}

void gsym_tables_release(struct gsym_tables *tables)
{
	str_release(&tables->strings);
	map_release(&tables->string_map);
	map_release(&tables->file_map);
	free(tables->files);
	*tables = (struct gsym_tables){ 0 };
}

static uint64_t hash_string(uint64_t seed, const void *key)
{
	return hash_bytes(seed, key, strlen(key));
}

static bool is_string(const void *table, uint32_t offset, const void *key)
{
	const struct gsym_tables *tables = table;

	return !strcmp(tables->strings.data + offset, key);
}

static const struct map_keys string_keys = { hash_string, is_string };

uint32_t gsym_tables_string(struct gsym_tables *tables, const char *cstr)
{
	size_t size = cstr ? strlen(cstr) : 0;
	size_t end = tables->strings.size;
	uint32_t offset;

	if (!size)
		return 0;
	if (end + size + 1 > UINT32_MAX) {
		tables->too_large = true;
		return 0;
	}
	offset = map_add(&tables->string_map, &string_keys, tables, cstr, end);
	if (offset == end)
		str_add_bytes(&tables->strings, cstr, size + 1);
	return offset;
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

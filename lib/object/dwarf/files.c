// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/files.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

/** Cost of building a path besides its bytes. */
#define PATH_WORK 64

void file_table_init(struct file_table *table, struct arena *arena)
{
	*table = (struct file_table){ .arena = arena };
	ARENA_GROW(arena, table->files, table->count, table->cap);
	table->files[table->count++] =
	        (struct debug_file){ .directory = "", .name = "" };
}

void file_table_release(struct file_table *table)
{
	map_release(&table->map);
	str_release(&table->path);
}

struct file_key {
	struct text directory;
	struct text name;
};

static uint64_t hash_file(uint64_t seed, const void *key)
{
	const struct file_key *file = key;
	uint64_t hash =
	        hash_bytes(seed, file->directory.data, file->directory.size);

	return hash_bytes(hash, file->name.data, file->name.size);
}

static bool is_file(const void *context, uint32_t index, const void *key)
{
	const struct file_table *table = context;
	const struct file_key *file = key;

	return text_is(file->directory, table->files[index].directory) &&
	       text_is(file->name, table->files[index].name);
}

static const struct map_keys file_keys = { hash_file, is_file };

uint32_t file_table_add(struct file_table *table, struct text path)
{
	size_t slash = text_find_last_char(path, '/');
	struct file_key file = { .name = path };
	uint32_t index;

	if (slash != TEXT_NOWHERE) {
		// The root keeps its slash.
		file.directory = text_first(path, slash ? slash : 1);
		file.name = text_after(path, slash + 1);
	}
	index = map_add(&table->map, &file_keys, table, &file, table->count);
	if (index == table->count) {
		ARENA_GROW(table->arena, table->files, table->count,
		           table->cap);
		table->files[table->count++] = (struct debug_file){
			.directory = arena_text(table->arena, file.directory),
			.name = arena_text(table->arena, file.name),
		};
	}
	return index;
}

void unit_files_init(struct unit_files *files, struct file_table *table,
                     const struct line_table *lines, struct dwarf_work *work)
{
	*files = (struct unit_files){ .table = table,
		                      .lines = lines,
		                      .work = work };
}

void unit_files_release(struct unit_files *files)
{
	free(files->known);
	files->known = NULL;
}

uint32_t unit_files_index(struct unit_files *files, uint64_t number)
{
	if (number >= files->lines->file_count)
		return 0;
	// A line program may add files while it runs.
	if (number >= files->known_count) {
		size_t count = files->lines->file_count;

		files->known =
		        mem_realloc(files->known, count, sizeof(*files->known));
		memset(&files->known[files->known_count], 0,
		       (count - files->known_count) * sizeof(*files->known));
		files->known_count = count;
	}
	// Charge failed lookups, too.
	if (!files->known[number] && dwarf_work_take(files->work, PATH_WORK) &&
	    line_table_path(files->lines, number, &files->table->path) &&
	    dwarf_work_take(files->work, files->table->path.size))
		files->known[number] = file_table_add(
		        files->table, str_text(&files->table->path));
	return files->known[number];
}

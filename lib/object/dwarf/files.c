#include "lib/object/dwarf/files.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <stdlib.h>
#include <string.h>

void file_table_init(struct file_table *table, struct arena *arena)
{
	*table = (struct file_table){ .arena = arena, .seed = hash_seed() };
	ARENA_GROW(arena, table->files, table->count, table->cap);
	table->files[table->count++] =
	        (struct debug_file){ .directory = "", .name = "" };
}

void file_table_release(struct file_table *table)
{
	free(table->slots);
	table->slots = NULL;
	table->slot_count = 0;
	str_release(&table->path);
}

static size_t hash_file(const struct file_table *table, struct text directory,
                        struct text name)
{
	uint64_t hash = hash_bytes(table->seed, directory.data, directory.size);

	return (size_t)hash_bytes(hash, name.data, name.size);
}

/** The slot of a file, or the free one where it belongs. */
static uint32_t *find_slot(const struct file_table *table,
                           struct text directory, struct text name)
{
	size_t i = hash_file(table, directory, name) & (table->slot_count - 1);

	while (table->slots[i]) {
		const struct debug_file *file = &table->files[table->slots[i]];

		if (text_is(directory, file->directory) &&
		    text_is(name, file->name))
			break;
		i = (i + 1) & (table->slot_count - 1);
	}
	return &table->slots[i];
}

static void grow_slots(struct file_table *table)
{
	table->slot_count = table->slot_count ? table->slot_count * 2 : 64;
	free(table->slots);
	table->slots = mem_zalloc(table->slot_count, sizeof(*table->slots));
	for (size_t i = 1; i < table->count; i++) {
		const struct debug_file *file = &table->files[i];

		*find_slot(table, text_from(file->directory),
		           text_from(file->name)) = (uint32_t)i;
	}
}

/** The index of a path; it is cut at its last slash. */
static uint32_t file_index(struct file_table *table, struct text path)
{
	size_t slash = text_find_last_char(path, '/');
	struct text directory = TEXT_NONE;
	struct text name = path;

	if (slash != TEXT_NOWHERE) {
		// The root keeps its slash.
		directory = text_first(path, slash ? slash : 1);
		name = text_after(path, slash + 1);
	}
	if (table->count * 2 >= table->slot_count)
		grow_slots(table);
	uint32_t *slot = find_slot(table, directory, name);
	if (!*slot) {
		*slot = (uint32_t)table->count;
		ARENA_GROW(table->arena, table->files, table->count,
		           table->cap);
		table->files[table->count++] = (struct debug_file){
			.directory = arena_text(table->arena, directory),
			.name = arena_text(table->arena, name),
		};
	}
	return *slot;
}

void unit_files_init(struct unit_files *files, struct file_table *table,
                     const struct line_table *lines)
{
	*files = (struct unit_files){ .table = table, .lines = lines };
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
	if (!files->known[number] &&
	    line_table_path(files->lines, number, &files->table->path))
		files->known[number] =
		        file_index(files->table, str_text(&files->table->path));
	return files->known[number];
}

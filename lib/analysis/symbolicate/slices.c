#include "lib/analysis/symbolicate/slices.h"

#include "lib/base/str.h"
#include "lib/base/uuid.h"

static const struct table_column columns[SLICE_COLUMN_COUNT] = {
	[SLICE_UUID] = { "uuid", "UUID", TABLE_TEXT },
	[SLICE_ARCH] = { "arch", "arch", TABLE_TEXT },
	[SLICE_PATH] = { "path", "path", TABLE_PATH },
	[SLICE_TYPE] = { "type", NULL, TABLE_TEXT },
};

void slices_init(struct slices *slices, const char *arch)
{
	*slices = (struct slices){
		.arch = arch,
		.table = { .name = "uuids",
		           .rows_name = "slices",
		           .columns = columns,
		           .column_count = SLICE_COLUMN_COUNT },
	};
}

void slices_release(struct slices *slices)
{
	arena_release(&slices->arena);
}

static void add_note(struct slices *slices, const char *path, const char *text)
{
	struct arena *arena = &slices->arena;

	ARENA_GROW(arena, slices->notes, slices->note_count, slices->note_cap);
	slices->notes[slices->note_count++] = (struct note){
		.place = arena_strdup(arena, path),
		.text = arena_strdup(arena, text),
	};
}

static void add_entry(struct slices *slices, const struct uuid_entry *entry)
{
	struct arena *arena = &slices->arena;
	struct table_cell *row;
	char uuid[UUID_TEXT_SIZE];

	if (!uuid_entry_has_arch(entry, slices->arch))
		return;
	if (uuid_is_zero(&entry->uuid)) {
		// Object files have none; only linked images do.
		if (!uuid_entry_is_object(entry))
			add_note(slices, entry->path,
			         arena_printf(arena, "slice %s has no UUID",
			                      uuid_entry_arch(entry)));
		return;
	}
	row = table_add_row(&slices->table, arena);
	table_set_text(&row[SLICE_UUID],
	               arena_strdup(arena, uuid_format(&entry->uuid, uuid)));
	table_set_text(&row[SLICE_ARCH], uuid_entry_arch(entry));
	table_set_text(&row[SLICE_PATH], arena_strdup(arena, entry->path));
	table_set_text(&row[SLICE_TYPE], uuid_entry_type(entry));
}

static void add_problems(struct slices *slices, const struct uuid_index *index)
{
	const struct uuid_problem *problems;
	size_t count;

	problems = uuid_index_problems(index, &count);
	for (size_t i = 0; i < count; i++)
		add_note(slices, problems[i].path, problems[i].reason);
	slices->damaged |= count > 0;
}

static void drop_index(struct uuid_index **index)
{
	uuid_index_free(*index);
}

struct error *slices_add(struct slices *slices, const char *path)
{
	// An index of its own, so that a path given twice is listed twice.
	SCOPED(drop_index) struct uuid_index *index = uuid_index_new();
	struct error *err = uuid_index_add(index, path);
	size_t before = slices->table.row_count;
	const struct uuid_entry *entries;
	size_t count;

	entries = uuid_index_all(index, &count);
	for (size_t i = 0; i < count; i++)
		add_entry(slices, &entries[i]);
	add_problems(slices, index);
	if (err || slices->table.row_count > before)
		return err;
	if (slices->arch)
		return error_new(ERROR_NOT_FOUND,
		                 "no UUID for architecture '%s' in '%s'",
		                 slices->arch, path);
	return error_new(ERROR_NOT_FOUND, "no UUID in '%s'", path);
}

static struct error *ambiguous(const struct uuid_entry *entries, size_t count,
                               const char *path, const char *arch)
{
	SCOPED(str_release) struct str archs = { 0 };

	if (arch)
		return error_new(ERROR_USAGE,
		                 "'%s' holds several images for %s: name "
		                 "the file of one with -o",
		                 path, arch);
	for (size_t i = 0; i < count; i++)
		str_addf(&archs, "%s%s", i ? ", " : "",
		         uuid_entry_arch(&entries[i]));
	return error_new(ERROR_USAGE, "'%s' holds %s: choose one with -arch",
	                 path, str_cstr(&archs));
}

struct error *slice_choose(const struct uuid_index *index, const char *path,
                           const char *arch, const struct uuid_entry **ret)
{
	const struct uuid_entry *chosen = NULL;
	const struct uuid_entry *entries;
	size_t count;

	entries = uuid_index_all(index, &count);
	for (size_t i = 0; i < count; i++) {
		const struct uuid_entry *entry = &entries[i];

		if (!uuid_entry_has_arch(entry, arch))
			continue;
		if (chosen && !uuid_equal(&chosen->uuid, &entry->uuid))
			return ambiguous(entries, count, path, arch);
		if (!chosen)
			chosen = entry;
	}
	if (!chosen && arch && count)
		return error_new(ERROR_NOT_FOUND, "'%s' has no slice '%s'",
		                 path, arch);
	if (!chosen)
		return error_new(ERROR_NOT_FOUND,
		                 "no Mach-O file or dSYM in '%s'", path);
	*ret = chosen;
	return NULL;
}

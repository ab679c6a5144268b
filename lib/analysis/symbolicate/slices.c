// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/slices.h"

#include "lib/base/intern.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/uuid.h"
#include "lib/symbols/index/unread_packed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** More files of a directory are not named, or not opened. */
#define SLICES_LISTED_MAX 8
#define SLICES_OPENED_MAX 64

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
	slices->notes[slices->note_count++] = (struct notice){
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

/** Append, after `: `, which files of @p index are compressed, if any. */
static void add_packed(struct str *out, const struct uuid_index *index)
{
	const struct unread_packed *packed = uuid_index_packed(index);

	if (!packed->paths.count)
		return;
	str_add(out, ": ");
	unread_packed_describe(packed, out);
}

struct error *slices_add(struct slices *slices, const char *path)
{
	// A separate index, so that a path given twice is listed twice.
	SCOPED(drop_index) struct uuid_index *index = uuid_index_new();
	struct error *err = uuid_index_add(index, path);
	size_t before = slices->table.row_count;
	SCOPED(str_release) struct str packed = { 0 };
	const struct uuid_entry *entries;
	size_t count;

	entries = uuid_index_all(index, &count);
	for (size_t i = 0; i < count; i++)
		add_entry(slices, &entries[i]);
	add_problems(slices, index);
	if (err || slices->table.row_count > before)
		return err;
	add_packed(&packed, index);
	if (slices->arch)
		return error_new(ERROR_NOT_FOUND,
		                 "no UUID for architecture '%s' in '%s'%s",
		                 slices->arch, path, str_cstr(&packed));
	return error_new(ERROR_NOT_FOUND, "no UUID in '%s'%s", path,
	                 str_cstr(&packed));
}

/** Matching slices, one per UUID. */
struct candidates {
	const struct uuid_entry **items;
	size_t count;
	size_t cap;
};

static void candidates_release(struct candidates *list)
{
	free(list->items);
}

static bool is_candidate(const struct uuid_entry *entry,
                         const struct slice_wish *wish)
{
	return uuid_entry_has_arch(entry, wish->arch) &&
	       (uuid_is_zero(&wish->uuid) ||
	        uuid_equal(&entry->uuid, &wish->uuid));
}

static void add_candidate(struct candidates *list,
                          const struct uuid_entry *entry)
{
	for (size_t i = 0; i < list->count; i++)
		if (uuid_equal(&list->items[i]->uuid, &entry->uuid))
			return;
	MEM_GROW(list->items, list->count, list->cap);
	list->items[list->count++] = entry;
}

static void add_candidates(struct candidates *list,
                           const struct uuid_entry *entries, size_t count,
                           const struct slice_wish *wish, bool gsyms)
{
	for (size_t i = 0; i < count; i++)
		if (uuid_entry_is_gsym(&entries[i]) == gsyms &&
		    is_candidate(&entries[i], wish))
			add_candidate(list, &entries[i]);
}

/** Refuse several architectures: one must be named. */
static struct error *check_archs(const struct candidates *list,
                                 const char *path)
{
	SCOPED(str_release) struct str archs = { 0 };
	const char *first = uuid_entry_arch(list->items[0]);
	bool differ = false;

	for (size_t i = 0; i < list->count; i++) {
		const char *arch = uuid_entry_arch(list->items[i]);

		differ |= strcmp(arch, first) != 0;
		str_addf(&archs, "%s%s", i ? ", " : "", arch);
	}
	if (!differ)
		return NULL;
	return error_new(ERROR_USAGE, "'%s' holds %s: choose one with -arch",
	                 path, str_cstr(&archs));
}

static struct error *ambiguous(const struct candidates *list, const char *path)
{
	SCOPED(str_release) struct str files = { 0 };
	char uuid[UUID_TEXT_SIZE];

	for (size_t i = 0; i < list->count && i < SLICES_LISTED_MAX; i++)
		str_addf(&files, "%s%s %s", i ? ", " : "",
		         uuid_format(&list->items[i]->uuid, uuid),
		         list->items[i]->path);
	if (list->count > SLICES_LISTED_MAX)
		str_addf(&files, " and %zu more",
		         list->count - SLICES_LISTED_MAX);
	return error_new(ERROR_USAGE,
	                 "'%s' holds several images for %s, and the addresses "
	                 "do not say which: choose one with -uuid, or name its "
	                 "file with -o: %s",
	                 path, uuid_entry_arch(list->items[0]),
	                 str_cstr(&files));
}

/** Can @p entry be for the CPU of @p other? */
static bool is_of_cpu(const struct uuid_entry *entry,
                      const struct uuid_entry *other)
{
	struct symbol_facts facts = uuid_entry_facts(entry);
	struct symbol_facts wanted = uuid_entry_facts(other);

	return facts.any_cpu || (facts.cpu_type == wanted.cpu_type &&
	                         facts.cpu_subtype == wanted.cpu_subtype);
}

/** Files with the architecture of @p entry; a GSYM has none. */
static struct slice_choice files_of(struct uuid_index *index,
                                    const struct uuid_entry *entry)
{
	struct slice_choice ret = { .entry = entry };
	size_t count;
	const struct uuid_entry *entries =
	        uuid_index_find(index, &entry->uuid, &count);

	// Without a UUID there is no other.
	if (!count) {
		entries = entry;
		count = 1;
	}
	ret.files = mem_zalloc(count, sizeof(*ret.files));
	for (size_t i = 0; i < count; i++)
		if (is_of_cpu(&entries[i], entry))
			ret.files[ret.count++] = entries[i];
	return ret;
}

void slice_choice_release(struct slice_choice *choice)
{
	free(choice->files);
}

struct error *slice_choice_read_text(const struct slice_choice *choice,
                                     uint64_t *ret_address, uint64_t *ret_size)
{
	struct error *first =
	        uuid_entry_read_text(choice->entry, ret_address, ret_size);

	for (size_t i = 0; first && i < choice->count; i++) {
		struct error *err = uuid_entry_read_text(&choice->files[i],
		                                         ret_address, ret_size);

		if (!err) {
			error_free(first);
			return NULL;
		}
		error_free(err);
	}
	return first;
}

/** The only candidate whose code covers all addresses; or NULL. */
static const struct uuid_entry *find_fitting(const struct candidates *list,
                                             struct uuid_index *index,
                                             const struct slice_wish *wish)
{
	const struct uuid_entry *fitting = NULL;

	if (!wish->fits || list->count > SLICES_OPENED_MAX)
		return NULL;
	for (size_t i = 0; i < list->count; i++) {
		uint64_t address = 0, size = 0;
		SCOPED(slice_choice_release)
		struct slice_choice choice = files_of(index, list->items[i]);
		struct error *err =
		        slice_choice_read_text(&choice, &address, &size);

		if (!err && wish->fits(address, size, wish->context)) {
			if (fitting)
				return NULL;
			fitting = list->items[i];
		}
		error_free(err);
	}
	return fitting;
}

/** Nothing was found: report unreadable files. */
static struct error *nothing_found(const struct uuid_index *index,
                                   const char *path)
{
	size_t count;
	const struct uuid_problem *problem = uuid_index_problems(index, &count);
	SCOPED(str_release) struct str packed = { 0 };

	add_packed(&packed, index);
	if (!count)
		return error_new(ERROR_NOT_FOUND,
		                 "no Mach-O file or dSYM in '%s'%s", path,
		                 str_cstr(&packed));
	return error_new(ERROR_NOT_FOUND,
	                 "no Mach-O file or dSYM in '%s' could be read: %s: %s",
	                 path, problem->path, problem->reason);
}

/** `arm64, x86_64`, each once. */
static void add_archs(struct str *out, const struct uuid_entry *entries,
                      size_t count)
{
	SCOPED(intern_release) struct intern archs = { 0 };

	for (size_t i = 0; i < count; i++)
		intern_add(&archs, text_from(uuid_entry_arch(&entries[i])));
	for (uint32_t i = 0; i < archs.count && i < SLICES_LISTED_MAX; i++)
		str_addf(out, "%s%s", i ? ", " : "", intern_cstr(&archs, i));
	if (archs.count > SLICES_LISTED_MAX)
		str_addf(out, " and %" PRIu32 " more",
		         archs.count - SLICES_LISTED_MAX);
}

/** Why the wanted slice was skipped; NULL: unknown. */
static const struct uuid_problem *find_problem(const struct uuid_index *index,
                                               const char *arch)
{
	size_t count;
	const struct uuid_problem *problems =
	        uuid_index_problems(index, &count);

	for (size_t i = 0; i < count; i++) {
		struct text reason = text_from(problems[i].reason);
		struct text rest;

		if (!text_starts(reason, "slice "))
			continue;
		rest = text_after(reason, strlen("slice "));
		if (text_starts(rest, arch) &&
		    strchr(": ",
		           problems[i].reason[strlen("slice ") + strlen(arch)]))
			return &problems[i];
	}
	return NULL;
}

static struct error *none_found(const struct uuid_index *index,
                                const char *path, const struct slice_wish *wish)
{
	SCOPED(str_release) struct str archs = { 0 };
	char uuid[UUID_TEXT_SIZE];
	const struct uuid_problem *problem =
	        wish->arch ? find_problem(index, wish->arch) : NULL;
	size_t count;
	const struct uuid_entry *entries = uuid_index_all(index, &count);

	if (!count)
		return nothing_found(index, path);
	if (problem)
		return error_new(ERROR_NOT_FOUND, "'%s': %s", problem->path,
		                 problem->reason);
	if (!uuid_is_zero(&wish->uuid))
		return error_new(ERROR_NOT_FOUND, "'%s' has no slice %s%s%s",
		                 path, uuid_format(&wish->uuid, uuid),
		                 wish->arch ? " for " : "",
		                 wish->arch ? wish->arch : "");
	add_archs(&archs, entries, count);
	return error_new(ERROR_NOT_FOUND, "'%s' has no slice '%s', but %s",
	                 path, wish->arch, str_cstr(&archs));
}

struct error *slice_choose(struct uuid_index *index, const char *path,
                           const struct slice_wish *wish,
                           struct slice_choice *ret)
{
	SCOPED(candidates_release) struct candidates list = { 0 };
	const struct uuid_entry *entries, *chosen;
	struct error *err;
	size_t count;

	entries = uuid_index_all(index, &count);
	add_candidates(&list, entries, count, wish, false);
	// These have no architecture.
	if (!list.count)
		add_candidates(&list, entries, count, wish, true);
	if (!list.count)
		return none_found(index, path, wish);
	chosen = list.items[0];
	if (list.count > 1) {
		err = check_archs(&list, path);
		if (err)
			return err;
		chosen = find_fitting(&list, index, wish);
	}
	if (!chosen)
		return ambiguous(&list, path);
	*ret = files_of(index, chosen);
	return NULL;
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/index/uuid_index.h"

#include "lib/base/arena.h"
#include "lib/base/intern.h"
#include "lib/base/mem.h"
#include "lib/base/sorted.h"
#include "lib/symbols/index/map.h"
#include "lib/symbols/index/symbol_walk.h"
#include "lib/symbols/index/unread_packed.h"

#include <stdlib.h>
#include <string.h>

struct uuid_index {
	struct arena arena; ///< paths and reasons
	struct uuid_entry *entries;
	size_t count;
	size_t cap;
	struct uuid_entry *sorted; ///< by `entries`; stale when dirty
	bool dirty;
	struct uuid_entry *by_name; ///< NULL: not built since it was dirty
	struct symbol_maps *maps;
	struct uuid_problem *problems;
	size_t problem_count;
	size_t problem_cap;
	struct intern paths; ///< of all files found
	struct uuid_searched searched;
	struct unread_packed packed;
	size_t turn; ///< of the current path
};

struct uuid_index *uuid_index_new(void)
{
	struct uuid_index *index = mem_zalloc(1, sizeof(*index));

	index->maps = symbol_maps_new();
	return index;
}

void uuid_index_free(struct uuid_index *index)
{
	if (!index)
		return;
	free(index->entries);
	free(index->sorted);
	free(index->by_name);
	symbol_maps_free(index->maps);
	free(index->problems);
	intern_release(&index->paths);
	unread_packed_release(&index->packed);
	arena_release(&index->arena);
	free(index);
}

static const char *take_path(void *context, const char *path)
{
	struct uuid_index *index = context;
	uint32_t known = index->paths.count;
	uint32_t id = intern_add(&index->paths, text_from(path));

	return id == known ? intern_cstr(&index->paths, id) : NULL;
}

static void add_slice(void *context, const struct uuid_entry *entry)
{
	struct uuid_index *index = context;

	MEM_GROW(index->entries, index->count, index->cap);
	index->entries[index->count] = *entry;
	index->entries[index->count++].turn = index->turn;
	index->dirty = true;
}

static void add_map(void *context, const struct uuid *uuid, const char *path)
{
	struct uuid_index *index = context;

	symbol_maps_add(index->maps, uuid, path);
}

static void add_problem(void *context, const char *path, const char *reason)
{
	struct uuid_index *index = context;

	MEM_GROW(index->problems, index->problem_count, index->problem_cap);
	index->problems[index->problem_count++] = (struct uuid_problem){
		.path = arena_strdup(&index->arena, path),
		.reason = arena_strdup(&index->arena, reason),
	};
}

static void add_packed(void *context, const char *path, const char *what)
{
	struct uuid_index *index = context;

	unread_packed_add(&index->packed, path, what);
}

static const struct symbol_visitor visitor = {
	.take = take_path,
	.slice = add_slice,
	.map = add_map,
	.problem = add_problem,
	.packed = add_packed,
};

/** Walk @p path; its entries come after all earlier ones. */
static struct error *walk_next(struct uuid_index *index,
                               struct symbol_walk *walk, const char *path)
{
	walk->visitor = &visitor;
	walk->context = index;
	index->turn++;
	return symbol_walk(walk, path);
}

static struct error *add_path(struct uuid_index *index, struct symbol_walk walk,
                              const char *path)
{
	struct uuid_searched *searched = &index->searched;
	struct error *err = walk_next(index, &walk, path);

	if (!walk.is_system) {
		searched->file_count += walk.file_count;
		searched->macho_count += walk.macho_count;
	}
	if (!err && !walk.found && walk.archive_found && !walk.may_hold_others)
		return error_new(ERROR_UNSUPPORTED,
		                 "'%s' holds neither a dSYM nor a Mach-O file",
		                 path);
	if (!err && !walk.found && !walk.may_hold_others)
		return error_new(ERROR_UNSUPPORTED,
		                 "'%s' is neither a dSYM nor a Mach-O file",
		                 path);
	if (!err && !walk.is_system && !searched->path_count++)
		searched->path = arena_strdup(&index->arena, path);
	return err;
}

struct error *uuid_index_add(struct uuid_index *index, const char *path)
{
	return add_path(index, (struct symbol_walk){ 0 }, path);
}

struct error *uuid_index_add_place(struct uuid_index *index, const char *path)
{
	return add_path(
	        index, (struct symbol_walk){ .is_one_of_several = true }, path);
}

struct error *uuid_index_add_system(struct uuid_index *index, const char *path)
{
	return add_path(index,
	                (struct symbol_walk){ .is_one_of_several = true,
	                                      .is_system = true },
	                path);
}

struct error *uuid_index_add_found(struct uuid_index *index, const char *path,
                                   struct file_budget *budget)
{
	return add_path(index,
	                (struct symbol_walk){ .is_one_of_several = true,
	                                      .budget = budget },
	                path);
}

bool uuid_index_add_near(struct uuid_index *index, const char *path,
                         struct file_budget *budget)
{
	struct symbol_walk walk = { .only_dsyms = true, .budget = budget };
	SCOPED(error_drop) struct error *err = walk_next(index, &walk, path);

	return !err || error_code(err) != ERROR_LIMIT || budget->entries;
}

void uuid_index_add_known(struct uuid_index *index, const char *path)
{
	struct symbol_walk walk = { 0 };

	// The file may have been replaced by a large directory.
	if (!file_is_directory(path))
		error_free(walk_next(index, &walk, path));
}

struct error *uuid_index_add_maps(struct uuid_index *index, const char *path)
{
	struct symbol_walk walk = { .only_maps = true };
	struct error *err = walk_next(index, &walk, path);

	if (err || walk.found)
		return err;
	if (walk.may_hold_others || walk.archive_found)
		return error_new(ERROR_NOT_FOUND,
		                 "no '<UUID>.bcsymbolmap' below '%s'", path);
	return error_new(ERROR_USAGE, "'%s' is not named '<UUID>.bcsymbolmap'",
	                 path);
}

struct symbol_maps *uuid_index_maps(struct uuid_index *index)
{
	return index->maps;
}

/** Priority of a file among those with its UUID. */
static int rank(const struct uuid_entry *entry)
{
	enum symbol_role role = uuid_entry_facts(entry).role;

	return (int)(role < SYMBOL_ROLE_IMAGE ? role : SYMBOL_ROLE_IMAGE);
}

/**
 * Order: not of the system, dSYMs, order of added paths, path, position in the
 * file.
 */
static int compare_places(const struct uuid_entry *x,
                          const struct uuid_entry *y)
{
	int order;

	if (x->is_system != y->is_system)
		return x->is_system ? 1 : -1;
	if (rank(x) != rank(y))
		return rank(x) - rank(y);
	if (x->turn != y->turn)
		return x->turn < y->turn ? -1 : 1;
	order = strcmp(x->path, y->path);
	if (order)
		return order;
	return (x->at.offset > y->at.offset) - (x->at.offset < y->at.offset);
}

/** A total order. */
static int compare_entries(const void *a, const void *b)
{
	const struct uuid_entry *x = a;
	const struct uuid_entry *y = b;
	int order = uuid_compare(&x->uuid, &y->uuid);

	return order ? order : compare_places(x, y);
}

static int compare_names(const void *a, const void *b)
{
	const struct uuid_entry *x = a;
	const struct uuid_entry *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : compare_places(x, y);
}

static struct uuid_entry *sorted_copy(const struct uuid_index *index,
                                      int (*compare)(const void *,
                                                     const void *))
{
	struct uuid_entry *copy = mem_zalloc(index->count, sizeof(*copy));

	if (!index->count)
		return copy;
	memcpy(copy, index->entries, index->count * sizeof(*copy));
	qsort(copy, index->count, sizeof(*copy), compare);
	return copy;
}

static void sort_entries(struct uuid_index *index)
{
	free(index->by_name);
	index->by_name = NULL;
	free(index->sorted);
	index->sorted = sorted_copy(index, compare_entries);
	index->dirty = false;
}

const struct uuid_entry *uuid_index_find(struct uuid_index *index,
                                         const struct uuid *uuid,
                                         size_t *ret_count)
{
	size_t first, end;

	*ret_count = 0;
	// Slices without a UUID do not share one.
	if (uuid_is_zero(uuid))
		return NULL;
	if (index->dirty)
		sort_entries(index);
	first = end =
	        SORTED_SKIP(i, index->count,
	                    uuid_compare(&index->sorted[i].uuid, uuid) < 0);
	while (end < index->count && uuid_equal(&index->sorted[end].uuid, uuid))
		end++;
	*ret_count = end - first;
	return end > first ? &index->sorted[first] : NULL;
}

const struct uuid_entry *uuid_index_find_name(struct uuid_index *index,
                                              const char *name,
                                              size_t *ret_count)
{
	size_t first, end;

	if (index->dirty)
		sort_entries(index);
	if (!index->by_name)
		index->by_name = sorted_copy(index, compare_names);
	first = end = SORTED_SKIP(i, index->count,
	                          strcmp(index->by_name[i].name, name) < 0);
	while (end < index->count && !strcmp(index->by_name[end].name, name))
		end++;
	*ret_count = end - first;
	return end > first ? &index->by_name[first] : NULL;
}

const struct uuid_entry *uuid_index_all(const struct uuid_index *index,
                                        size_t *ret_count)
{
	*ret_count = index->count;
	return index->entries;
}

const struct uuid_searched *uuid_index_searched(const struct uuid_index *index)
{
	return &index->searched;
}

const struct uuid_problem *uuid_index_problems(const struct uuid_index *index,
                                               size_t *ret_count)
{
	*ret_count = index->problem_count;
	return index->problems;
}

const struct unread_packed *uuid_index_packed(const struct uuid_index *index)
{
	return &index->packed;
}

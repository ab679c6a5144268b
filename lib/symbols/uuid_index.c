#include "lib/symbols/uuid_index.h"

#include "lib/base/arena.h"
#include "lib/base/file.h"
#include "lib/base/intern.h"
#include "lib/base/mem.h"
#include "lib/base/sorted.h"
#include "lib/darwin/cpu.h"
#include "lib/object/macho/macho.h"
#include "lib/symbols/map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** Load commands of real images take some 10 KB; kernels' some 100 KB. */
#define COMMANDS_MAX_BYTES ((uint64_t)1 << 20)

struct uuid_index {
	struct arena arena; ///< paths and reasons
	struct uuid_entry *entries;
	size_t count;
	size_t cap;
	struct uuid_entry *sorted; ///< as many; stale when dirty
	bool dirty;
	struct uuid_entry *by_name; ///< NULL: not asked for since it was dirty
	struct symbol_maps *maps;
	struct uuid_problem *problems;
	size_t problem_count;
	size_t problem_cap;
	struct intern paths; ///< of all Mach-O files and maps seen
	struct uuid_searched searched;
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
	arena_release(&index->arena);
	free(index);
}

static void add_problem(struct uuid_index *index, const char *path,
                        const char *reason)
{
	MEM_GROW(index->problems, index->problem_count, index->problem_cap);
	index->problems[index->problem_count++] = (struct uuid_problem){
		.path = path,
		.reason = arena_strdup(&index->arena, reason),
	};
}

/** Takes @p err. */
static void add_problem_error(struct uuid_index *index, const char *path,
                              struct error *err)
{
	add_problem(index, path, error_message(err));
	error_free(err);
}

/** A file at work. */
struct indexing {
	struct uuid_index *index;
	const char *path; ///< the index's copy
	uint8_t head[MACHO_HEAD_BYTES];
	size_t head_size;
	bool fat;
	bool is_system;
};

/** Say why @p head, as much as a slice has, is no image. */
static struct error *why_damaged(struct bytes head, uint64_t needed)
{
	struct macho macho = { 0 };
	struct error *err;

	if (needed > COMMANDS_MAX_BYTES)
		return error_new(ERROR_LIMIT,
		                 "load commands: %" PRIu64
		                 " bytes are more than 1 MB",
		                 needed);
	err = macho_parse(head, &macho);
	macho_release(&macho);
	if (!err)
		err = error_new(ERROR_FORMAT,
		                "the file changed while it was read");
	return err;
}

/**
 * Read the first @p size bytes of a slice, fewer where it ends before.
 *
 * @param buffer  The caller frees it; @p ret lies in it or in the head.
 */
static struct error *read_slice_head(const struct indexing *file,
                                     const struct macho_slice *slice,
                                     uint64_t size, uint8_t **buffer,
                                     struct bytes *ret)
{
	struct bytes head = { .data = file->head, .size = file->head_size };
	struct error *err;

	if (size > slice->size)
		size = slice->size;
	if (bytes_has(head, slice->offset, size)) {
		*ret = bytes_part(head, slice->offset, size);
		return NULL;
	}
	*buffer = mem_realloc(*buffer, (size_t)size, 1);
	err = file_peek(file->path, slice->offset, *buffer, (size_t)size,
	                &ret->size);
	ret->data = *buffer;
	return err;
}

/** Fills what an entry needs; an error where the slice is damaged. */
static struct error *read_slice(const struct indexing *file,
                                const struct macho_slice *slice,
                                struct uuid_entry *entry)
{
	SCOPED(mem_drop) uint8_t *buffer = NULL;
	uint64_t size = MACHO_HEAD_BYTES;
	struct bytes head = { 0 };
	uint64_t needed = 0;
	struct error *err;

	// A second time where the load commands are longer than one head.
	for (int attempt = 0; attempt < 2; attempt++) {
		err = read_slice_head(file, slice, size, &buffer, &head);
		if (err)
			return err;
		if (macho_peek_uuid(head, &entry->uuid, &entry->file_type,
		                    &entry->cpu_type, &entry->cpu_subtype,
		                    &needed))
			return NULL;
		if (needed <= head.size || needed > COMMANDS_MAX_BYTES)
			break;
		size = needed;
	}
	return why_damaged(head, needed);
}

static void index_slice(const struct indexing *file,
                        const struct macho_slice *slice)
{
	struct uuid_index *index = file->index;
	struct uuid_entry entry = {
		.path = file->path,
		.name = text_base_cstr(file->path),
		.offset = slice->offset,
		.size = slice->size,
		.is_system = file->is_system,
	};
	struct error *err = read_slice(file, slice, &entry);

	if (err && error_code(err) == ERROR_UNSUPPORTED) {
		// A universal static library: its slices are archives.
		error_free(err);
		return;
	}
	if (err) {
		if (file->fat)
			err = error_prefix(
			        err, "slice %s",
			        darwin_arch_label(slice->cpu_type,
			                          slice->cpu_subtype));
		add_problem_error(index, file->path, err);
		return;
	}
	MEM_GROW(index->entries, index->count, index->cap);
	index->entries[index->count++] = entry;
	index->dirty = true;
}

static void index_slices(struct indexing *file, uint64_t file_size)
{
	struct bytes head = { .data = file->head, .size = file->head_size };
	struct macho_slices slices;
	struct error *err = macho_slices_from_head(head, file_size, &slices);

	if (err) {
		add_problem_error(file->index, file->path, err);
		return;
	}
	file->fat = slices.fat;
	for (size_t i = 0; i < slices.count; i++)
		index_slice(file, &slices.slices[i]);
	if (slices.skipped) {
		err = error_new(ERROR_FORMAT,
		                "%zu slice%s left out: outside the file, or "
		                "more than %d",
		                slices.skipped, slices.skipped > 1 ? "s" : "",
		                MACHO_SLICES_MAX);
		add_problem_error(file->index, file->path, err);
	}
}

struct addition {
	struct uuid_index *index;
	bool is_directory;
	bool is_system;
	bool found; ///< anything of what is looked for
};

/** A copy of @p path; NULL where it has been added before. */
static const char *keep_path(struct uuid_index *index, const char *path)
{
	uint32_t known = index->paths.count;
	uint32_t id = intern_add(&index->paths, text_from(path));

	return id == known ? intern_cstr(&index->paths, id) : NULL;
}

/** Remember a map; one that cannot be read is a problem. */
static struct error *index_map(struct addition *addition,
                               const struct file_found *found,
                               const struct uuid *uuid)
{
	struct uuid_index *index = addition->index;
	const char *path = keep_path(index, found->path);
	struct error *err;

	addition->found = true;
	if (!path)
		return NULL;
	err = symbol_map_check(path, found->size_bytes);
	if (!err)
		symbol_maps_add(index->maps, uuid, path);
	else if (!addition->is_directory)
		return error_prefix(err, "%s", path);
	else
		add_problem_error(index, path, err);
	return NULL;
}

static struct error *index_macho(struct addition *addition,
                                 const struct file_found *found)
{
	struct indexing file = { .index = addition->index,
		                 .is_system = addition->is_system };
	struct error *err = file_peek(found->path, 0, file.head,
	                              sizeof(file.head), &file.head_size);

	if (err && !addition->is_directory)
		return err;
	if (!err && !macho_sniff((struct bytes){ .data = file.head,
	                                         .size = file.head_size }))
		return NULL;
	addition->found = true;
	file.path = keep_path(addition->index, found->path);
	addition->index->searched.macho_count += file.path &&
	                                         !addition->is_system;
	if (!file.path)
		error_free(err);
	else if (err)
		// One unreadable file does not hide the others of a directory.
		add_problem_error(addition->index, file.path, err);
	else
		index_slices(&file, found->size_bytes);
	return NULL;
}

static struct error *index_file(const struct file_found *found, void *context)
{
	const struct addition *addition = context;
	struct uuid uuid;

	addition->index->searched.file_count += !addition->is_system;
	if (symbol_maps_is_map(found->path, &uuid))
		return index_map(context, found, &uuid);
	return index_macho(context, found);
}

/** Look at all files below @p path; directories left out are a problem. */
static struct error *walk(struct uuid_index *index, const char *path,
                          file_visit visit, struct addition *addition)
{
	size_t unreadable = 0;
	struct error *err = file_walk(path, visit, addition, &unreadable);

	if (unreadable)
		add_problem_error(index, arena_strdup(&index->arena, path),
		                  error_new(ERROR_OS,
		                            "%zu %s below it left out: "
		                            "unreadable, or too deep",
		                            unreadable,
		                            unreadable > 1 ? "directories"
		                                           : "directory"));
	return err;
}

static struct error *add_path(struct uuid_index *index, const char *path,
                              bool is_system)
{
	struct addition addition = {
		.index = index,
		.is_directory = file_is_directory(path),
		.is_system = is_system,
	};
	struct error *err = walk(index, path, index_file, &addition);

	if (!err && !addition.found && !addition.is_directory)
		return error_new(ERROR_UNSUPPORTED,
		                 "'%s' is neither a dSYM nor a Mach-O file",
		                 path);
	if (!err && !is_system && !index->searched.path_count++)
		index->searched.path = arena_strdup(&index->arena, path);
	return err;
}

struct error *uuid_index_add(struct uuid_index *index, const char *path)
{
	return add_path(index, path, false);
}

struct error *uuid_index_add_system(struct uuid_index *index, const char *path)
{
	return add_path(index, path, true);
}

static struct error *index_map_only(const struct file_found *found,
                                    void *context)
{
	struct uuid uuid;

	if (!symbol_maps_is_map(found->path, &uuid))
		return NULL;
	return index_map(context, found, &uuid);
}

struct error *uuid_index_add_maps(struct uuid_index *index, const char *path)
{
	struct addition addition = {
		.index = index,
		.is_directory = file_is_directory(path),
	};
	struct error *err = walk(index, path, index_map_only, &addition);

	if (err || addition.found)
		return err;
	if (addition.is_directory)
		return error_new(ERROR_NOT_FOUND,
		                 "no '<UUID>.bcsymbolmap' below '%s'", path);
	return error_new(ERROR_UNSUPPORTED,
	                 "'%s' is not named '<UUID>.bcsymbolmap'", path);
}

struct symbol_maps *uuid_index_maps(struct uuid_index *index)
{
	return index->maps;
}

/** dSYMs first, those of the system last, path, place in the file. */
static int compare_places(const struct uuid_entry *x,
                          const struct uuid_entry *y)
{
	int order;

	if (x->is_system != y->is_system)
		return x->is_system ? 1 : -1;
	if (uuid_entry_is_dsym(x) != uuid_entry_is_dsym(y))
		return uuid_entry_is_dsym(x) ? -1 : 1;
	order = strcmp(x->path, y->path);
	if (order)
		return order;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

/** No two are equal. */
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
	// Slices without a UUID are not "of the same UUID".
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

bool uuid_entry_has_arch(const struct uuid_entry *entry, const char *arch)
{
	return !arch ||
	       darwin_arch_matches(arch, entry->cpu_type, entry->cpu_subtype);
}

bool uuid_entry_is_dsym(const struct uuid_entry *entry)
{
	return entry->file_type == MACHO_DSYM;
}

bool uuid_entry_is_object(const struct uuid_entry *entry)
{
	return entry->file_type == MACHO_OBJECT;
}

const char *uuid_entry_arch(const struct uuid_entry *entry)
{
	return darwin_arch_label(entry->cpu_type, entry->cpu_subtype);
}

const char *uuid_entry_type(const struct uuid_entry *entry)
{
	static const char *const names[] = {
		[MACHO_OBJECT] = "object", [MACHO_EXECUTE] = "executable",
		[MACHO_DYLIB] = "dylib",   [MACHO_DYLINKER] = "dylinker",
		[MACHO_BUNDLE] = "bundle", [MACHO_DSYM] = "dsym",
		[MACHO_KEXT] = "kext",
	};
	uint32_t type = entry->file_type;

	return type < ARRAY_SIZE(names) && names[type] ? names[type] : "other";
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

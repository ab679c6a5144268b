#include "lib/symbols/uuid_index.h"

#include "lib/base/arena.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/object/macho.h"

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
	struct uuid_problem *problems;
	size_t problem_count;
	size_t problem_cap;
	/** Paths of all Mach-O files seen, hashed; NULL where a slot is free.
	 */
	const char **paths;
	size_t path_count;
	size_t path_slots; ///< a power of two, or 0
};

struct uuid_index *uuid_index_new(void)
{
	return mem_zalloc(1, sizeof(struct uuid_index));
}

void uuid_index_free(struct uuid_index *index)
{
	if (!index)
		return;
	free(index->entries);
	free(index->sorted);
	free(index->problems);
	free(index->paths);
	arena_release(&index->arena);
	free(index);
}

/** FNV-1a. */
static uint64_t hash_path(const char *path)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *path; path++)
		hash = (hash ^ (uint8_t)*path) * 0x100000001b3;
	return hash;
}

/** The slot of @p path, or the free one where it belongs. */
static const char **path_slot(const char **paths, size_t slots,
                              const char *path)
{
	size_t at = (size_t)hash_path(path) & (slots - 1);

	while (paths[at] && strcmp(paths[at], path))
		at = (at + 1) & (slots - 1);
	return &paths[at];
}

static void grow_paths(struct uuid_index *index)
{
	size_t slots = index->path_slots ? index->path_slots * 2 : 64;
	const char **paths = mem_zalloc(slots, sizeof(*paths));

	for (size_t i = 0; i < index->path_slots; i++)
		if (index->paths[i])
			*path_slot(paths, slots, index->paths[i]) =
			        index->paths[i];
	free(index->paths);
	index->paths = paths;
	index->path_slots = slots;
}

/** The index's own copy of @p path; NULL where it has been seen before. */
static const char *remember_path(struct uuid_index *index, const char *path)
{
	const char **slot;

	if (index->path_count >= index->path_slots / 2)
		grow_paths(index);
	slot = path_slot(index->paths, index->path_slots, path);
	if (*slot)
		return NULL;
	*slot = arena_strdup(&index->arena, path);
	index->path_count++;
	return *slot;
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
		.offset = slice->offset,
		.size = slice->size,
	};
	struct error *err = read_slice(file, slice, &entry);

	if (err && error_code(err) == ERROR_UNSUPPORTED) {
		// A universal static library: its slices are archives.
		error_free(err);
		return;
	}
	if (err) {
		if (file->fat)
			err = error_prefix(err, "slice %s",
			                   macho_arch_name(slice->cpu_type,
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
	bool is_folder;
	bool found_macho;
};

static struct error *index_file(const struct file_found *found, void *context)
{
	struct addition *addition = context;
	struct indexing file = { .index = addition->index };
	struct error *err = file_peek(found->path, 0, file.head,
	                              sizeof(file.head), &file.head_size);

	if (err && !addition->is_folder)
		return err;
	if (!err && !macho_sniff((struct bytes){ .data = file.head,
	                                         .size = file.head_size }))
		return NULL;
	addition->found_macho = true;
	file.path = remember_path(addition->index, found->path);
	if (!file.path)
		error_free(err);
	else if (err)
		// One unreadable file does not hide the others of a folder.
		add_problem_error(addition->index, file.path, err);
	else
		index_slices(&file, found->size_bytes);
	return NULL;
}

struct error *uuid_index_add(struct uuid_index *index, const char *path)
{
	struct addition addition = {
		.index = index,
		.is_folder = file_is_directory(path),
	};
	struct error *err = file_walk(path, index_file, &addition, NULL);

	if (!err && !addition.found_macho && !addition.is_folder)
		return error_new(ERROR_UNSUPPORTED,
		                 "'%s' is neither a dSYM nor a Mach-O file",
		                 path);
	return err;
}

/** UUID, dSYMs first, path, place in the file: no two are equal. */
static int compare_entries(const void *a, const void *b)
{
	const struct uuid_entry *x = a;
	const struct uuid_entry *y = b;
	int order = uuid_compare(&x->uuid, &y->uuid);

	if (order)
		return order;
	if ((x->file_type == MACHO_DSYM) != (y->file_type == MACHO_DSYM))
		return x->file_type == MACHO_DSYM ? -1 : 1;
	order = strcmp(x->path, y->path);
	if (order)
		return order;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

static void sort_entries(struct uuid_index *index)
{
	index->sorted = mem_realloc(index->sorted, index->count,
	                            sizeof(*index->sorted));
	if (index->count) {
		memcpy(index->sorted, index->entries,
		       index->count * sizeof(*index->sorted));
		qsort(index->sorted, index->count, sizeof(*index->sorted),
		      compare_entries);
	}
	index->dirty = false;
}

/** Position of the first sorted entry that is not below @p uuid. */
static size_t first_of(const struct uuid_index *index, const struct uuid *uuid)
{
	size_t low = 0;
	size_t high = index->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (uuid_compare(&index->sorted[middle].uuid, uuid) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
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
	first = end = first_of(index, uuid);
	while (end < index->count && uuid_equal(&index->sorted[end].uuid, uuid))
		end++;
	*ret_count = end - first;
	return end > first ? &index->sorted[first] : NULL;
}

const struct uuid_entry *uuid_index_all(const struct uuid_index *index,
                                        size_t *ret_count)
{
	*ret_count = index->count;
	return index->entries;
}

const struct uuid_problem *uuid_index_problems(const struct uuid_index *index,
                                               size_t *ret_count)
{
	*ret_count = index->problem_count;
	return index->problems;
}

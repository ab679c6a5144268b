// SPDX-License-Identifier: MIT
#include "lib/symbols/cache_verify.h"

#include "lib/base/arena.h"
#include "lib/symbols/cache/cache_entry.h"
#include "lib/symbols/file.h"
#include "lib/symbols/index/catalog_update.h"
#include "lib/symbols/index/map.h"
#include "lib/symbols/index/uuid_catalog.h"
#include "lib/symbols/index/uuid_index.h"
#include "lib/text/archive.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static void add_fault(struct cache_verify *verify, const char *path,
                      const char *reason)
{
	verify->fault_count++;
	verify->fault(path, reason, verify->context);
}

#define AGAIN ": run 'apmtool index'"

/** The message without its leading path, which has its own column. */
static const char *after_path(const char *message, const char *path)
{
	struct text rest = text_from(message);

	return text_take(&rest, path) && text_take(&rest, ": ") ? rest.data
	                                                        : message;
}

/** The first difference between the readers for a file; or NULL. */
static const char *difference(struct symbol_file *file, struct arena *arena)
{
	const struct debug_differences *found;
	struct symbol_task *task;
	SCOPED(error_drop) struct error *err = NULL;
	size_t bad_units = 0;

	if (!symbol_file_has_debug_info(file))
		return NULL;
	symbol_file_compare_readers(file, DEBUG_CHECK_ALL);
	task = symbol_task_start_whole(file);
	err = symbol_task_finish(task, NULL, NULL, &bad_units);
	if (err)
		return arena_printf(arena, "its readers cannot be compared: %s",
		                    error_message(err));
	found = symbol_file_differences(file);
	return found->count ? arena_printf(arena,
	                                   "the readers differ in %" PRIu64
	                                   " of %" PRIu64 " functions, first "
	                                   "at %s",
	                                   found->count, found->function_count,
	                                   found->first)
	                    : NULL;
}

/**
 * Missing parts of a dSYM or GSYM; or NULL. Skips archives, which would have to
 * be decompressed and have checksums. In @p arena.
 */
static const char *slice_fault(const struct cache_verify *verify,
                               const struct uuid_entry *entry,
                               struct arena *arena)
{
	const char *fault = NULL;
	SCOPED(error_drop) struct error *err = NULL;
	struct symbol_file *file = NULL;

	if ((!uuid_entry_is_dsym(entry) && !uuid_entry_is_gsym(entry)) ||
	    archive_path_length(entry->path))
		return NULL;
	err = symbol_file_open(entry, &file);
	if (!err)
		err = symbol_file_check_whole(file);
	if (!err && verify->compares_readers)
		fault = difference(file, arena);
	symbol_file_close(file);
	if (fault)
		return fault;
	// Other errors are not the file's: the system may be short of memory.
	if (!err || error_code(err) != ERROR_FORMAT)
		return NULL;
	return arena_strdup(arena, after_path(error_message(err), entry->path));
}

/** The fault of the file for this item: missing slice or map, or damage. */
static const char *uuid_fault(const struct cache_verify *verify,
                              struct uuid_index *index,
                              const struct catalog_item *item,
                              struct arena *arena)
{
	static const char *const other = "the file has another UUID now" AGAIN;
	const struct uuid_entry *entries;
	size_t count = 0;

	if (item->kind == SYMBOL_KIND_MAP)
		return symbol_maps_find(uuid_index_maps(index), &item->uuid,
		                        item->path)
		               ? NULL
		               : other;
	entries = uuid_index_find(index, &item->uuid, &count);
	if (!entries)
		return other;
	for (size_t i = 0; i < count; i++)
		if (entries[i].at.offset == item->at.offset)
			return slice_fault(verify, &entries[i], arena);
	// The file has changed, and the slice has moved.
	return NULL;
}

/** The fault of the file's contents; or NULL. In @p arena. */
static const char *contents_fault(const struct cache_verify *verify,
                                  const struct catalog_item *item,
                                  struct arena *arena)
{
	struct uuid_index *index = uuid_index_new();
	SCOPED(error_drop)
	struct error *err = uuid_index_add(index, item->path);
	const char *fault;

	if (err &&
	    (error_code(err) == ERROR_OS || error_code(err) == ERROR_SHORTAGE))
		fault = arena_strdup(arena, error_message(err));
	else
		fault = uuid_fault(verify, index, item, arena);
	uuid_index_free(index);
	return fault;
}

/** Why it has no stamp, from errno. */
static const char *absence(int errnum, struct arena *arena)
{
	SCOPED(error_drop) struct error *err = NULL;

	if (errnum != EACCES && errnum != ELOOP && errnum != EIO)
		return "the file is gone" AGAIN;
	err = error_os(errnum, "the file cannot be read");
	return arena_strdup(arena, error_message(err));
}

/** Do the stamps differ only by chmod, chown or mv? */
static bool has_same_contents(const struct file_stamp *a,
                              const struct file_stamp *b)
{
	return a->size == b->size && a->inode == b->inode &&
	       a->modified_ns == b->modified_ns;
}

static void verify_item(struct cache_verify *verify,
                        const struct catalog_item *item)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct file_stamp stamp;
	const char *fault;

	errno = 0;
	if (!catalog_stamp(item->path, &stamp))
		fault = absence(errno, &arena);
	else
		fault = contents_fault(verify, item, &arena);
	if (!fault && !file_stamp_equal(&stamp, &item->stamp))
		fault = has_same_contents(&stamp, &item->stamp)
		                ? "the file's mode, owner or name has changed, "
		                  "not its contents" AGAIN
		                : "the file has changed" AGAIN;
	if (fault)
		add_fault(verify, item->path, fault);
}

static void verify_catalog(struct cache_verify *verify)
{
	struct uuid_catalog *catalog = NULL;
	SCOPED(error_drop)
	struct error *err = uuid_catalog_open(verify->directory, &catalog);
	SCOPED(str_release) struct str path = { 0 };
	struct catalog_item item;

	if (!catalog &&
	    !cache_directory_has(verify->directory, UUID_CATALOG_NAME))
		return;
	cache_directory_add_path(verify->directory, UUID_CATALOG_NAME, &path);
	if (!catalog || !uuid_catalog_is_sound(catalog)) {
		add_fault(verify, str_cstr(&path),
		          err ? after_path(error_message(err), str_cstr(&path))
		              : "the index is damaged: run 'apmtool index' "
		                "with all its directories again");
		uuid_catalog_close(catalog);
		return;
	}
	verify->slice_count = uuid_catalog_count(catalog);
	for (size_t i = 0; i < verify->slice_count; i++)
		if (uuid_catalog_item(catalog, i, &item))
			verify_item(verify, &item);
	uuid_catalog_close(catalog);
}

/** The fault of an entry; or NULL. In @p arena. */
static const char *entry_fault(const struct cache_verify *verify,
                               const char *name, struct arena *arena)
{
	SCOPED(error_drop) struct error *err = NULL;
	struct cache_entry entry;
	struct file_data file;
	const char *fault = NULL;
	char uuid[UUID_TEXT_SIZE];

	if (!cache_directory_map(verify->directory, name, &file))
		return "the entry cannot be read, or other users may change it";
	err = cache_entry_read(file.bytes, &entry);
	if (err) {
		fault = arena_strdup(arena, error_message(err));
	} else {
		uuid_format(&entry.source.uuid, uuid);
		if (!cache_entry_is_sound(&entry))
			fault = "a checksum of the entry is wrong";
		else if (entry.source.reader !=
		                 cache_reader_id(DEBUG_READER_NATIVE) &&
		         entry.source.reader !=
		                 cache_reader_id(DEBUG_READER_LIBDWARF))
			fault = "the entry is of another version of apmtool";
		else if (!text_starts(text_from(name), uuid))
			fault = "the entry has the name of another UUID";
		cache_entry_release(&entry);
	}
	file_release(&file);
	return fault;
}

struct error *cache_verify_run(struct cache_verify *verify)
{
	SCOPED(cache_files_release) struct cache_files files;
	struct error *first = NULL;

	verify_catalog(verify);
	cache_directory_list(verify->directory, &files);
	verify->entry_count = files.count;
	for (size_t i = 0; i < files.count; i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(str_release) struct str path = { 0 };
		const char *name = files.files[i].name;
		bool is_ours = cache_directory_is_entry(verify->directory,
		                                        &files.files[i]);
		const char *fault =
		        is_ours ? entry_fault(verify, name, &arena)
		                : "the file has no seal: it is another "
		                  "program's, or a damaged entry, which its "
		                  "next use replaces";
		struct error *err;

		if (!fault)
			continue;
		cache_directory_add_path(verify->directory, name, &path);
		add_fault(verify, str_cstr(&path), fault);
		if (!is_ours)
			continue;
		err = cache_directory_remove(verify->directory, name);
		verify->stuck += err != NULL;
		error_keep_first(&first, err);
	}
	return first;
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/precache.h"

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/symbols/cache/debug_cache.h"
#include "lib/symbols/file.h"
#include "lib/symbols/image_files.h"
#include "lib/text/archive.h"

#include <stdlib.h>
#include <string.h>

/** The files of a UUID, and the current one. */
struct making {
	const struct catalog_item *item; ///< current; or NULL
	struct symbol_file *file;
	struct cache_directory
	        *beside; ///< of the file's directory; NULL: not used
	struct debug_cache *cache;
	struct symbol_task *task;
	bool kept;
	const struct catalog_item *next; ///< next to try; or NULL
	const struct catalog_item *end;
	const struct catalog_item *read[IMAGE_FILES_READ_MAX];
	size_t read_count;
};

/** Its name in an archive; or "". */
static const char *name_in_archive(const struct catalog_item *item)
{
	size_t archive = archive_path_length(item->path);

	return archive ? item->path + archive : "";
}

/** Is it another path to a file that was read, such as a link? */
static bool was_read(const struct making *making,
                     const struct catalog_item *item)
{
	for (size_t i = 0; i < making->read_count; i++) {
		const struct catalog_item *read = making->read[i];

		if (read->at.offset == item->at.offset &&
		    file_stamp_equal(&read->stamp, &item->stamp) &&
		    !strcmp(name_in_archive(read), name_in_archive(item)))
			return true;
	}
	return false;
}

/** Choose the next file to try, from @p item on. */
static void choose_next(struct making *making, const struct catalog_item *item)
{
	making->next = NULL;
	// The store reads no more.
	if (making->read_count == IMAGE_FILES_READ_MAX)
		return;
	while (item < making->end && !making->next) {
		if (item->kind != SYMBOL_KIND_MAP && !was_read(making, item))
			making->next = item;
		item++;
	}
}

/** Report an unreadable file, and choose the next of its UUID. */
static void give_up(struct precache *precache, struct making *making,
                    const struct catalog_item *item, const struct error *err)
{
	SCOPED(str_release) struct str why = { 0 };

	// A shortage of resources would affect the next one, too.
	if (error_code(err) != ERROR_SHORTAGE)
		choose_next(making, item + 1);
	str_add(&why, error_message(err));
	if (making->next)
		str_add(&why, "; the next file of its UUID is tried");
	precache->failed++;
	precache->problem(item->path, str_cstr(&why), precache->context);
}

static void keep_image(struct str *image, void *context)
{
	struct making *making = context;

	debug_cache_add(making->cache, image);
	making->kept = true;
}

/** The directory for a file's entry. */
static struct cache_directory *open_directory(const struct precache *precache,
                                              struct making *making,
                                              const struct catalog_item *item)
{
	SCOPED(str_release) struct str path = { 0 };

	if (precache->directory)
		return precache->directory;
	str_add_bytes(&path, item->path,
	              text_find_last_char(text_from(item->path), '/'));
	making->beside = cache_directory_new(str_cstr(&path), UINT64_MAX);
	return making->beside;
}

static void close_files(struct making *making)
{
	symbol_file_close(making->file);
	cache_directory_free(making->beside);
	making->beside = NULL;
	making->item = NULL;
	making->file = NULL;
	making->cache = NULL;
	making->task = NULL;
	making->kept = false;
}

/** Start reading an open file, unless there is nothing to read. */
static void start(struct precache *precache, struct making *making,
                  const struct catalog_item *item)
{
	// The next file would give the same entry.
	if (symbol_file_has_debug_info(making->file) &&
	    !symbol_file_is_read(making->file)) {
		close_files(making);
		return;
	}
	if (symbol_file_is_read(making->file))
		making->cache = symbol_file_open_cache(
		        making->file, open_directory(precache, making, item));
	if (!making->cache) {
		choose_next(making, item + 1);
	} else if (debug_cache_has_whole(making->cache)) {
		precache->present++;
	} else if (precache->dry_run) {
		precache->made++;
	} else {
		making->item = item;
		making->read[making->read_count++] = item;
		symbol_file_compare_readers(making->file, DEBUG_CHECK_FIRST);
		making->task = symbol_task_start_whole(making->file);
		symbol_task_keep(making->task, keep_image, making);
		debug_cache_expect_whole(making->cache);
		return;
	}
	debug_cache_close(making->cache);
	close_files(making);
}

/** Check a file that is not read, or has nothing to read. */
static struct error *check_whole(const struct symbol_file *file)
{
	// A truncated dSYM may have lost its debug information.
	return symbol_file_is_read(file) ? NULL : symbol_file_check_whole(file);
}

/** Try the files of a UUID until one is being read, or is cached. */
static void making_go_on(struct precache *precache, struct making *making)
{
	while (making->next) {
		const struct catalog_item *item = making->next;
		const struct uuid_entry entry = {
			.uuid = item->uuid,
			.path = item->path,
			.kind = item->kind,
			.at = item->at,
		};
		SCOPED(error_drop)
		struct error *err = symbol_file_open(&entry, &making->file);

		making->next = NULL;
		if (!err && (err = check_whole(making->file)))
			close_files(making);
		if (err)
			give_up(precache, making, item, err);
		else
			start(precache, making, item);
	}
}

static void close_cache(struct precache *precache, struct making *making)
{
	SCOPED(error_drop)
	struct error *err = debug_cache_close_kept(making->cache);

	if (!making->kept)
		return;
	if (!err) {
		precache->made++;
		return;
	}
	precache->unkept++;
	err = error_prefix(err, "its debug information cannot be kept");
	precache->problem(making->item->path, error_message(err),
	                  precache->context);
}

static void name_difference(struct precache *precache,
                            const struct making *making)
{
	const struct debug_differences *found =
	        symbol_file_differences(making->file);

	if (found->count)
		precache->difference(making->item->path, found->first,
		                     precache->context);
}

/** Wait for the current file; if it is damaged, try the next one. */
static void making_end(struct precache *precache, struct making *making)
{
	size_t bad_units = 0;
	SCOPED(error_drop)
	struct error *err =
	        symbol_task_finish(making->task, NULL, NULL, &bad_units);

	if (!err && !making->kept)
		err = error_new(ERROR_FORMAT, "%zu unit%s cannot be read",
		                bad_units, text_plural(bad_units));
	if (err) {
		give_up(precache, making, making->item, err);
		debug_cache_no_whole(making->cache);
	} else {
		name_difference(precache, making);
	}
	close_cache(precache, making);
	close_files(making);
	making_go_on(precache, making);
}

void precache_run(struct precache *precache, const struct catalog_item *items,
                  size_t count)
{
	unsigned jobs = precache->jobs ? precache->jobs : 1;
	struct making *ring = mem_zalloc(jobs, sizeof(*ring));
	size_t next = 0;

	for (size_t i = 0, end; i < count; i = end) {
		struct making *making = &ring[next];

		for (end = i + 1; end < count &&
		                  uuid_equal(&items[end].uuid, &items[i].uuid);)
			end++;
		if (precache->progress)
			precache->progress(i, count, precache->context);
		while (making->item)
			making_end(precache, making);
		*making = (struct making){ .end = items + end };
		choose_next(making, items + i);
		making_go_on(precache, making);
		if (making->item)
			next = (next + 1) % jobs;
	}
	for (unsigned i = 0; i < jobs; i++) {
		struct making *making = &ring[(next + i) % jobs];

		while (making->item)
			making_end(precache, making);
	}
	free(ring);
}

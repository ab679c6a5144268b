#include "lib/symbols/precache.h"

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/object/macho/macho.h"
#include "lib/symbols/debug_cache.h"
#include "lib/symbols/file.h"

#include <stdlib.h>
#include <string.h>

/** A file at work. */
struct making {
	const struct catalog_item *item; ///< NULL: free
	struct symbol_file *file;
	struct debug_cache *cache;
	struct symbol_task *task;
	bool kept;
};

static void keep_image(struct str *image, const uint64_t *addresses UNUSED,
                       size_t count UNUSED, void *context)
{
	struct making *making = context;

	debug_cache_add(making->cache, image, NULL, 0);
	making->kept = true;
}

/** Open a file and start reading it; false where there is nothing to read. */
static bool making_begin(struct precache *precache,
                         const struct catalog_item *item, struct making *making)
{
	const struct uuid_entry entry = {
		.uuid = item->uuid,
		.path = item->path,
		.offset = item->offset,
		.size = item->size,
		.file_type = item->file_type,
		.cpu_type = item->cpu_type,
		.cpu_subtype = item->cpu_subtype,
	};
	SCOPED(error_drop)
	struct error *err = symbol_file_open(&entry, &making->file);

	if (err) {
		precache->failed++;
		precache->problem(item->path, error_message(err),
		                  precache->context);
		return false;
	}
	if (symbol_file_has_debug_info(making->file))
		making->cache = symbol_file_open_cache(making->file,
		                                       precache->directory);
	if (making->cache && debug_cache_is_whole(making->cache))
		precache->present++;
	else if (making->cache && precache->dry_run)
		precache->made++;
	else if (making->cache)
		making->item = item;
	if (making->item) {
		making->task = symbol_task_start_whole(making->file);
		symbol_task_keep(making->task, keep_image, making);
		debug_cache_expect_whole(making->cache);
		return true;
	}
	debug_cache_close(making->cache);
	symbol_file_close(making->file);
	*making = (struct making){ 0 };
	return false;
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

static void making_end(struct precache *precache, struct making *making)
{
	size_t bad_units = 0;
	SCOPED(str_release) struct str why = { 0 };
	SCOPED(error_drop)
	struct error *err =
	        symbol_task_finish(making->task, NULL, NULL, &bad_units);

	if (err)
		str_add(&why, error_message(err));
	else if (!making->kept)
		str_addf(&why, "%zu unit%s cannot be read", bad_units,
		         text_plural(bad_units));
	if (why.size) {
		precache->failed++;
		precache->problem(making->item->path, str_cstr(&why),
		                  precache->context);
		debug_cache_no_whole(making->cache);
	}
	close_cache(precache, making);
	symbol_file_close(making->file);
	*making = (struct making){ 0 };
}

/** May hold debug information: a GSYM is what would be made of it. */
static bool is_macho(const struct catalog_item *item)
{
	return item->file_type != CATALOG_MAP &&
	       item->file_type != UUID_ENTRY_GSYM;
}

/** Of two files of one UUID, the first is what the store asks. */
static bool is_wanted(const struct catalog_item *items, size_t index)
{
	size_t before = index;

	while (before && !is_macho(&items[before - 1]))
		before--;
	return is_macho(&items[index]) &&
	       (!before ||
	        !uuid_equal(&items[index].uuid, &items[before - 1].uuid));
}

void precache_run(struct precache *precache, const struct catalog_item *items,
                  size_t count)
{
	unsigned jobs = precache->jobs ? precache->jobs : 1;
	struct making *ring = mem_zalloc(jobs, sizeof(*ring));
	size_t next = 0;

	for (size_t i = 0; i < count; i++) {
		struct making *making = &ring[next];

		if (precache->progress)
			precache->progress(i, count, precache->context);
		if (!is_wanted(items, i))
			continue;
		if (making->item)
			making_end(precache, making);
		if (making_begin(precache, &items[i], making))
			next = (next + 1) % jobs;
	}
	for (unsigned i = 0; i < jobs; i++) {
		struct making *making = &ring[(next + i) % jobs];

		if (making->item)
			making_end(precache, making);
	}
	free(ring);
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/index/catalog_update.h"

#include "lib/base/mem.h"
#include "lib/symbols/index/bundle_info.h"
#include "lib/symbols/index/symbol_walk.h"
#include "lib/symbols/index/volume.h"
#include "lib/text/archive.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool catalog_stamp(const char *path, struct file_stamp *ret)
{
	size_t archive = archive_path_length(path);
	SCOPED(mem_drop)
	char *file = mem_strndup(path, archive ? archive : strlen(path));

	return file_stamp_read(file, ret);
}

struct error *catalog_update_begin(struct catalog_update *update,
                                   const struct cache_directory *directory)
{
	return uuid_catalog_open_whole(directory, &update->old);
}

void catalog_update_release(struct catalog_update *update)
{
	uuid_catalog_close(update->old);
	intern_release(&update->paths);
	unread_packed_release(&update->packed);
	arena_release(&update->arena);
	free(update->items);
	free(update->roots);
	free(update->problems);
	*update = (struct catalog_update){ 0 };
}

/** The app's version if known; else the bundle's. */
static const char *version_of(const char *path, struct arena *arena)
{
	struct bundle_info info;
	const char *version, *build;

	bundle_info_read(path, arena, &info);
	version = info.app_version ? info.app_version : info.version;
	build = info.app_version ? info.app_build : info.build;
	if (version && build)
		return arena_printf(arena, "%s (%s)", version, build);
	return version ? version : build;
}

static const char *take_path(void *context, const char *path)
{
	struct catalog_update *update = context;
	uint32_t known = update->paths.count;
	uint32_t id = intern_add(&update->paths, text_from(path));

	if (id != known)
		return NULL;
	if (update->progress)
		update->progress(update->paths.count, update->context);
	update->stamp = (struct file_stamp){ 0 };
	catalog_stamp(path, &update->stamp);
	update->version = archive_path_length(path)
	                          ? NULL
	                          : version_of(path, &update->arena);
	return intern_cstr(&update->paths, id);
}

static void add_item(struct catalog_update *update,
                     const struct catalog_item *item)
{
	if (uuid_is_zero(&item->uuid))
		return;
	MEM_GROW(update->items, update->count, update->cap);
	update->items[update->count++] = *item;
}

static void add_slice(void *context, const struct uuid_entry *entry)
{
	struct catalog_update *update = context;
	const struct catalog_item item = {
		.uuid = entry->uuid,
		.path = entry->path,
		.version = update->version,
		.stamp = update->stamp,
		.kind = entry->kind,
		.at = entry->at,
	};

	add_item(update, &item);
}

static void add_map(void *context, const struct uuid *uuid, const char *path)
{
	struct catalog_update *update = context;
	const struct catalog_item item = {
		.uuid = *uuid,
		.path = path,
		.stamp = update->stamp,
		.kind = SYMBOL_KIND_MAP,
	};

	add_item(update, &item);
}

static void add_problem(void *context, const char *path, const char *reason)
{
	struct catalog_update *update = context;

	MEM_GROW(update->problems, update->problem_count, update->problem_cap);
	update->problems[update->problem_count++] = (struct catalog_problem){
		.path = arena_strdup(&update->arena, path),
		.reason = arena_strdup(&update->arena, reason),
	};
}

static void add_packed(void *context, const char *path, const char *what)
{
	struct catalog_update *update = context;

	unread_packed_add(&update->packed, path, what);
}

static const struct symbol_visitor visitor = {
	.take = take_path,
	.slice = add_slice,
	.map = add_map,
	.problem = add_problem,
	.packed = add_packed,
};

/** Is @p path equal to @p root or below it? */
static bool is_below(const char *path, const char *root)
{
	size_t size = strlen(root);

	return !strncmp(path, root, size) &&
	       (!path[size] || path[size] == '/' || !strcmp(root, "/"));
}

static bool is_walked(const struct catalog_update *update, const char *path)
{
	for (size_t i = 0; i < update->walked; i++)
		if (is_below(path, update->roots[i]))
			return true;
	return false;
}

static void add_root(struct catalog_update *update, const char *path)
{
	MEM_GROW(update->roots, update->root_count, update->root_cap);
	update->roots[update->root_count++] =
	        arena_strdup(&update->arena, path);
}

static struct error *add_walked(struct catalog_update *update, const char *path,
                                bool *ret_found)
{
	struct symbol_walk walk = { .visitor = &visitor, .context = update };
	SCOPED(mem_drop) char *full = realpath(path, NULL);
	struct error *err;

	if (!full)
		return error_os(errno, "cannot open '%s'", path);
	*ret_found = is_walked(update, full);
	if (*ret_found)
		return NULL;
	err = symbol_walk(&walk, full);
	*ret_found = walk.found;
	if (!err && !walk.found && !walk.may_hold_others)
		err = error_new(ERROR_UNSUPPORTED,
		                "'%s' is neither a dSYM nor a Mach-O file",
		                path);
	if (err)
		return err;
	add_root(update, full);
	update->walked = update->root_count;
	return NULL;
}

struct error *catalog_update_add(struct catalog_update *update,
                                 const char *path)
{
	bool found = false;
	struct error *err = add_walked(update, path, &found);

	if (err || found)
		return err;
	update->empty_count++;
	add_problem(update, path, "has no symbols to index");
	return NULL;
}

static bool is_absent(const char *path)
{
	struct stat info;

	return stat(path, &info) && file_means_absent(errno);
}

static enum catalog_absence absence_of(const char *path)
{
	if (!is_absent(path))
		return CATALOG_PRESENT;
	return volume_may_hold(path) ? CATALOG_AWAY : CATALOG_GONE;
}

/** Mark the @p roots that are @p path or above it. */
static void mark_above(const struct intern *roots, struct text path,
                       bool *marked)
{
	for (size_t size = 1; size <= path.size; size++) {
		uint32_t root;

		// The root directory is a path with a slash at its end.
		if (size > 1 && size < path.size && path.data[size] != '/')
			continue;
		root = intern_find(roots, text_first(path, size));
		if (root != INTERN_NONE)
			marked[root] = true;
	}
}

/** An absent path without slices was absent the last time, too. */
static void mark_absent(struct catalog_update *update)
{
	SCOPED(intern_release) struct intern away = { 0 };
	SCOPED(mem_drop) bool *had_items = NULL;
	size_t count = update->old ? uuid_catalog_count(update->old) : 0;
	struct catalog_item item;

	for (size_t i = 0; i < update->problem_count; i++)
		if (update->problems[i].absence == CATALOG_AWAY)
			intern_add(&away, text_from(update->problems[i].path));
	if (!away.count)
		return;
	had_items = mem_zalloc(away.count, sizeof(*had_items));
	for (size_t i = 0; i < count; i++)
		if (uuid_catalog_item(update->old, i, &item))
			mark_above(&away, text_from(item.path), had_items);
	for (size_t i = 0; i < update->problem_count; i++) {
		struct catalog_problem *problem = &update->problems[i];

		if (problem->absence == CATALOG_AWAY)
			problem->was_absent = !had_items[intern_find(
			        &away, text_from(problem->path))];
	}
}

void catalog_update_add_known(struct catalog_update *update)
{
	size_t count = update->old ? uuid_catalog_root_count(update->old) : 0;

	for (size_t i = 0; i < count; i++) {
		const char *root = uuid_catalog_root(update->old, i);
		bool found;
		struct error *err = root ? add_walked(update, root, &found)
		                         : NULL;

		if (!err)
			continue;
		add_problem(update, root, error_message(err));
		update->problems[update->problem_count - 1].absence =
		        absence_of(root);
		error_free(err);
	}
	mark_absent(update);
}

/** Find the same slice in another catalog. */
static const struct catalog_item *find_same(const struct catalog_item *items,
                                            size_t count,
                                            const struct catalog_item *item)
{
	if (!count)
		return NULL;
	return bsearch(item, items, count, sizeof(*items), catalog_compare);
}

/** Read the items of the old catalog, sorted, on the heap. */
static struct catalog_item *read_old(struct catalog_update *update,
                                     size_t *ret_count)
{
	size_t count = update->old ? uuid_catalog_count(update->old) : 0;
	struct catalog_item *items = mem_zalloc(count, sizeof(*items));
	size_t read = 0;

	for (size_t i = 0; i < count; i++)
		read += uuid_catalog_item(update->old, i, &items[read]);
	// Usually sorted already, unless another program wrote it.
	catalog_sort(items, read);
	*ret_count = read;
	return items;
}

/** Did catalog_update_add_known() find it missing? */
static bool was_gone(const struct catalog_update *update, const char *root)
{
	for (size_t i = 0; i < update->problem_count; i++)
		if (update->problems[i].absence == CATALOG_GONE &&
		    !strcmp(update->problems[i].path, root))
			return true;
	return false;
}

/** May the file of an old item still exist? */
static bool may_be_there(const struct catalog_update *update, const char *path)
{
	size_t archive = archive_path_length(path);
	SCOPED(mem_drop)
	char *file = mem_strndup(path, archive ? archive : strlen(path));
	struct stat info;

	// Files at or below a walked path have been found again.
	if (!stat(file, &info))
		return S_ISREG(info.st_mode) && !is_walked(update, path);
	return !file_means_absent(errno);
}

/** Take over existing items that are not covered by this update. */
static void take_over(struct catalog_update *update,
                      const struct catalog_item *old, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!may_be_there(update, old[i].path))
			continue;
		add_item(update, &old[i]);
		intern_add(&update->paths, text_from(old[i].path));
	}
	for (size_t i = 0;
	     update->old && i < uuid_catalog_root_count(update->old); i++) {
		const char *root = uuid_catalog_root(update->old, i);

		if (root && !is_walked(update, root) && !was_gone(update, root))
			add_root(update, root);
	}
}

static void count_changes(struct catalog_update *update,
                          const struct catalog_item *old, size_t old_count)
{
	struct catalog_counts *counts = &update->counts;
	size_t kept = 0;

	for (size_t i = 0; i < update->count; i++) {
		const struct catalog_item *item = &update->items[i];
		const struct catalog_item *same =
		        find_same(old, old_count, item);

		if (!same) {
			counts->added++;
			continue;
		}
		kept++;
		if (file_stamp_equal(&same->stamp, &item->stamp))
			counts->same++;
		else
			counts->changed++;
	}
	counts->removed = old_count - kept;
}

static int compare_roots(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void catalog_update_finish(struct catalog_update *update)
{
	size_t old_count;
	SCOPED(mem_drop)
	struct catalog_item *old = read_old(update, &old_count);

	take_over(update, old, old_count);
	catalog_sort(update->items, update->count);
	count_changes(update, old, old_count);
	update->file_count = update->paths.count;
	update->walked = 0;
	if (update->root_count)
		qsort(update->roots, update->root_count, sizeof(*update->roots),
		      compare_roots);
}

static bool has_same_roots(struct catalog_update *update)
{
	size_t count = update->old ? uuid_catalog_root_count(update->old) : 0;

	if (count != update->root_count)
		return false;
	for (size_t i = 0; i < count; i++) {
		const char *root = uuid_catalog_root(update->old, i);

		if (!root || strcmp(root, update->roots[i]) != 0)
			return false;
	}
	return true;
}

static struct error *write_changes(struct catalog_update *update,
                                   struct cache_directory *directory)
{
	const struct catalog_counts *counts = &update->counts;
	const struct catalog_contents contents = {
		.items = update->items,
		.count = update->count,
		.roots = update->roots,
		.root_count = update->root_count,
	};

	if (!counts->added && !counts->changed && !counts->removed &&
	    has_same_roots(update))
		return NULL;
	return uuid_catalog_write(directory, &contents);
}

/** Read the catalog again: others may have written it during the walk. */
static void read_again(struct catalog_update *update,
                       const struct cache_directory *directory)
{
	struct uuid_catalog *now = NULL;

	// An unusable one is replaced.
	error_free(uuid_catalog_open_whole(directory, &now));
	uuid_catalog_close(update->old);
	update->old = now;
}

struct error *catalog_update_write(struct catalog_update *update,
                                   struct cache_directory *directory)
{
	SCOPED(cache_directory_unlock) int lock = -1;
	struct error *err = cache_directory_lock(directory, &lock);

	if (err)
		return err;
	read_again(update, directory);
	catalog_update_finish(update);
	return write_changes(update, directory);
}

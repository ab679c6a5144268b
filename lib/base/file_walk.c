// SPDX-License-Identifier: MIT
#include "lib/base/file_walk.h"

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/timestamp.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WALK_DEPTH 64

/** Virtual files: reading may block, or have effects. */
static const char *const system_places[] = { "/proc", "/sys", "/dev" };

struct walk {
	file_visit visit;
	void *context;
	struct error *skipped; ///< the first directory
	size_t skipped_count;
	struct stat root;
	struct stat system[ARRAY_SIZE(system_places)];
	size_t system_count;
	struct stat start;
	struct file_budget *budget; ///< NULL: the user named the start
};

static void find_system_places(struct walk *walk)
{
	if (stat("/", &walk->root))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(system_places); i++)
		if (!stat(system_places[i], &walk->system[walk->system_count]))
			walk->system_count++;
}

/**
 * Is it in a system directory, or on a file system of one?
 *
 * @param begun  Device on which a walk may always stay.
 */
static bool is_systems(const struct walk *walk, const struct stat *info,
                       dev_t begun)
{
	for (size_t i = 0; i < walk->system_count; i++) {
		const struct stat *place = &walk->system[i];
		bool same_device = info->st_dev == place->st_dev;

		if (same_device && info->st_ino == place->st_ino)
			return true;
		// In a bare chroot they are directories like others.
		if (same_device && place->st_dev != walk->root.st_dev &&
		    place->st_dev != begun)
			return true;
	}
	return false;
}

static bool is_trusted(const struct walk *walk, const struct stat *info)
{
	return info->st_uid == geteuid() || info->st_uid == 0 ||
	       info->st_uid == walk->start.st_uid;
}

void file_budget_begin(struct file_budget *budget)
{
	budget->end_ms = timestamp_now_ms() + budget->ms;
}

void file_budget_end(struct file_budget *budget)
{
	int64_t left = budget->end_ms - timestamp_now_ms();

	budget->ms = left > 0 ? left : 0;
}

struct error *file_budget_spend(struct file_budget *budget)
{
	if (timestamp_now_ms() >= budget->end_ms)
		budget->entries = 0;
	if (budget->entries) {
		budget->entries--;
		return NULL;
	}
	return error_new(ERROR_LIMIT,
	                 "the search ended after %d files and directories, or "
	                 "%d seconds",
	                 FILE_BUDGET_ENTRIES, FILE_BUDGET_SECONDS);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

struct names {
	char **items;
	size_t count;
	size_t cap;
};

static void names_release(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
}

/** More names than there is a budget for spend it. */
static struct error *list_names(struct walk *walk, DIR *dir,
                                struct names *names)
{
	struct dirent *entry;

	while ((entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (walk->budget && names->count == walk->budget->entries) {
			walk->budget->entries = 0;
			return file_budget_spend(walk->budget);
		}
		MEM_GROW(names->items, names->count, names->cap);
		names->items[names->count++] =
		        mem_strndup(entry->d_name, strlen(entry->d_name));
	}
	if (names->count)
		qsort(names->items, names->count, sizeof(*names->items),
		      compare_names);
	return NULL;
}

static struct error *walk_directory(struct walk *walk, struct str *path,
                                    unsigned depth);

static struct error *visit_file(struct walk *walk, const char *path,
                                const struct stat *info)
{
	const struct file_found found = {
		.path = path,
		.size_bytes = (uint64_t)info->st_size,
		.identity = { .device = (uint64_t)info->st_dev,
		              .inode = (uint64_t)info->st_ino },
	};

	return walk->visit(&found, walk->context);
}

static struct error *walk_entry(struct walk *walk, struct str *path,
                                unsigned depth)
{
	struct error *err = NULL;
	struct stat info;

	if (walk->budget && (err = file_budget_spend(walk->budget)))
		return err;
	if (lstat(str_cstr(path), &info))
		return NULL;
	if (walk->budget &&
	    (info.st_dev != walk->start.st_dev || !is_trusted(walk, &info)))
		return NULL;
	if (S_ISDIR(info.st_mode))
		return is_systems(walk, &info, walk->start.st_dev)
		               ? NULL
		               : walk_directory(walk, path, depth + 1);
	// A link to a file is visited as the file; links to directories may
	// form a cycle.
	if (S_ISLNK(info.st_mode) &&
	    (walk->budget || stat(str_cstr(path), &info)))
		return NULL;
	return S_ISREG(info.st_mode) ? visit_file(walk, str_cstr(path), &info)
	                             : NULL;
}

/** Sets NULL if it is unreadable; returns an error for a shortage. */
static struct error *open_directory(struct walk *walk, const char *path,
                                    unsigned depth, DIR **ret)
{
	struct error *err;

	if (depth < WALK_DEPTH) {
		// O_NOFOLLOW: it may have become a link.
		int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC |
		                            (depth ? O_NOFOLLOW : 0));

		*ret = fd < 0 ? NULL : fdopendir(fd);
		if (*ret)
			return NULL;
		if (fd >= 0)
			close(fd);
	}
	if (depth < WALK_DEPTH)
		err = error_os(errno, "cannot open '%s'", path);
	else
		err = error_new(ERROR_OS,
		                "'%s' is left out: more than %d directories "
		                "deep",
		                path, WALK_DEPTH);
	if (error_code(err) == ERROR_SHORTAGE)
		return err;
	if (walk->skipped_count++)
		error_free(err);
	else
		walk->skipped = err;
	return NULL;
}

static struct error *walk_directory(struct walk *walk, struct str *path,
                                    unsigned depth)
{
	SCOPED(names_release) struct names names = { 0 };
	size_t base = path->size;
	DIR *dir = NULL;
	struct error *err = open_directory(walk, str_cstr(path), depth, &dir);

	if (!dir)
		return err;
	err = list_names(walk, dir, &names);
	closedir(dir);
	for (size_t i = 0; i < names.count && !err; i++) {
		if (base && path->data[base - 1] != '/')
			str_add_char(path, '/');
		str_add(path, names.items[i]);
		err = walk_entry(walk, path, depth);
		path->size = base;
		path->data[base] = '\0';
	}
	return err;
}

static struct error *take_skipped(struct walk *walk)
{
	struct error *first = walk->skipped;
	size_t more = walk->skipped_count - 1;

	walk->skipped = NULL;
	if (walk->skipped_count < 2)
		return first;
	walk->skipped = error_new(error_code(first), "%s; and %zu more %s",
	                          error_message(first), more,
	                          more > 1 ? "directories" : "directory");
	error_free(first);
	return walk->skipped;
}

static struct error *walk_start(struct walk *walk, const char *path)
{
	SCOPED(str_release) struct str full = { 0 };
	const struct stat *start = &walk->start;

	if (stat(path, &walk->start))
		return error_os(errno, "cannot open '%s'", path);
	find_system_places(walk);
	if (walk->budget && is_systems(walk, start, walk->root.st_dev))
		return error_new(ERROR_OS, "'%s' is the system's", path);
	if (S_ISREG(start->st_mode))
		return visit_file(walk, path, start);
	if (!S_ISDIR(start->st_mode))
		return error_new(ERROR_OS,
		                 "'%s' is neither a file nor a directory",
		                 path);
	// Skip unreadable directories, except the start.
	if (access(path, R_OK | X_OK))
		return error_os(errno, "cannot open '%s'", path);
	str_add(&full, path);
	return walk_directory(walk, &full, 0);
}

static struct error *run_walk(struct walk *walk, const char *path,
                              struct error **ret_skipped)
{
	struct error *err = walk_start(walk, path);

	if (ret_skipped)
		*ret_skipped = take_skipped(walk);
	else
		error_free(walk->skipped);
	return err;
}

struct error *file_walk(const char *path, file_visit visit, void *context,
                        struct error **ret_skipped)
{
	struct walk walk = { .visit = visit, .context = context };

	return run_walk(&walk, path, ret_skipped);
}

struct error *file_walk_found(const char *path, file_visit visit, void *context,
                              struct file_budget *budget,
                              struct error **ret_skipped)
{
	struct walk walk = { .visit = visit,
		             .context = context,
		             .budget = budget };

	return run_walk(&walk, path, ret_skipped);
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/cache/cache_directory.h"

#include "lib/base/file_lock.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/out.h"
#include "lib/base/text.h"
#include "lib/base/uuid.h"
#include "lib/symbols/cache/cache_entry.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/** Age at which a temporary file is abandoned. */
#define LEFT_BEHIND_SECONDS 3600
/** The lock file is never removed: other processes may hold it. */
#define LOCK_NAME    "lock"
#define LOCK_WAIT_MS 10000

static const char tag_name[] = "CACHEDIR.TAG";
static const char tag[] =
        "Signature: 8a477f597d28d172789f06886806bc55\n"
        "# What apmtool has worked out of debug information. All of it can be\n"
        "# removed, and is made again when it is needed.\n";

struct cache_directory {
	char *path;
	uint64_t limit_bytes;
	bool is_frozen;
	uid_t owner; ///< whose files are accepted, besides root's
};

struct cache_directory *cache_directory_new(const char *path,
                                            uint64_t limit_bytes)
{
	struct cache_directory *directory = mem_zalloc(1, sizeof(*directory));

	directory->path = mem_strndup(path, strlen(path));
	directory->limit_bytes = limit_bytes;
	directory->owner = geteuid();
	return directory;
}

void cache_directory_free(struct cache_directory *directory)
{
	if (!directory)
		return;
	free(directory->path);
	free(directory);
}

void cache_directory_trust_owner(struct cache_directory *directory,
                                 const char *path)
{
	struct stat info;

	if (!stat(path, &info))
		directory->owner = info.st_uid;
}

void cache_directory_freeze(struct cache_directory *directory)
{
	directory->is_frozen = true;
}

const char *cache_directory_path(const struct cache_directory *directory)
{
	return directory->path;
}

void cache_directory_add_path(const struct cache_directory *directory,
                              const char *name, struct str *out)
{
	str_addf(out, "%s/%s", directory->path, name);
}

bool cache_directory_has(const struct cache_directory *directory,
                         const char *name)
{
	SCOPED(str_release) struct str path = { 0 };
	struct file_stamp stamp;

	cache_directory_add_path(directory, name, &path);
	return file_stamp_read(str_cstr(&path), &stamp);
}

#define OTHERS_WRITE (S_IWGRP | S_IWOTH)

static bool is_ours(const struct cache_directory *directory,
                    const struct stat *info)
{
	return info->st_uid == geteuid() || info->st_uid == 0 ||
	       info->st_uid == directory->owner;
}

/** Can no other user choose its contents? */
static bool directory_is_ours(const struct cache_directory *directory,
                              struct stat *info)
{
	return !stat(directory->path, info) && S_ISDIR(info->st_mode) &&
	       is_ours(directory, info) && !(info->st_mode & OTHERS_WRITE);
}

static struct error *cannot_read(const struct cache_directory *directory)
{
	return error_os(errno, "cannot read the cache '%s'", directory->path);
}

struct error *cache_directory_check_access(
        const struct cache_directory *directory)
{
	struct stat info;

	if (stat(directory->path, &info))
		return file_means_absent(errno) ? NULL : cannot_read(directory);
	if (!S_ISDIR(info.st_mode))
		return error_new(ERROR_OS, "'%s' is not a directory",
		                 directory->path);
	return access(directory->path, R_OK | X_OK) ? cannot_read(directory)
	                                            : NULL;
}

struct error *cache_directory_check(const struct cache_directory *directory)
{
	struct error *err = cache_directory_check_access(directory);
	struct stat info;

	if (err || directory_is_ours(directory, &info) ||
	    stat(directory->path, &info))
		return err;
	if (!is_ours(directory, &info))
		return error_new(ERROR_OS,
		                 "the cache '%s' is not used: it belongs to "
		                 "another user",
		                 directory->path);
	return error_new(ERROR_OS,
	                 "the cache '%s' is not used: other users may write to "
	                 "it: run 'chmod go-w %s'",
	                 directory->path, directory->path);
}

bool cache_directory_map(const struct cache_directory *directory,
                         const char *name, struct file_data *ret)
{
	SCOPED(str_release) struct str path = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct stat info, above;

	cache_directory_add_path(directory, name, &path);
	if (lstat(str_cstr(&path), &info) || !S_ISREG(info.st_mode) ||
	    !is_ours(directory, &info) || !directory_is_ours(directory, &above))
		return false;
	// A file that the group may write, by the umask, is safe in a directory
	// that the group cannot enter.
	if ((info.st_mode & OTHERS_WRITE) &&
	    (above.st_mode & (S_IRWXG | S_IRWXO)))
		return false;
	err = file_map(str_cstr(&path), ret);
	return !err;
}

void cache_directory_touch(const struct cache_directory *directory,
                           const char *name)
{
	SCOPED(str_release) struct str path = { 0 };

	if (directory->is_frozen)
		return;
	cache_directory_add_path(directory, name, &path);
	// Fails in a read-only directory, which is not pruned either.
	(void)utimensat(AT_FDCWD, str_cstr(&path), NULL, AT_SYMLINK_NOFOLLOW);
}

struct error *cache_directory_remove(const struct cache_directory *directory,
                                     const char *name)
{
	SCOPED(str_release) struct str path = { 0 };

	if (directory->is_frozen)
		return NULL;
	cache_directory_add_path(directory, name, &path);
	if (!unlink(str_cstr(&path)) || file_means_absent(errno))
		return NULL;
	return error_os(errno, "cannot remove '%s'", str_cstr(&path));
}

static struct error *write_file(const struct cache_directory *directory,
                                const char *name, struct text contents)
{
	SCOPED(str_release) struct str path = { 0 };
	struct out *out = NULL;
	struct error *err;
	struct stat info;

	cache_directory_add_path(directory, name, &path);
	// A link or FIFO would redirect the write, and a new file inherits the
	// mode of the old one.
	if (!lstat(str_cstr(&path), &info) &&
	    (!S_ISREG(info.st_mode) || info.st_mode & (S_IWGRP | S_IWOTH)) &&
	    unlink(str_cstr(&path)))
		return error_os(errno, "cannot remove '%s'", str_cstr(&path));
	err = out_open(str_cstr(&path), &out);
	if (err)
		return err;
	out_need_not_last(out);
	out_set_content(out, OUT_BINARY);
	// One write lets Linux use large pages, and random look-ups then have a
	// hundredth of the page faults.
	out_add_bytes(out, contents.data, contents.size);
	err = out_close(out);
	// A file that the umask opens to a group would be rejected.
	if (!err && !stat(str_cstr(&path), &info) &&
	    (info.st_mode & OTHERS_WRITE))
		(void)chmod(str_cstr(&path),
		            info.st_mode & ~(mode_t)OTHERS_WRITE & 07777);
	return err;
}

/** Make the directory and its parents. */
static struct error *make_directory(const struct cache_directory *directory)
{
	SCOPED(str_release) struct str path = { 0 };
	struct error *err;
	struct stat info;

	if (directory_is_ours(directory, &info))
		return NULL;
	str_add(&path, directory->path);
	for (size_t i = 1; i <= path.size; i++) {
		char end = path.data[i];

		if (end && end != '/')
			continue;
		path.data[i] = '\0';
		if (mkdir(path.data, 0700) && errno != EEXIST)
			return error_os(errno, "cannot make '%s'", path.data);
		path.data[i] = end;
	}
	err = cache_directory_check(directory);
	if (err)
		return err;
	return write_file(directory, tag_name, text_from(tag));
}

/** Owners of files only matter when files are removed. */
static void keep_limit(const struct cache_directory *directory)
{
	SCOPED(cache_files_release) struct cache_files files;
	struct cache_pruned pruned;
	uint64_t total = 0;

	cache_directory_list(directory, &files);
	for (size_t i = 0; i < files.count; i++)
		total += files.files[i].size_bytes;
	if (total > directory->limit_bytes)
		error_free(cache_directory_prune(
		        directory, directory->limit_bytes, &pruned));
}

struct error *cache_directory_put(struct cache_directory *directory,
                                  const char *name, const struct str *contents)
{
	struct error *err = NULL;

	if (directory->is_frozen)
		return NULL;
	if (contents->size > directory->limit_bytes)
		return error_new(ERROR_LIMIT,
		                 "'%s' is larger than the cache may be", name);
	err = make_directory(directory);
	if (!err)
		err = write_file(directory, name, str_text(contents));
	// Also after a failure: temporary files may have filled the disk.
	keep_limit(directory);
	return err;
}

struct error *cache_directory_lock(struct cache_directory *directory, int *ret)
{
	SCOPED(str_release) struct str path = { 0 };
	struct error *err;

	*ret = -1;
	if (directory->is_frozen)
		return NULL;
	err = make_directory(directory);
	if (err) {
		// The next write reports it.
		error_free(err);
		return NULL;
	}
	cache_directory_add_path(directory, LOCK_NAME, &path);
	return error_prefix(file_lock(str_cstr(&path), 0600, FILE_LOCK_ALL,
	                              LOCK_WAIT_MS, ret),
	                    "%s", directory->path);
}

void cache_directory_unlock(const int *lock)
{
	file_unlock(lock);
}

/**
 * The process of a temporary file (lib/base/out.c), from its name
 * `ENTRY.gsym.PID-NUMBER`; 0: no such name.
 */
static pid_t writer_of(const char *name)
{
	struct text text = text_from(name);
	size_t dot = text_find_last_char(text, '.');
	struct text id = dot == TEXT_NOWHERE ? (struct text){ 0 }
	                                     : text_after(text, dot + 1);
	size_t dash = text_find_char(id, '-');
	uint64_t pid, number;

	if (dash == TEXT_NOWHERE ||
	    !number_decimal(text_first(id, dash), &pid) || pid > INT32_MAX ||
	    !number_decimal(text_after(id, dash + 1), &number))
		return 0;
	return (pid_t)pid;
}

/** A temporary file whose process is gone. */
static bool is_left_behind(const char *name, const struct stat *info)
{
	pid_t writer = writer_of(name);
	time_t age = time(NULL) - info->st_mtime;

	if (writer && kill(writer, 0) && errno == ESRCH)
		return true;
	return age > LEFT_BEHIND_SECONDS || age < -LEFT_BEHIND_SECONDS;
}

/** `UUID.gsym`, `UUID.unreadable.gsym`; formerly `UUID.part.gsym`. */
static bool is_entry_name(struct text name)
{
	struct text start = text_first(name, UUID_TEXT_SIZE - 1);
	char text[UUID_TEXT_SIZE];
	struct uuid uuid;

	return text_ends(name, ".gsym") && uuid_parse(start, &uuid) &&
	       text_is(start, uuid_format(&uuid, text));
}

/** Is it the name of a temporary file? */
static bool is_temporary(const char *name)
{
	struct text text = text_from(name);
	struct text target = text_first(text, text_find_last_char(text, '.'));

	return writer_of(name) &&
	       (is_entry_name(target) || text_is(target, "uuids") ||
	        text_is(target, tag_name));
}

static int compare_use(const void *a, const void *b)
{
	const struct cache_file *x = a;
	const struct cache_file *y = b;

	if (x->used_ns != y->used_ns)
		return x->used_ns > y->used_ns ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void list_name(const struct cache_directory *directory, const char *name,
                      struct cache_files *ret)
{
	SCOPED(str_release) struct str path = { 0 };
	struct file_stamp stamp;
	struct stat info;

	cache_directory_add_path(directory, name, &path);
	if (lstat(str_cstr(&path), &info) || !S_ISREG(info.st_mode))
		return;
	if (!is_entry_name(text_from(name))) {
		if (!directory->is_frozen && is_temporary(name) &&
		    is_left_behind(name, &info))
			ret->removed_count += !unlink(str_cstr(&path));
		return;
	}
	if (!file_stamp_read(str_cstr(&path), &stamp))
		return;
	MEM_GROW(ret->files, ret->count, ret->cap);
	ret->files[ret->count++] = (struct cache_file){
		.name = mem_strndup(name, strlen(name)),
		.size_bytes = stamp.size,
		.used_ns = stamp.modified_ns,
	};
}

void cache_directory_list(const struct cache_directory *directory,
                          struct cache_files *ret)
{
	DIR *dir = opendir(directory->path);
	struct dirent *entry;

	*ret = (struct cache_files){ 0 };
	if (!dir)
		return;
	while ((entry = readdir(dir)))
		list_name(directory, entry->d_name, ret);
	closedir(dir);
	if (ret->count)
		qsort(ret->files, ret->count, sizeof(*ret->files), compare_use);
}

bool cache_directory_is_entry(const struct cache_directory *directory,
                              const struct cache_file *file)
{
	SCOPED(str_release) struct str path = { 0 };

	cache_directory_add_path(directory, file->name, &path);
	return cache_entry_has_mark(str_cstr(&path), file->size_bytes);
}

void cache_files_release(struct cache_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->files[i].name);
	free(files->files);
	*files = (struct cache_files){ 0 };
}

static struct error *prune_file(const struct cache_directory *directory,
                                const struct cache_file *file,
                                struct cache_pruned *pruned)
{
	struct error *err = cache_directory_remove(directory, file->name);

	if (err) {
		pruned->stuck++;
		return err;
	}
	pruned->removed++;
	pruned->removed_bytes += file->size_bytes;
	return NULL;
}

struct error *cache_directory_prune(const struct cache_directory *directory,
                                    uint64_t limit_bytes,
                                    struct cache_pruned *ret)
{
	SCOPED(cache_files_release) struct cache_files files;
	struct cache_pruned pruned = { 0 };
	struct error *first = NULL;
	uint64_t total = 0;

	cache_directory_list(directory, &files);
	for (size_t i = 0; i < files.count; i++) {
		if (!cache_directory_is_entry(directory, &files.files[i]))
			continue;
		pruned.count++;
		total += files.files[i].size_bytes;
		if (total <= limit_bytes)
			continue;
		error_keep_first(&first, prune_file(directory, &files.files[i],
		                                    &pruned));
	}
	*ret = pruned;
	return first;
}

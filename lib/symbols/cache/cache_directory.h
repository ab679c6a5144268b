// SPDX-License-Identifier: MIT
/**
 * The cache on disk: a directory of files that can all be made again.
 *
 * Files are written to a temporary name in the same directory and renamed, so
 * readers see a whole file or none. Temporary files of killed processes are
 * removed by the next write. Failures are not errors of the run: an unwritable
 * directory caches nothing.
 *
 * All entries together are limited in size. Those not used for the longest time
 * are removed first: a look-up updates the modification time of its file.
 *
 * Take the lock to read a file and replace it by a changed one:
 *
 *     SCOPED(cache_directory_unlock) int lock = -1;
 *
 *     err = cache_directory_lock(directory, &lock);
 */
#ifndef APMTOOL_LIB_SYMBOLS_CACHE_CACHE_DIRECTORY_H
#define APMTOOL_LIB_SYMBOLS_CACHE_CACHE_DIRECTORY_H

#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache_directory;

/**
 * @param path  Absolute; may not exist yet.
 * @param limit_bytes  Max size of all entries together.
 */
struct cache_directory *cache_directory_new(const char *path,
                                            uint64_t limit_bytes);
/** NULL is allowed. */
void cache_directory_free(struct cache_directory *directory);
/**
 * Also accept files of the owner of @p path, a file that the user named: its
 * owner already controls the contents.
 */
void cache_directory_trust_owner(struct cache_directory *directory,
                                 const char *path);
/** For a dry run: no further function changes the directory. */
void cache_directory_freeze(struct cache_directory *directory);
const char *cache_directory_path(const struct cache_directory *directory);

/** Can it be listed? A missing directory is empty, not an error. */
MUST_CHECK struct error *cache_directory_check_access(
        const struct cache_directory *directory);
/**
 * As cache_directory_check_access(); also, can no other user change it? The
 * error says what to do.
 */
MUST_CHECK struct error *cache_directory_check(
        const struct cache_directory *directory);

/** Is there a regular file with that name? */
bool cache_directory_has(const struct cache_directory *directory,
                         const char *name);

/** Append the path of a file of the cache. */
void cache_directory_add_path(const struct cache_directory *directory,
                              const char *name, struct str *out);

/**
 * Map a file of the cache. Rejects files that other users own or may write.
 *
 * @return false: no usable file.
 */
bool cache_directory_map(const struct cache_directory *directory,
                         const char *name, struct file_data *ret);

/** Mark a file as used, so it is removed later. */
void cache_directory_touch(const struct cache_directory *directory,
                           const char *name);

/** Write a file; returns the error for callers that report it. */
MUST_CHECK struct error *cache_directory_put(struct cache_directory *directory,
                                             const char *name,
                                             const struct str *contents);
/**
 * Remove a file; an error if it still exists, unless the directory is frozen.
 */
MUST_CHECK struct error *cache_directory_remove(
        const struct cache_directory *directory, const char *name);

/**
 * Lock the directory against other processes. The system releases the lock when
 * the process ends. If locks are not possible, as on some network file systems,
 * or the directory is missing, @p ret is -1.
 *
 * @return An error if another process held it for ten seconds.
 */
MUST_CHECK struct error *cache_directory_lock(struct cache_directory *directory,
                                              int *ret);
/** -1 is allowed. */
void cache_directory_unlock(const int *lock);

/** A file of the cache. */
struct cache_file {
	char *name;
	uint64_t size_bytes;
	int64_t used_ns;
};

struct cache_files {
	struct cache_file *files; ///< the latest used first
	size_t count;
	size_t cap;
	size_t removed_count; ///< temporary files of killed processes
};

/**
 * List the files with names of entries, and remove temporary ones unless
 * frozen. The directory may be the user's, with other files: links and other
 * special files are no entries, nor are files without an entry's mark
 * (cache_directory_is_entry()).
 */
void cache_directory_list(const struct cache_directory *directory,
                          struct cache_files *ret);
bool cache_directory_is_entry(const struct cache_directory *directory,
                              const struct cache_file *file);
void cache_files_release(struct cache_files *files);

/** Result of pruning. */
struct cache_pruned {
	size_t count;
	size_t removed;
	uint64_t removed_bytes;
	size_t stuck; ///< not removed, because of an error
};

/**
 * Remove the entries not used for the longest time until all take @p
 * limit_bytes.
 *
 * @param ret  Of a frozen directory: what would be removed.
 * @return Why the first stuck entry cannot be removed.
 */
MUST_CHECK struct error *cache_directory_prune(
        const struct cache_directory *directory, uint64_t limit_bytes,
        struct cache_pruned *ret);

#endif

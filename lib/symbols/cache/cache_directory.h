// SPDX-License-Identifier: MIT
/**
 * The cache on disk: a directory of files that can all be made again.
 *
 * Files are written beside their place and renamed into it, so that whoever
 * reads one sees all of it or none. What a process that was killed left behind
 * is removed by the next that writes. Nothing that goes wrong here is an error
 * of the run: a directory that cannot be written is one that keeps nothing.
 *
 * Together the entries take no more than the directory's limit. Those that have
 * not been used for the longest time go first: a look-up moves the time of
 * modification of its file.
 *
 * Whoever reads a file to put a changed one in its place takes the lock:
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
 * @param path         Absolute; need not be there yet.
 * @param limit_bytes  Of all entries together.
 */
struct cache_directory *cache_directory_new(const char *path,
                                            uint64_t limit_bytes);
/** NULL is fine. */
void cache_directory_free(struct cache_directory *directory);
/**
 * Files of the owner of @p path are used, too: of a file that the user named,
 * and whose owner could choose what is in there as well.
 */
void cache_directory_trust_owner(struct cache_directory *directory,
                                 const char *path);
/** For a dry run: from here on nothing in it is changed, whatever is called. */
void cache_directory_freeze(struct cache_directory *directory);
const char *cache_directory_path(const struct cache_directory *directory);

/**
 * Can what is in there be listed? A directory that is not there holds nothing:
 * that is no error.
 */
MUST_CHECK struct error *cache_directory_check_access(
        const struct cache_directory *directory);
/** And can no other user change it? The error says what to do. */
MUST_CHECK struct error *cache_directory_check(
        const struct cache_directory *directory);

/** Is there a regular file with that name? */
bool cache_directory_has(const struct cache_directory *directory,
                         const char *name);

/** Append the path of a file of the cache. */
void cache_directory_add_path(const struct cache_directory *directory,
                              const char *name, struct str *out);

/**
 * Map a file of the cache. Not one that is another user's, or that others may
 * write: what it says would be theirs to choose.
 *
 * @return false where there is none that may be used.
 */
bool cache_directory_map(const struct cache_directory *directory,
                         const char *name, struct file_data *ret);

/** It has been of use: it goes later. */
void cache_directory_touch(const struct cache_directory *directory,
                           const char *name);

/** Put a file in place; what goes wrong is said for those who want to know. */
MUST_CHECK struct error *cache_directory_put(struct cache_directory *directory,
                                             const char *name,
                                             const struct str *contents);
/** An error where it is still there, unless the directory is frozen. */
MUST_CHECK struct error *cache_directory_remove(
        const struct cache_directory *directory, const char *name);

/**
 * Keep other processes from taking the lock. The system gives it back when the
 * process ends, however it ends. Where there can be no lock, as on some network
 * file systems, or no directory, one goes on without: -1.
 *
 * @return An error where another has held it for ten seconds.
 */
MUST_CHECK struct error *cache_directory_lock(struct cache_directory *directory,
                                              int *ret);
/** -1 is fine. */
void cache_directory_unlock(const int *lock);

/** A file of the cache. */
struct cache_file {
	char *name;
	uint64_t size_bytes;
	int64_t used_ns;
};

struct cache_files {
	struct cache_file *files; ///< those used the latest first
	size_t count;
	size_t cap;
	size_t removed_count; ///< what killed processes left, and is gone now
};

/**
 * List what has the name of an entry, and remove what was left behind, unless
 * it is frozen. The directory may be one of the user's, with other files: links
 * and the like are no entries, nor is what does not carry an entry's mark, as
 * cache_directory_is_entry() says.
 */
void cache_directory_list(const struct cache_directory *directory,
                          struct cache_files *ret);
bool cache_directory_is_entry(const struct cache_directory *directory,
                              const struct cache_file *file);
void cache_files_release(struct cache_files *files);

/** What became of the entries. */
struct cache_pruned {
	size_t count;
	size_t removed;
	uint64_t removed_bytes;
	size_t stuck; ///< that should have been removed, and could not be
};

/**
 * Remove the entries used the longest ago until all take @p limit_bytes.
 *
 * @param ret  Of a frozen directory: what would be removed.
 * @return Why the first of those that are stuck cannot be removed.
 */
MUST_CHECK struct error *cache_directory_prune(
        const struct cache_directory *directory, uint64_t limit_bytes,
        struct cache_pruned *ret);

#endif

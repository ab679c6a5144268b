// SPDX-License-Identifier: MIT
/**
 * Caches the debug information of one file over several runs.
 *
 *     cache = debug_cache_open(directory, &uuid, slice, offset, &stamp, …);
 *     debug_cache_expect(cache, count);
 *     found = debug_cache_find(cache, address, &arena, &answer);
 *     …
 *     debug_cache_add(cache, &image);
 *     debug_cache_close(cache);
 *
 * An entry is the whole file, `UUID.gsym`. Its answers equal those of the debug
 * information. An entry that is damaged, or of another version, reader or file,
 * is not used, and replaced. If a file cannot be read whole,
 * `UUID.unreadable.gsym` records that, and no run tries again.
 *
 * A run with few addresses does little work, and writes nothing. Once the
 * addresses requested of a file cost as much as most of it, the file is read
 * whole (debug_cache_wants_whole()) and written to the directory, if there is
 * one. A copy of a file has another stamp: its contents are compared with the
 * entry only if that costs less than reading the requested addresses.
 */
#ifndef APMTOOL_LIB_SYMBOLS_CACHE_DEBUG_CACHE_H
#define APMTOOL_LIB_SYMBOLS_CACHE_DEBUG_CACHE_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/file.h"
#include "lib/base/str.h"
#include "lib/base/uuid.h"
#include "lib/symbols/cache/cache_directory.h"
#include "lib/symbols/gsym/gsym.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct debug_cache;

/** Append the name of a UUID's entry. */
void debug_cache_add_name(const struct uuid *uuid, struct str *out);

/**
 * Open the cache of a file.
 *
 * @param directory  Borrowed; or NULL.
 * @param slice  Of the file, mapped; borrowed.
 * @param offset  Of the slice in the file.
 * @param reader  Of its debug information.
 * @param debug_bytes  Size of its debug information.
 */
struct debug_cache *debug_cache_open(struct cache_directory *directory,
                                     const struct uuid *uuid,
                                     struct bytes slice, uint64_t offset,
                                     const struct file_stamp *stamp,
                                     enum debug_reader reader,
                                     uint64_t debug_bytes);

/**
 * If the directory has no entry, search for one next to the file at @p path: a
 * symbol store makes entries when it copies files. It is used like other
 * entries, but never changed.
 */
void debug_cache_look_beside(struct debug_cache *cache, const char *path);

/** Write new data, and free the cache. NULL is allowed. */
void debug_cache_close(struct debug_cache *cache);
/** As debug_cache_close(), but returns the write error. */
MUST_CHECK struct error *debug_cache_close_kept(struct debug_cache *cache);

/**
 * Announce look-ups of @p count addresses: decides whether to compare an entry
 * with another stamp.
 */
void debug_cache_expect(struct debug_cache *cache, size_t count);

enum debug_cache_found {
	DEBUG_CACHE_UNKNOWN, ///< read the debug information
	DEBUG_CACHE_NOTHING, ///< the debug information has no answer
	DEBUG_CACHE_FOUND,
};

/**
 * Look up an address.
 *
 * @param ret  Set if found; borrows from the cache.
 */
enum debug_cache_found debug_cache_find(struct debug_cache *cache,
                                        uint64_t address, struct arena *arena,
                                        struct gsym_answer *ret);

/**
 * After look-ups: was there damage? If so, all answers must be dropped, and the
 * cache is empty from here on.
 */
bool debug_cache_is_damaged(struct debug_cache *cache);

/** Should the file be read whole to find @p count more addresses? */
bool debug_cache_wants_whole(const struct debug_cache *cache, size_t count);

/** Count addresses that were read without the whole file. */
void debug_cache_count(struct debug_cache *cache, size_t count);

/**
 * The file is being read whole, in a child: meanwhile compute checksums of its
 * contents, which takes a tenth of the time.
 */
void debug_cache_expect_whole(struct debug_cache *cache);

/** Reading it whole has failed; do not try again. */
void debug_cache_no_whole(struct debug_cache *cache);

/** Write the image of the whole file; empties @p image. */
void debug_cache_add(struct debug_cache *cache, struct str *image);

/** Is the whole file cached, as far as known? */
bool debug_cache_is_whole(const struct debug_cache *cache);
/**
 * As debug_cache_is_whole(), but compares an entry with another stamp at any
 * cost.
 */
bool debug_cache_has_whole(struct debug_cache *cache);

#endif

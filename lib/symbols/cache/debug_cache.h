// SPDX-License-Identifier: MIT
/**
 * What earlier runs found out of one file's debug information.
 *
 *     cache = debug_cache_open(directory, &uuid, slice, offset, &stamp, …);
 *     debug_cache_expect(cache, count);
 *     found = debug_cache_find(cache, address, &arena, &answer);
 *     …
 *     debug_cache_add(cache, &image);
 *     debug_cache_close(cache);
 *
 * An entry is the whole file, `UUID.gsym`, and an answer from it is the one
 * that the debug information itself would give; an entry that is damaged, of
 * another version, another reader or another file is not used, and replaced.
 * Where a file cannot be read whole, `UUID.unreadable.gsym` says so: no run
 * tries again.
 *
 * A run that asks little pays for little, and keeps nothing. As soon as all
 * that it asked of a file comes to most of it, the file is worth reading whole
 * (debug_cache_wants_whole()), which is kept, where there is a directory. A
 * copy of a file has another stamp: its contents are compared with those of the
 * entry only where that costs less than to read what is asked.
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

/** Append the name that the entry of a UUID has. */
void debug_cache_add_name(const struct uuid *uuid, struct str *out);

/**
 * Open what there is for a file.
 *
 * @param directory  Borrowed; NULL: there is none.
 * @param slice      Of the file, mapped; borrowed.
 * @param offset     Of the slice in the file.
 * @param reader     Who reads its debug information.
 * @param debug_bytes  How much of that it has.
 */
struct debug_cache *debug_cache_open(struct cache_directory *directory,
                                     const struct uuid *uuid,
                                     struct bytes slice, uint64_t offset,
                                     const struct file_stamp *stamp,
                                     enum debug_reader reader,
                                     uint64_t debug_bytes);

/**
 * Where the directory has nothing for the file, look for an entry in the
 * directory of @p path, the file itself: in a symbol store, the entry was made
 * when the file was copied there. It is used as those of the directory are, and
 * left alone.
 */
void debug_cache_look_beside(struct debug_cache *cache, const char *path);

/** Write what is new, and free. NULL is fine. */
void debug_cache_close(struct debug_cache *cache);
/** The same, for who wants to know why it could not be written. */
MUST_CHECK struct error *debug_cache_close_kept(struct debug_cache *cache);

/**
 * So many addresses are going to be looked up: whether an entry with another
 * stamp is of this file is found out here, if it is worth that.
 */
void debug_cache_expect(struct debug_cache *cache, size_t count);

enum debug_cache_found {
	DEBUG_CACHE_UNKNOWN, ///< ask the debug information
	DEBUG_CACHE_NOTHING, ///< which says nothing of this address
	DEBUG_CACHE_FOUND,
};

/**
 * What is known of an address.
 *
 * @param ret  Filled where it was found; borrows from the cache.
 */
enum debug_cache_found debug_cache_find(struct debug_cache *cache,
                                        uint64_t address, struct arena *arena,
                                        struct gsym_answer *ret);

/**
 * To be asked after look-ups: has something turned out to be damaged? Then all
 * that was found is to be forgotten, and the cache is empty from here on.
 */
bool debug_cache_is_damaged(struct debug_cache *cache);

/** Is it time to read the file whole, to find @p count more addresses? */
bool debug_cache_wants_whole(const struct debug_cache *cache, size_t count);

/** So many addresses were read, and not the whole file. */
void debug_cache_count(struct debug_cache *cache, size_t count);

/**
 * The file is being read whole, in a child: meanwhile, what the entry will say
 * of its contents is summed up, which takes a tenth as long.
 */
void debug_cache_expect_whole(struct debug_cache *cache);

/** Reading it whole has failed: it is not tried again. */
void debug_cache_no_whole(struct debug_cache *cache);

/** Keep the image of the whole file, which is emptied. */
void debug_cache_add(struct debug_cache *cache, struct str *image);

/** Is the whole file in there, for all that is known so far? */
bool debug_cache_is_whole(const struct debug_cache *cache);
/** The same; an entry with another stamp is compared, whatever that costs. */
bool debug_cache_has_whole(struct debug_cache *cache);

#endif

// SPDX-License-Identifier: MIT
/**
 * A file of the cache: a GSYM image with all debug information of a file, then
 * checksums and a seal. The seal identifies the source and the reader, and
 * protects the entry's integrity.
 *
 *     image | checksums | seal
 *
 * An entry without an image is a mark: the source cannot be read whole.
 *
 * apmtool-cache(5) describes the format. Entries are untrusted input. Entries
 * of another version, reader or source are ignored.
 */
#ifndef APMTOOL_LIB_SYMBOLS_CACHE_CACHE_ENTRY_H
#define APMTOOL_LIB_SYMBOLS_CACHE_CACHE_ENTRY_H

#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/file.h"
#include "lib/base/str.h"
#include "lib/base/uuid.h"
#include "lib/object/dwarf/debug_info.h"
#include "lib/symbols/gsym/gsym.h"
#include "lib/symbols/gsym/guard.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Source and reader of an entry. */
struct cache_source {
	struct uuid uuid;
	uint64_t reader; ///< cache_reader_id() of the writing program
	uint64_t offset; ///< of the slice in the file
	uint64_t size;
	struct file_stamp stamp; ///< of the file on disk
	uint64_t contents[2];    ///< checksums of the slice's halves; 0: not
	                         ///< computed
};

struct cache_entry {
	struct cache_source source;
	struct bytes image; ///< empty: a mark
	struct gsym gsym;   ///< set by cache_entry_read(), as is the guard
	struct gsym_guard guard;
};

/** Checksum of the source code below; set by the build. */
extern const char cache_reader_sources[];

/**
 * Identifies what answers depend on: the code that reads debug information, its
 * library, and the limits. Entries with another id are not used.
 */
uint64_t cache_reader_id(enum debug_reader reader);

/** Checksums of a slice's contents, independent of its position. */
void cache_sum_contents(struct bytes slice, uint64_t ret[2]);

/**
 * Append the entry as a file. A large image may already be in @p out, alone;
 * then it is not copied.
 */
void cache_entry_write(const struct cache_entry *entry, struct str *out);

/**
 * Read an entry in place. Its own checksums are compared here, those of the
 * image when it is read.
 *
 * @param ret  Release after success. Borrows @p file. Must not be moved, as the
 *             image refers to its guard.
 */
MUST_CHECK struct error *cache_entry_read(struct bytes file,
                                          struct cache_entry *ret);
void cache_entry_release(struct cache_entry *entry);

/**
 * Does a file of that size end as an entry does? Then it is ours, even if
 * damaged.
 */
bool cache_entry_has_mark(const char *path, uint64_t size_bytes);

/** Are all checksums right (`index --verify`)? */
bool cache_entry_is_sound(struct cache_entry *entry);

#endif

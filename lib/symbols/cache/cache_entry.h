// SPDX-License-Identifier: MIT
/**
 * A file of the cache: one GSYM image of everything a file's debug information
 * says, and a seal behind it that says of what it is, by whom, and whether it
 * is still as it was written.
 *
 *     image | checksums | seal
 *
 * Without an image it is a mark: that file cannot be read whole.
 *
 * apmtool-cache(5) describes the format. An entry is untrusted like any other
 * input, and of another version, reader or source it is as good as none.
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

/** What an entry was made from, and by whom. */
struct cache_source {
	struct uuid uuid;
	uint64_t reader; ///< cache_reader_id() of the program that wrote it
	uint64_t offset; ///< of the slice in the file
	uint64_t size;
	struct file_stamp stamp; ///< as the file lay on a disk
	uint64_t contents[2]; ///< checksums of the slice's halves; 0: not made
};

struct cache_entry {
	struct cache_source source;
	struct bytes image; ///< empty: a mark
	struct gsym gsym;   ///< filled by cache_entry_read(), as is
	struct gsym_guard guard;
};

/** A checksum of the sources of that code; made by the build. */
extern const char cache_reader_sources[];

/**
 * What makes the answers what they are: the code that reads debug information,
 * the library below it, and the limits of what is read. Entries of another one
 * are not used.
 */
uint64_t cache_reader_id(enum debug_reader reader);

/** Checksums of a slice: the same again, wherever it lies. */
void cache_sum_contents(struct bytes slice, uint64_t ret[2]);

/**
 * Append the entry, as it is written to a file. The image, which may be large,
 * can be in @p out already, with nothing else: then it stays.
 */
void cache_entry_write(const struct cache_entry *entry, struct str *out);

/**
 * Read an entry in place: checksums are checked here, the image as it is looked
 * at.
 *
 * @param ret    To be released after success; borrows @p file, and may not be
 *               moved: its image refers to its guard.
 */
MUST_CHECK struct error *cache_entry_read(struct bytes file,
                                          struct cache_entry *ret);
void cache_entry_release(struct cache_entry *entry);

/**
 * Does a file of that size end as an entry does? It is one of ours then, if
 * maybe damaged.
 */
bool cache_entry_has_mark(const char *path, uint64_t size_bytes);

/** Are all its blocks as they were written (`index --verify`)? */
bool cache_entry_is_sound(struct cache_entry *entry);

#endif

// SPDX-License-Identifier: MIT
/**
 * A file of the cache: GSYM images, and a seal behind them that says of what
 * they are, by whom, and whether they are still as they were written.
 *
 *     part: image, addresses asked | part … | checksums | parts | seal
 *
 * An entry is either *whole*, one image of everything a file's debug
 * information says, or *partial*: what runs asked for so far, a part for each,
 * with the addresses that were asked. Only these are answered from it: what a
 * part says of an address depends on the functions that were read for it.
 *
 * apmtool-cache(5) describes the format. An entry is untrusted like any other
 * input, and of another version, reader or source it is as good as none.
 */
#ifndef APMTOOL_LIB_SYMBOLS_CACHE_CACHE_ENTRY_H
#define APMTOOL_LIB_SYMBOLS_CACHE_CACHE_ENTRY_H

#include "lib/base/arena.h"
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

/** Parts of an entry, and stamps of one. */
#define CACHE_PARTS_MAX  16
#define CACHE_STAMPS_MAX 4

/** What an entry was made from, and by whom. */
struct cache_source {
	struct uuid uuid;
	uint64_t reader; ///< cache_reader_id() of the program that wrote it
	uint64_t offset; ///< of the slice in the file
	uint64_t size;
	/** The same contents as they lay on disks, the latest first. */
	struct file_stamp stamps[CACHE_STAMPS_MAX];
	uint64_t contents[2]; ///< checksums of the slice's halves; 0: not made
};

/** What one run asked of a file, and the image that answers it. */
struct cache_part {
	struct bytes image;
	uint64_t *addresses; ///< ascending; NULL in a whole entry
	size_t count;
	struct gsym gsym; ///< filled by cache_entry_read()
};

struct cache_entry {
	struct cache_source source;
	bool is_whole;
	bool no_whole; ///< the file cannot be read whole, or not all of it
	uint64_t paid; ///< addresses that were read for so far
	struct cache_part parts[CACHE_PARTS_MAX]; ///< the oldest first
	size_t part_count;
	struct gsym_guard guard; ///< filled by cache_entry_read()
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
 * Append the entry, as it is written to a file. The image of a whole one, which
 * may be large, can be in @p out already, with nothing else: then it stays.
 */
void cache_entry_write(const struct cache_entry *entry, struct str *out);

/**
 * Read an entry in place: tables are checked here, images as they are looked
 * at.
 *
 * @param arena  Gets the addresses.
 * @param ret    To be released after success; borrows @p file, and may not be
 *               moved: its parts refer to its guard.
 */
MUST_CHECK struct error *cache_entry_read(struct bytes file,
                                          struct arena *arena,
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

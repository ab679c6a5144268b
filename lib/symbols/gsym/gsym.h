// SPDX-License-Identifier: MIT
/**
 * GSYM: LLVM's published symbol format, version 1; read and written here.
 *
 * A sorted table of functions with their lines and inlined calls, searched
 * where it lies. What a debug-info child returns is such an image, so the
 * process that holds the reports never runs a DWARF parser; the cache on disk
 * (lib/symbols/cache/debug_cache.h) uses the same format. An image is untrusted
 * input like any other: every offset is checked, recursion is bounded.
 *
 * Source: the format as llvm-gsymutil 14 writes and verifies it.
 */
#ifndef APMTOOL_LIB_SYMBOLS_GSYM_GSYM_H
#define APMTOOL_LIB_SYMBOLS_GSYM_GSYM_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/base/uuid.h"
#include "lib/object/dwarf/debug_info.h"

#include <stdbool.h>
#include <stdint.h>

/** Deepest chain of inlined calls that is read. */
#define GSYM_INLINE_DEPTH 64

/** As many first bytes hold a header. */
#define GSYM_HEAD_BYTES 48

struct gsym {
	struct bytes image;
	enum cursor_order order;
	struct uuid uuid;
	uint64_t base_address;
	uint32_t address_count;
	uint8_t address_size; ///< bytes of an entry of the address table
	uint64_t addresses_offset;
	uint64_t infos_offset;
	uint64_t files_offset; ///< of the first entry
	uint32_t file_count;
	struct bytes strings;
	struct gsym_guard *guard; ///< NULL: the image is sound
	uint64_t guard_offset;    ///< of the image in what is guarded
};

/** Open an image; @p image must outlive @p ret. Nothing to release. */
MUST_CHECK struct error *gsym_open(struct bytes image, struct gsym *ret);

/** First bytes are those of a GSYM file, of whatever version below 256. */
bool gsym_sniff(struct bytes head);

/** The UUID of a GSYM file by its first GSYM_HEAD_BYTES; zero: it has none. */
MUST_CHECK struct error *gsym_peek_uuid(struct bytes head, struct uuid *ret);

/**
 * Open a GSYM file that somebody has made, of either byte order.
 *
 * Addresses in it are those that the image was linked at. A report has offsets
 * from where the image was loaded, which is where its Mach-O header is, at the
 * start of __TEXT: llvm-gsymutil writes the address of that as the base
 * address, and so do we. An offset becomes an address by adding it to the
 * base. A file whose first function starts at its base is refused: no function
 * lies where the Mach-O header is, so where the image begins is not known.
 */
MUST_CHECK struct error *gsym_open_foreign(struct bytes file, struct gsym *ret);

/** Do records of functions lie outside of the file? That is an error. */
MUST_CHECK struct error *gsym_check_whole(const struct gsym *gsym);

/** How far the last function reaches from the base address; 0: none does. */
uint64_t gsym_span(const struct gsym *gsym);

struct gsym_guard;

/**
 * The same for an image that lies at @p guard_offset of what @p guard guards.
 * After look-ups, a guard that is `damaged` says to forget them all.
 */
MUST_CHECK struct error *gsym_open_guarded(struct bytes image,
                                           struct gsym_guard *guard,
                                           uint64_t guard_offset,
                                           struct gsym *ret);

/** In place of the name of an inlined call that has none. */
#define GSYM_UNNAMED "???"

/** One function at an address: innermost first in gsym_answer. */
struct gsym_call {
	const char *name;      ///< borrowed from the image, or GSYM_UNNAMED
	const char *directory; ///< "" if none
	const char *file;      ///< "" if none
	uint32_t line;
	uint32_t column;    ///< 0: not known; a GSYM has none
	bool line_borrowed; ///< the table says 0; nearest earlier of this call
	bool is_unnamed;    ///< an inlined call of which no name is known
	uint64_t start;     ///< of the function, or of the inlined range
};

/** A row of the line table; `found` is false where there is none. */
struct gsym_row {
	bool found;
	uint64_t address;
	uint32_t file;
	uint32_t line;
};

/** Where the reading of a line table has got to. */
struct gsym_rows {
	struct bytes lines; ///< which table; empty: none
	struct cursor in;   ///< after `next`
	int64_t min_delta;
	int64_t max_delta;
	struct gsym_row next; ///< not found: the table has ended
	struct gsym_row covering;
	struct gsym_row with_line;
};

struct gsym_answer {
	struct gsym_call *calls; ///< innermost first; the last is the function
	size_t count;
	uint64_t function_start;
	uint64_t function_size;
};

/**
 * Lookups in one image, one after the other. Where addresses ascend, a
 * function's line table is read once for all of them. All lookups together
 * may cost a multiple of the image's size, and some bytes each: in a hostile
 * image the last ones find nothing.
 *
 *     struct gsym_walk walk = { .gsym = &gsym };
 */
struct gsym_walk {
	const struct gsym *gsym;
	struct gsym_rows rows;
	uint64_t work; ///< bytes read so far
	uint64_t lookups;
	bool is_expected;     ///< the image was brought into memory
	bool reads_addresses; ///< all of their table may be read, as it is
	bool met_damage;      ///< a function was found, and its record was bad
	uint32_t after; ///< functions at or below the address looked up last
};

/** As gsym_lookup(), best in ascending order. */
bool gsym_walk_lookup(struct gsym_walk *walk, uint64_t address,
                      struct arena *arena, struct gsym_answer *ret);

/**
 * Find what covers @p address.
 *
 * @return false where nothing does, or where the function's record is
 *         damaged; a damaged record never gives a wrong name.
 */
bool gsym_lookup(const struct gsym *gsym, uint64_t address, struct arena *arena,
                 struct gsym_answer *ret);

/**
 * Write an image from collected functions. The image is appended to @p out,
 * which must be empty.
 */
MUST_CHECK struct error *gsym_write(const struct debug_info *info,
                                    const struct uuid *uuid, struct str *out);

#endif

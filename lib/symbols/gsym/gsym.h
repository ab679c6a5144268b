// SPDX-License-Identifier: MIT
/**
 * Reads and writes GSYM, LLVM's published symbol format, version 1.
 *
 * An image is a sorted table of functions with lines and inlined calls,
 * searched in place. A debug-info child returns such an image, so the process
 * with the reports never runs a DWARF parser. The cache
 * (lib/symbols/cache/debug_cache.h) uses the format, too. Images are untrusted
 * input: every offset is checked, recursion is bounded.
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

/** Max depth of inlined calls. */
#define GSYM_INLINE_DEPTH 64

/** Size of a header. */
#define GSYM_HEAD_BYTES 48

struct gsym {
	struct bytes image;
	enum cursor_order order;
	struct uuid uuid;
	uint64_t base_address;
	uint32_t address_count;
	uint8_t address_size; ///< bytes per entry of the address table
	uint64_t addresses_offset;
	uint64_t infos_offset;
	uint64_t files_offset; ///< of the first entry
	uint32_t file_count;
	struct bytes strings;
	struct gsym_guard *guard; ///< NULL: no checksums
	uint64_t guard_offset; ///< position of the image in the guarded bytes
};

/** Open an image; @p image must outlive @p ret. There is nothing to release. */
MUST_CHECK struct error *gsym_open(struct bytes image, struct gsym *ret);

/** Are these the first bytes of a GSYM file, of any version below 256? */
bool gsym_sniff(struct bytes head);

/** The UUID of a GSYM file from its first GSYM_HEAD_BYTES; zero: none. */
MUST_CHECK struct error *gsym_peek_uuid(struct bytes head, struct uuid *ret);

/**
 * Open a GSYM file of any writer and byte order.
 *
 * Its addresses are linked addresses. Reports have offsets from the load
 * address, which is that of the Mach-O header, at the start of __TEXT.
 * llvm-gsymutil writes the linked address of __TEXT as base address, and so do
 * we; adding an offset to the base gives an address. A file whose first
 * function starts at its base is refused: no function can be at the Mach-O
 * header, so the start of the image is unknown.
 */
MUST_CHECK struct error *gsym_open_foreign(struct bytes file, struct gsym *ret);

/** An error if a function's record lies outside of the file. */
MUST_CHECK struct error *gsym_check_whole(const struct gsym *gsym);

/** Last function's end minus the base address; 0: no function. */
uint64_t gsym_span(const struct gsym *gsym);

struct gsym_guard;

/**
 * As gsym_open(), for an image at @p guard_offset of a guarded file. If the
 * guard is `damaged` after look-ups, drop all their answers.
 */
MUST_CHECK struct error *gsym_open_guarded(struct bytes image,
                                           struct gsym_guard *guard,
                                           uint64_t guard_offset,
                                           struct gsym *ret);

/** Name of an inlined call without one. */
#define GSYM_UNNAMED "???"

struct gsym_call {
	const char *name;      ///< borrowed from the image, or GSYM_UNNAMED
	const char *directory; ///< or ""
	const char *file;      ///< or ""
	uint32_t line;
	uint32_t column;    ///< 0: unknown; a GSYM has none
	bool line_borrowed; ///< the table has line 0; this is the nearest
	                    ///< earlier one
	bool is_unnamed;    ///< an inlined call without a name
	uint64_t start;     ///< of the function or inlined range
};

/** A row of the line table, or `found` is false. */
struct gsym_row {
	bool found;
	uint64_t address;
	uint32_t file;
	uint32_t line;
};

/** Position in a line table. */
struct gsym_rows {
	struct bytes lines; ///< current table; or empty
	struct cursor in;   ///< after `next`
	int64_t min_delta;
	int64_t max_delta;
	struct gsym_row next; ///< not found: end of the table
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
 * Look-ups in one image. Best with ascending addresses: a function's line table
 * is then read once for all of them. The cost of all look-ups is limited to a
 * multiple of the image's size plus some bytes each; in a hostile image, the
 * last ones find nothing.
 *
 *     struct gsym_walk walk = { .gsym = &gsym };
 */
struct gsym_walk {
	const struct gsym *gsym;
	struct gsym_rows rows;
	uint64_t work; ///< bytes read so far
	uint64_t lookups;
	bool is_expected;     ///< the image was prefetched
	bool reads_addresses; ///< the whole address table may be read
	bool met_damage;      ///< a function had a damaged record
	uint32_t after;       ///< index of the function after the last address
};

/** As gsym_lookup(), best in ascending order. */
bool gsym_walk_lookup(struct gsym_walk *walk, uint64_t address,
                      struct arena *arena, struct gsym_answer *ret);

/**
 * Find the function and the calls at @p address.
 *
 * @return false: no function, or a damaged record, which never gives a wrong
 *         name.
 */
bool gsym_lookup(const struct gsym *gsym, uint64_t address, struct arena *arena,
                 struct gsym_answer *ret);

/** Write an image of collected functions to @p out, which must be empty. */
MUST_CHECK struct error *gsym_write(const struct debug_info *info,
                                    const struct uuid *uuid, struct str *out);

#endif

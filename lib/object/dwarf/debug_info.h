// SPDX-License-Identifier: MIT
/**
 * Debug information: the functions at given addresses, with their lines and
 * inlined calls.
 *
 * Common interface of two readers, the native one and libdwarf. They share no
 * code for reading, so that comparing them finds bugs in either
 * (debug_info_cross_check()). The native reader only reads units that cover a
 * wanted address, found by .debug_aranges, or by the units' own ranges if that
 * yields no function. Sections are read in place. DWARF 2 to 5, 32-bit and
 * 64-bit.
 *
 * libdwarf is not safe on hostile input: use a child process
 * (lib/symbols/debug_worker.h).
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_DEBUG_INFO_H
#define APMTOOL_LIB_OBJECT_DWARF_DEBUG_INFO_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/object/dwarf/sections.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Half-open: [low, high). File addresses. */
struct debug_range {
	uint64_t low;
	uint64_t high;
};

/** Max rows of a function, more than a line program may have. */
#define DEBUG_LINES_MAX ((1 << 30) - 1)

/** A row of the line table inside a function. */
struct debug_line {
	uint64_t address;
	uint32_t file; ///< index into debug_info.files
	uint32_t line; ///< 0: compiler-generated
};

struct debug_file {
	const char *directory; ///< or ""
	const char *name;
};

/**
 * An inlined call. There are millions of calls and functions: available memory
 * keeps their number below 2^32.
 */
struct debug_inline {
	const char *name; ///< linkage name, else DW_AT_name
	struct debug_range *ranges;
	struct debug_inline *children;
	uint32_t range_count;
	uint32_t child_count;
	uint32_t call_file; ///< place of the call in the caller
	uint32_t call_line;
};

/** One contiguous part of a function (a split function has several). */
struct debug_function {
	struct debug_range range;
	const char *name; ///< linkage name, else DW_AT_name
	/** ascending; the last one reaches to the end */
	struct debug_line *lines;
	struct debug_inline *inlines;
	uint32_t line_count : 30; ///< max DEBUG_LINES_MAX
	/**
	 * It is in order in its unit (struct function_order): decides overlaps.
	 */
	uint32_t in_order : 1;
	/**
	 * It is C code, whose names are not mangled except by clang's
	 * `overloadable`; units with only line tables omit that name.
	 */
	uint32_t named_in_c : 1;
	uint32_t inline_count;
};

/**
 * In the arena of debug_info_collect(), except names, which may point into the
 * file.
 */
struct debug_info {
	struct debug_file *files; ///< [0] is "no file"
	size_t file_count;
	/** ascending by range, not overlapping */
	struct debug_function *functions;
	size_t function_count;
	/** Linked address of the Mach-O header, if the file has one. */
	bool has_image_address;
	uint64_t image_address;
	/** Unreadable units, and the first reason. */
	size_t bad_unit_count;
	const char *bad_unit_reason;
};

/** Readers of debug information. */
enum debug_reader {
	DEBUG_READER_NATIVE, ///< our own
	DEBUG_READER_LIBDWARF,
};

/** A file with debug information, in any object format; borrows its bytes. */
struct debug_object {
	struct dwarf_sections sections;
	struct bytes slice;      ///< the whole file, to release its memory
	enum cursor_order order; ///< byte order
	bool has_text;           ///< the linked address of the code is known:
	uint64_t text_address;   ///< of the image's start
	uint64_t text_size;
};

/** Is there any debug information? */
bool debug_info_present(const struct debug_object *object);

/**
 * Collect the functions that cover @p addresses.
 *
 * @param addresses  File addresses, ascending. Count 0 means all functions of
 *                   the file.
 * @return An error only if nothing can be read; damaged units are counted in @p
 * ret, and the others are kept.
 */
MUST_CHECK struct error *debug_info_collect(const struct debug_object *object,
                                            enum debug_reader reader,
                                            const uint64_t *addresses,
                                            size_t count, struct arena *arena,
                                            struct debug_info *ret);

#define DEBUG_DIFFERENCE_BYTES 240

/** Differences of two readers on one file. */
struct debug_differences {
	uint64_t function_count; ///< compared functions
	uint64_t count;          ///< different functions and bad units
	char first[DEBUG_DIFFERENCE_BYTES]; ///< `0x1000: …`; or ""
};

/** Amount that both readers read. */
enum debug_check {
	DEBUG_CHECK_NONE,
	/**
	 * The first unit of a file of many, which costs a few hundredths of all
	 * units. For any later unit, libdwarf reads headers and first entries
	 * of all units before it, each at the cost of a whole unit in our
	 * reader.
	 */
	DEBUG_CHECK_FIRST,
	DEBUG_CHECK_ALL,
};

/**
 * Read with both readers, and compare functions, ranges, names, lines and
 * inlined calls.
 *
 * @param ret  All zeros if there is nothing to read.
 */
MUST_CHECK struct error *debug_info_cross_check(
        const struct debug_object *object, enum debug_check check,
        struct debug_differences *ret);

/** `libdwarf 20210528` for `apmtool doctor`. */
const char *debug_info_library(void);

#endif

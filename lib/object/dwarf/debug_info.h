// SPDX-License-Identifier: MIT
/**
 * Debug information: the functions that cover given addresses, with their
 * lines and the calls inlined into them.
 *
 * The one header in front of both readers, our own and libdwarf. Each reads by
 * itself all that it is asked for, so that one shows what the other gets wrong
 * (debug_info_cross_check()). Of our own, only units
 * that cover a wanted address are read: found by .debug_aranges, or by the
 * units' own ranges where that leads to no function. Sections are used
 * where they lie, never copied. DWARF 2 to 5, 32-bit and 64-bit.
 *
 * libdwarf is not safe on hostile input (reliability.md): callers that may meet
 * it run this in a child process (lib/symbols/debug_worker.h).
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

/** A function has fewer rows than all of its line program may have. */
#define DEBUG_LINES_MAX ((1 << 30) - 1)

/** A row of the line table that lies inside a function. */
struct debug_line {
	uint64_t address;
	uint32_t file; ///< index into debug_info.files
	uint32_t line; ///< 0: compiler-generated
};

struct debug_file {
	const char *directory; ///< "" if there is none
	const char *name;
};

/**
 * A call that was inlined. Of these and of functions there are millions in
 * memory: memory itself bounds the counts below 32 bits.
 */
struct debug_inline {
	const char *name; ///< linkage name, else the plain one
	struct debug_range *ranges;
	struct debug_inline *children;
	uint32_t range_count;
	uint32_t child_count;
	uint32_t call_file; ///< where the caller calls
	uint32_t call_line;
};

/** One contiguous piece of a function (a split function gives several). */
struct debug_function {
	struct debug_range range;
	const char *name;         ///< linkage name, else the plain one
	struct debug_line *lines; ///< ascending; the last one lasts to the end
	struct debug_inline *inlines;
	uint32_t line_count : 30; ///< DEBUG_LINES_MAX at most
	/** In its unit, as struct function_order has it: to settle overlaps. */
	uint32_t in_order : 1;
	/**
	 * The name is one of C, where nothing is mangled but what clang's
	 * `overloadable` marks; only in units of nothing but line tables is
	 * that name left out.
	 */
	uint32_t named_in_c : 1;
	uint32_t inline_count;
};

/** In the arena given to debug_info_collect(), but for names, which may lie in
 *  the file. */
struct debug_info {
	struct debug_file *files; ///< [0] is "no file"
	size_t file_count;
	struct debug_function *functions; ///< ascending by range, no overlaps
	size_t function_count;
	/** Where the image is linked: its Mach-O header, where it has one. */
	bool has_image_address;
	uint64_t image_address;
	/** Units that could not be read, and the first reason. */
	size_t bad_unit_count;
	const char *bad_unit_reason;
};

/** Who reads debug information. */
enum debug_reader {
	DEBUG_READER_NATIVE, ///< our own
	DEBUG_READER_LIBDWARF,
};

/** What holds debug information, in whatever format; borrows its bytes. */
struct debug_object {
	struct dwarf_sections sections;
	struct bytes slice;      ///< all of it: its memory is given back
	enum cursor_order order; ///< of its numbers
	bool has_text;           ///< it says where its code is linked:
	uint64_t text_address;   ///< from the start of the image
	uint64_t text_size;
};

/** Whether there is debug information at all. */
bool debug_info_present(const struct debug_object *object);

/**
 * Collect the functions that cover @p addresses.
 *
 * @param addresses  File addresses, ascending. An empty list (count 0) asks
 *                   for every function of the file.
 * @return An error only where nothing can be read; a damaged unit is counted
 *         in @p ret and the others are kept.
 */
MUST_CHECK struct error *debug_info_collect(const struct debug_object *object,
                                            enum debug_reader reader,
                                            const uint64_t *addresses,
                                            size_t count, struct arena *arena,
                                            struct debug_info *ret);

#define DEBUG_DIFFERENCE_BYTES 240

/** What two readers say otherwise of one file. */
struct debug_differences {
	uint64_t function_count; ///< that were compared
	uint64_t count;          ///< of functions that differ, and of bad units
	char first[DEBUG_DIFFERENCE_BYTES]; ///< `0x1000: …`; "" if there is
	                                    ///< none
};

/** How much is read by both readers. */
enum debug_check {
	DEBUG_CHECK_NONE,
	/**
	 * The first unit of a file of many: it takes a few hundredths of the
	 * time that all of them take. To come to any other, libdwarf reads the
	 * headers and first entries of all before it, each of which costs it
	 * what a unit costs our reader.
	 */
	DEBUG_CHECK_FIRST,
	DEBUG_CHECK_ALL,
};

/**
 * Read by both readers, and compare functions, ranges, names, lines and inlined
 * calls.
 *
 * @param ret  All zeros where nothing is to be read.
 */
MUST_CHECK struct error *debug_info_cross_check(
        const struct debug_object *object, enum debug_check check,
        struct debug_differences *ret);

/** `libdwarf 20210528` for `apmtool doctor`. */
const char *debug_info_library(void);

#endif

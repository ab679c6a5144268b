// SPDX-License-Identifier: MIT
/**
 * What libdwarf reads with, and what it is asked.
 *
 * Only the parts of the second reader use this: second_values.c for attributes,
 * ranges and names, second_lines.c for files and rows, second_reader.c for
 * entries and units.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_SECOND_STATE_H
#define APMTOOL_LIB_OBJECT_DWARF_SECOND_STATE_H

#include "lib/object/dwarf/abbrev.h"
#include "lib/object/dwarf/line.h"
#include "lib/object/dwarf/rows.h"
#include "lib/object/dwarf/shim.h"
#include "lib/object/dwarf/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What an entry costs, beside its attributes: libdwarf takes 1 µs. */
#define SECOND_ENTRY_WORK 64
/** What a row, or a range, costs: it is allocated. */
#define SECOND_ROW_WORK 32

#define SECOND_NONE SIZE_MAX

/** A function of the unit, before its pieces are made. */
struct second_function {
	size_t first_range;
	size_t range_count;
	bool in_order;
	struct debug_function made;
};

/** An inlined call, in the order of the entries. */
struct second_call {
	size_t function; ///< in the list of the unit
	size_t parent;   ///< SECOND_NONE: the function itself
	size_t first_range;
	size_t range_count;
	size_t child_count;
	struct debug_inline *made;
	struct debug_inline value;
};

struct second_reading; ///< second_reader.h

struct second {
	const struct second_reading *reading;
	struct abbrev_section abbrevs;
	struct shim_object object;
	Dwarf_Debug debug;
	struct row_list rows;
	char fault[128]; ///< what libdwarf said last
	uint64_t spent;  ///< on entries so far

	// Of one unit.
	Dwarf_Die root;
	struct unit unit;
	uint64_t base; ///< DW_AT_low_pc
	bool is_c;
	size_t bad_name_count;
	uint16_t line_version;
	char **paths; ///< of libdwarf
	Dwarf_Signed path_count;
	uint32_t *numbers; ///< of files, for paths; 0: not asked for yet
	struct range_list ranges;
	struct second_function *functions;
	size_t function_count;
	size_t function_cap;
	struct second_call *calls;
	size_t call_count;
	size_t call_cap;
};

/** Is a result good? Of an error, what it says is kept, and it is given back.
 */
bool second_ok(struct second *s, int result, Dwarf_Error error);
/** Spend work; false, and said, where no more may be done. */
bool second_pay(struct second *s, uint64_t amount);

/** NULL where the entry has no such text, or a bad one: empty, or nowhere. */
const char *second_text(struct second *s, Dwarf_Die die, Dwarf_Half number);
bool second_number(struct second *s, Dwarf_Die die, Dwarf_Half number,
                   uint64_t *ret);
/** 0 where there is none, or it is too large. */
uint32_t second_small(struct second *s, Dwarf_Die die, Dwarf_Half number);
/**
 * DW_AT_low_pc or high_pc. The release of 2021 refuses some forms of indexes
 * there, or takes an index for an address.
 *
 * @param low  What a constant is relative to.
 */
bool second_address(struct second *s, Dwarf_Die die, Dwarf_Half number,
                    uint64_t low, uint64_t *ret);
/** Append the ranges of an entry; @return how many. */
size_t second_add_ranges(struct second *s, Dwarf_Die die);
/** The first linkage name on the way counts, else the first plain one. */
const char *second_name(struct second *s, Dwarf_Die die);

/** The index of a file by its number in the unit; 0 where it has none. */
uint32_t second_file(struct second *s, uint64_t number);
/** All files and rows of the unit; false where they cannot be read. */
bool second_read_lines(struct second *s, struct line_table *table);
void second_release_files(struct second *s);

#endif

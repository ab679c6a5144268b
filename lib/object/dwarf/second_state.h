// SPDX-License-Identifier: MIT
/**
 * State of the second reader of debug information, which uses libdwarf. Private
 * to its files: second_values.c for attributes, ranges and names,
 * second_lines.c for files and rows, second_reader.c for entries and units.
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

/** Cost of an entry besides its attributes: 1 µs in libdwarf. */
#define SECOND_ENTRY_WORK 64
/** Cost of a row or range, which is allocated. */
#define SECOND_ROW_WORK 32

#define SECOND_NONE SIZE_MAX

/** A function of the unit, before it is split. */
struct second_function {
	size_t first_range;
	size_t range_count;
	bool in_order;
	struct debug_function made;
};

/** An inlined call, in the order of entries. */
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
	char fault[128]; ///< libdwarf's last message
	uint64_t spent;  ///< work on entries so far

	// Of the current unit.
	Dwarf_Die root;
	struct unit unit;
	uint64_t base; ///< DW_AT_low_pc
	bool is_c;
	size_t bad_name_count;
	uint16_t line_version;
	char **paths; ///< owned by libdwarf
	Dwarf_Signed path_count;
	/** of files, by index into paths; 0: not resolved yet */
	uint32_t *numbers;
	struct range_list ranges;
	struct second_function *functions;
	size_t function_count;
	size_t function_cap;
	struct second_call *calls;
	size_t call_count;
	size_t call_cap;
};

/** Did the call succeed? Keeps the message of an error, and frees it. */
bool second_ok(struct second *s, int result, Dwarf_Error error);
/** Charge work; false, with a message, if it is used up. */
bool second_pay(struct second *s, uint64_t amount);

/** NULL if absent, empty or out of bounds. */
const char *second_text(struct second *s, Dwarf_Die die, Dwarf_Half number);
bool second_number(struct second *s, Dwarf_Die die, Dwarf_Half number,
                   uint64_t *ret);
/** 0 if absent or too large. */
uint32_t second_small(struct second *s, Dwarf_Die die, Dwarf_Half number);
/**
 * DW_AT_low_pc or high_pc. The release of 2021 rejects some forms of indexes,
 * or returns the index as the address.
 *
 * @param low  Base of a constant.
 */
bool second_address(struct second *s, Dwarf_Die die, Dwarf_Half number,
                    uint64_t low, uint64_t *ret);
/** Append the ranges of an entry; returns their number. */
size_t second_add_ranges(struct second *s, Dwarf_Die die);
/** The first linkage name along the references, else the first DW_AT_name. */
const char *second_name(struct second *s, Dwarf_Die die);

/** The index of a file by its number in the unit; 0 if there is none. */
uint32_t second_file(struct second *s, uint64_t number);
/** Read all files and rows of the unit; false if they are unreadable. */
bool second_read_lines(struct second *s, struct line_table *table);
void second_release_files(struct second *s);

#endif

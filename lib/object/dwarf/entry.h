// SPDX-License-Identifier: MIT
/**
 * An entry of debug information (a DIE), limited to what concerns code.
 *
 * native.h reads entries in file order, with values as stored; functions here
 * interpret them.
 *
 *     if (!(err = unit_open(&source, &unit, &reader)))
 *             step = unit_reader_seek(reader, reader->root.offset, &entry);
 *     while (step == ENTRY_TAKEN)
 *             step = unit_reader_next(reader, ENTRY_FUNCTIONS, true, &entry);
 *     unit_reader_close(reader);
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_ENTRY_H
#define APMTOOL_LIB_OBJECT_DWARF_ENTRY_H

#include "lib/base/error.h"
#include "lib/base/sorted.h"
#include "lib/object/dwarf/ranges.h"
#include "lib/object/dwarf/sections.h"
#include "lib/object/dwarf/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Max depth below the entry where a search begins. */
#define ENTRY_DEPTH_MAX 256

enum {
	TAG_COMPILE_UNIT = 0x11,
	TAG_INLINED_SUBROUTINE = 0x1d,
	TAG_SUBPROGRAM = 0x2e,
	TAG_PARTIAL_UNIT = 0x3c,
	TAG_TYPE_UNIT = 0x41,
	TAG_SKELETON_UNIT = 0x4a,
};

/** Attributes that concern code, in our own order. */
enum entry_attribute {
	ENTRY_NAME,
	ENTRY_LINKAGE_NAME,
	ENTRY_MIPS_LINKAGE_NAME, ///< linkage name before DWARF 4
	ENTRY_ABSTRACT_ORIGIN,
	ENTRY_SPECIFICATION,
	ENTRY_LOW,
	ENTRY_HIGH,
	ENTRY_RANGES,
	ENTRY_CALL_FILE,
	ENTRY_CALL_LINE,
	ENTRY_LINES, ///< DW_AT_stmt_list
	ENTRY_DIRECTORY,
	ENTRY_LANGUAGE,
	ENTRY_ADDR_BASE,
	ENTRY_RNGLISTS_BASE,
	ENTRY_STR_OFFSETS_BASE,
	ENTRY_VALUES
};

/** DW_AT_… of a value. */
uint16_t entry_attribute_number(unsigned value);

/** The enum entry_attribute of an attribute; ENTRY_VALUES for others. */
unsigned entry_value_of(uint64_t attribute);

/** Is it the tag of a unit? */
static inline bool tag_is_unit(uint64_t tag)
{
	return tag == TAG_COMPILE_UNIT || tag == TAG_PARTIAL_UNIT ||
	       tag == TAG_TYPE_UNIT || tag == TAG_SKELETON_UNIT;
}

/** A value as stored. */
struct entry_value {
	uint16_t form;
	uint64_t number;
	const char *string; ///< set if the reader has located it
};

struct entry {
	uint64_t offset; ///< in .debug_info
	uint16_t tag;
	bool has_children;
	unsigned depth; ///< below the start of the search
	/**
	 * Min depth of all entries since the previous result: children of that
	 * one are only those below this depth.
	 */
	unsigned least_depth;
	uint32_t has; ///< values that are present: 1 << enum entry_attribute
	struct entry_value values[ENTRY_VALUES];
};

static inline bool entry_has(const struct entry *entry, unsigned value)
{
	return entry->has >> value & 1;
}

/** The result of a step from entry to entry. */
enum entry_step {
	ENTRY_TAKEN,
	ENTRY_NONE, ///< no more entries
	ENTRY_BAD,  ///< damaged, see unit_reader.fault
};

/** What is searched for. */
enum entry_search {
	/** Functions at any depth that have code. */
	ENTRY_FUNCTIONS,
	/** Inlined calls, except those of a nested function. */
	ENTRY_CALLS,
};

struct abbrev_cache;

/** Shared context of all units of a file; all borrowed. */
struct unit_source {
	const struct dwarf_sections *sections;
	struct dwarf_work *work;
	/**
	 * Ascending: functions without a wanted address may be skipped. None:
	 * skip no function.
	 */
	const uint64_t *addresses;
	size_t address_count;
	struct abbrev_cache *tables;
};

/**
 * Is a wanted address in [low, high)? Always true if there are none.
 *
 * @param near  In and out: number of wanted addresses below the range, as a
 *              starting point: functions mostly ascend, and many are between
 *              the same two addresses.
 */
static inline bool unit_source_wants(const struct unit_source *source,
                                     uint64_t low, uint64_t high, size_t *near)
{
	const uint64_t *addresses = source->addresses;
	size_t count = source->address_count;
	size_t at = *near;

	if (!count)
		return true;
	if ((at && addresses[at - 1] >= low) ||
	    (at < count && addresses[at] < low))
		at = SORTED_SKIP(i, count, addresses[i] < low);
	*near = at;
	return at < count && addresses[at] < high;
}

/**
 * Compilers write the functions of a unit in ascending order. A function is in
 * order if it, all before it and the next one each begin at or after the end of
 * the previous one. Such functions never overlap; at their addresses other
 * functions of the unit are ignored.
 */
struct function_order {
	size_t count;  ///< of functions so far
	size_t broken; ///< the first one that begins too early; SIZE_MAX: none
	uint64_t end;  ///< of the last one
};

/** An open unit; first member of the reader's state (native.h). */
struct unit_reader {
	struct unit_source source;
	struct unit unit;
	struct range_unit bases;
	struct entry root; ///< the unit's own entry
	char fault[128];   ///< why the last step failed
	/** Of skipped functions, and those of die_index(). */
	struct function_order order;
	bool gives_next; ///< die_index() needs the next function in any case
};

/** Set the unit's bases from its root entry. */
void unit_reader_set_bases(struct unit_reader *reader);

/** A string; NULL if absent or invalid. Valid as long as the sections. */
const char *entry_string(const struct unit_reader *reader,
                         const struct entry *entry, unsigned value);

/** A number: constants, offsets into other sections, addresses. */
bool entry_number(const struct unit_reader *reader, const struct entry *entry,
                  unsigned value, uint64_t *ret);

/** The offset of the entry that a value refers to. */
bool entry_reference(const struct unit_reader *reader,
                     const struct entry *entry, unsigned value, uint64_t *ret);

/**
 * The next function has the code [low, high). Returns false if it is empty,
 * without changing the order.
 */
static inline bool function_order_add(struct unit_reader *reader, uint64_t low,
                                      uint64_t high)
{
	struct function_order *order = &reader->order;

	if (low >= high || low == range_address_max(&reader->bases))
		return false;
	if (low < order->end && order->broken > order->count)
		order->broken = order->count;
	order->end = high;
	order->count++;
	return true;
}

/** Is function number @p i in order, as far as known? */
static inline bool function_order_has(const struct function_order *order,
                                      size_t i)
{
	return i + 1 < order->broken;
}

/**
 * Append the code ranges of an entry, from DW_AT_low_pc and high_pc or
 * DW_AT_ranges. Appends nothing without code.
 */
void entry_ranges(const struct unit_reader *reader, const struct entry *entry,
                  struct range_list *list);

#endif

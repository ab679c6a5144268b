// SPDX-License-Identifier: MIT
/**
 * An entry of debug information (a DIE), as far as code is concerned.
 *
 * native.h reads them, in the order of the file and with values as they are
 * written there; what values mean is found out here.
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

/** Entries deeper below the one where a search began are not read. */
#define ENTRY_DEPTH_MAX 256

enum {
	TAG_COMPILE_UNIT = 0x11,
	TAG_INLINED_SUBROUTINE = 0x1d,
	TAG_SUBPROGRAM = 0x2e,
	TAG_PARTIAL_UNIT = 0x3c,
	TAG_TYPE_UNIT = 0x41,
	TAG_SKELETON_UNIT = 0x4a,
};

/** The attributes that matter, in an order of our own. */
enum entry_attribute {
	ENTRY_NAME,
	ENTRY_LINKAGE_NAME,
	ENTRY_MIPS_LINKAGE_NAME, ///< what it was called before DWARF 4
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

/** The value that an attribute is; ENTRY_VALUES for those without meaning. */
unsigned entry_value_of(uint64_t attribute);

/** Does an entry of this tag begin a unit? */
static inline bool tag_is_unit(uint64_t tag)
{
	return tag == TAG_COMPILE_UNIT || tag == TAG_PARTIAL_UNIT ||
	       tag == TAG_TYPE_UNIT || tag == TAG_SKELETON_UNIT;
}

/** A value as it is written. */
struct entry_value {
	uint16_t form;
	uint64_t number;
	const char *string; ///< where the reader has found it itself
};

struct entry {
	uint64_t offset; ///< in .debug_info
	uint16_t tag;
	bool has_children;
	unsigned depth; ///< below the entry where the search began
	/**
	 * The least depth of all entries since the one given last: what was
	 * given from there on down is not above this one.
	 */
	unsigned least_depth;
	uint32_t has; ///< values that are there: 1 << enum entry_attribute
	struct entry_value values[ENTRY_VALUES];
};

static inline bool entry_has(const struct entry *entry, unsigned value)
{
	return entry->has >> value & 1;
}

/** The result of a step from entry to entry. */
enum entry_step {
	ENTRY_TAKEN,
	ENTRY_NONE, ///< no such entry
	ENTRY_BAD,  ///< damaged; unit_reader.fault says how
};

/** What is searched for. */
enum entry_search {
	/** Functions, wherever they are, that have addresses of code. */
	ENTRY_FUNCTIONS,
	/** Inlined calls, but not those of a function inside. */
	ENTRY_CALLS,
};

struct abbrev_cache;

/** What all units of a file are read with; all borrowed. */
struct unit_source {
	const struct dwarf_sections *sections;
	struct dwarf_work *work;
	/** Ascending: functions without any may be left out. None: none may. */
	const uint64_t *addresses;
	size_t address_count;
	struct abbrev_cache *tables;
};

/**
 * Is a wanted address in [low, high)? True for every range where none may be
 * left out.
 *
 * @param near  How many wanted addresses are before the range, as far as the
 *              caller knows, and then as it is: functions mostly ascend,
 *              between the same two addresses for long.
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
 * Compilers write the functions of a unit in ascending order. One is in order
 * if it, all before it and the next one each begin where the one before has
 * ended, or after that. Such functions never overlap, and where one of them has
 * an address, others in the unit do not count.
 */
struct function_order {
	size_t count;  ///< of functions so far
	size_t broken; ///< the first that begins too early; SIZE_MAX: none
	uint64_t end;  ///< of the last one
};

/** A unit that is open; the first member of what its reader (native.h) needs.
 */
struct unit_reader {
	struct unit_source source;
	struct unit unit;
	struct range_unit bases;
	struct entry root; ///< the entry of the unit itself
	char fault[128];   ///< what the last step that was bad found
	/** Of the functions that were left out, and those of die_index(). */
	struct function_order order;
	bool gives_next; ///< die_index() needs the next one, wanted or not
};

/** Take what the root says of the unit into its bases. */
void unit_reader_set_bases(struct unit_reader *reader);

/** A string; NULL if it is absent or bad. Lives as long as the sections. */
const char *entry_string(const struct unit_reader *reader,
                         const struct entry *entry, unsigned value);

/** A number: constants, offsets into other sections, addresses. */
bool entry_number(const struct unit_reader *reader, const struct entry *entry,
                  unsigned value, uint64_t *ret);

/** The section offset of the entry that a value refers to. */
bool entry_reference(const struct unit_reader *reader,
                     const struct entry *entry, unsigned value, uint64_t *ret);

/**
 * The next function has the code [low, high); false where that is empty, and it
 * has no place in the order.
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

/** Is function number @p i in order, so far as is known? */
static inline bool function_order_has(const struct function_order *order,
                                      size_t i)
{
	return i + 1 < order->broken;
}

/**
 * Append the code ranges of an entry, by DW_AT_low_pc and high_pc or by
 * DW_AT_ranges. Without code nothing is appended.
 */
void entry_ranges(const struct unit_reader *reader, const struct entry *entry,
                  struct range_list *list);

#endif

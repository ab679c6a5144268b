// SPDX-License-Identifier: MIT
/**
 * Range lists: .debug_ranges of DWARF 2 to 4, .debug_rnglists of DWARF 5.
 *
 * Does not use libdwarf: its release of 2021 frees memory twice if a header of
 * .debug_rnglists is damaged.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_RANGES_H
#define APMTOOL_LIB_OBJECT_DWARF_RANGES_H

#include "lib/object/dwarf/debug_info.h"
#include "lib/object/dwarf/sections.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bases of a unit's range lists. */
struct range_unit {
	uint16_t version;
	uint8_t address_size;
	uint8_t offset_size;
	uint64_t base;             ///< DW_AT_low_pc
	uint64_t addr_base;        ///< into .debug_addr
	uint64_t rnglists_base;    ///< into .debug_rnglists; 0: none
	uint64_t str_offsets_base; ///< into .debug_str_offsets
};

/** A growing list on the heap; free it with range_list_release(). */
struct range_list {
	struct debug_range *ranges;
	size_t count;
	size_t cap;
};

void range_list_add(struct range_list *list, uint64_t low, uint64_t high);
void range_list_release(struct range_list *list);

/** Sort the ranges from number @p first on, and merge adjacent ones. */
void range_list_normalize(struct range_list *list, size_t first);

/** All ones in the unit's address size: linkers' mark for dropped code. */
uint64_t range_address_max(const struct range_unit *unit);

/** Address number @p index of the unit in .debug_addr. */
bool range_indexed_address(const struct dwarf_sections *sections,
                           const struct range_unit *unit, uint64_t index,
                           uint64_t *ret);

/** Offset of list number @p index of the unit (DW_FORM_rnglistx). */
bool range_list_offset(const struct dwarf_sections *sections,
                       const struct range_unit *unit, uint64_t index,
                       uint64_t *ret);

/**
 * Append the list at @p offset, without empty ranges and dropped code.
 *
 * @return false if the list is damaged or exceeds @p work; ranges before that
 * are kept.
 */
bool range_list_read(const struct dwarf_sections *sections,
                     const struct range_unit *unit, uint64_t offset,
                     struct dwarf_work *work, struct range_list *list);

#endif

// SPDX-License-Identifier: MIT
/**
 * Checks an abbreviation table before libdwarf gets it: computes libdwarf's
 * cost, so that an expensive table can be refused.
 *
 * DW_AT_sibling is hidden from libdwarf: its release of 2021 loops forever at
 * an entry that is its own sibling. It gets a copy in which the attribute has
 * another number.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_ABBREV_H
#define APMTOOL_LIB_OBJECT_DWARF_ABBREV_H

#include "lib/object/dwarf/sections.h"

#include <stdbool.h>
#include <stdint.h>

/** The section, and the result of the last scan. */
struct abbrev_section {
	struct bytes original;
	uint8_t *copy; ///< with siblings hidden; NULL if there were none
	bool scanned;
	uint64_t offset; ///< of the last table
	uint64_t size;   ///< of that table
	bool valid;
	unsigned longest; ///< max number of attributes of an abbreviation
	size_t count;     ///< of abbreviations
	bool is_ordered;  ///< their codes are 1, 2, 3 and so on
	/** number of attributes, in the order of the table */
	uint16_t *attributes;
	size_t cap;
};

/**
 * Scan the table at @p offset; cheap if it is the one of the last call
 * (dsymutil writes one table for all units).
 *
 * @return false if the table is damaged or exceeds @p work.
 */
bool abbrev_scan(struct abbrev_section *section, uint64_t offset,
                 struct dwarf_work *work);

/** Number of attributes of an entry; an upper bound if unknown. */
static inline unsigned abbrev_attributes(const struct abbrev_section *section,
                                         uint64_t code)
{
	return section->is_ordered && code - 1 < section->count
	               ? section->attributes[code - 1]
	               : section->longest;
}

/** The contents for libdwarf. */
struct bytes abbrev_contents(const struct abbrev_section *section);

void abbrev_release(struct abbrev_section *section);

#endif

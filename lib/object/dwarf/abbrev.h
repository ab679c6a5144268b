// SPDX-License-Identifier: MIT
/**
 * A look over an abbreviation table before libdwarf gets it: what libdwarf will
 * do with the table is counted, so that it can be refused before it is done.
 *
 * DW_AT_sibling lets libdwarf jump, and its release of 2021 never comes back
 * from an entry that names itself as its sibling; so libdwarf gets a copy in
 * which that attribute has another number.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_ABBREV_H
#define APMTOOL_LIB_OBJECT_DWARF_ABBREV_H

#include "lib/object/dwarf/sections.h"

#include <stdbool.h>
#include <stdint.h>

/** The section, and what is known of the table looked at last. */
struct abbrev_section {
	struct bytes original;
	uint8_t *copy; ///< with siblings hidden; NULL while none was seen
	bool scanned;
	uint64_t offset; ///< of the table looked at last
	uint64_t size;   ///< of that table
	bool valid;
	unsigned longest;     ///< attributes of the abbreviation that has most
	size_t count;         ///< of abbreviations
	bool is_ordered;      ///< they have the codes 1, 2, 3 and so on
	uint16_t *attributes; ///< how many each has, in the order of the table
	size_t cap;
};

/**
 * Look at the table at @p offset; cheap where it is the one of the last call
 * (dsymutil makes one table for all units).
 *
 * @return false where the table is damaged or exceeds @p work.
 */
bool abbrev_scan(struct abbrev_section *section, uint64_t offset,
                 struct dwarf_work *work);

/** How many attributes an entry has; at most so many where that is not known.
 */
static inline unsigned abbrev_attributes(const struct abbrev_section *section,
                                         uint64_t code)
{
	return section->is_ordered && code - 1 < section->count
	               ? section->attributes[code - 1]
	               : section->longest;
}

/** What libdwarf may see. */
struct bytes abbrev_contents(const struct abbrev_section *section);

void abbrev_release(struct abbrev_section *section);

#endif

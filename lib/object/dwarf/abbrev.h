// SPDX-License-Identifier: MIT
/**
 * A look over an abbreviation table before libdwarf gets it.
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
	size_t count; ///< of abbreviations
};

/**
 * Look at the table at @p offset; cheap where it is the one of the last call
 * (dsymutil makes one table for all units).
 *
 * @return false where the table is damaged or exceeds @p work.
 */
bool abbrev_scan(struct abbrev_section *section, uint64_t offset,
                 struct dwarf_work *work);

/** What libdwarf may see. */
struct bytes abbrev_contents(const struct abbrev_section *section);

void abbrev_release(struct abbrev_section *section);

#endif

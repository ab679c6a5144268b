// SPDX-License-Identifier: MIT
/**
 * Sections of one file, and the work limit, shared by the readers of debug
 * information. Sections have the names of the DWARF standard, are
 * little-endian, and mapped from the file.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_SECTIONS_H
#define APMTOOL_LIB_OBJECT_DWARF_SECTIONS_H

#include "lib/base/cursor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Empty if the file has no such section. */
struct dwarf_sections {
	struct bytes info;
	struct bytes abbrev;
	struct bytes aranges;
	struct bytes ranges;
	struct bytes rnglists;
	struct bytes addr;
	struct bytes line;
	struct bytes line_str;
	struct bytes str;
	struct bytes str_offsets;
};

/**
 * Remaining work, in units of about one byte read: it bounds the cost of any
 * input to a multiple of its size, however its parts refer to each other.
 */
struct dwarf_work {
	uint64_t left;
};

/** Charge @p amount; false if it is used up. */
static inline bool dwarf_work_take(struct dwarf_work *work, uint64_t amount)
{
	if (work->left < amount) {
		work->left = 0;
		return false;
	}
	work->left -= amount;
	return true;
}

#endif

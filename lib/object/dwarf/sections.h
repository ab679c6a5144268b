// SPDX-License-Identifier: MIT
/**
 * What the readers of debug information share: the sections of one file and
 * the work that may be spent on them.
 *
 * They have the names of the DWARF standard, are little-endian, and lie in the
 * mapped file.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_SECTIONS_H
#define APMTOOL_LIB_OBJECT_DWARF_SECTIONS_H

#include "lib/base/cursor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A section that the file does not have is empty. */
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
 * Work left, in about the cost of one byte read: no input may cost more than
 * a fixed multiple of its size, however its parts refer to each other.
 */
struct dwarf_work {
	uint64_t left;
};

/** Spend @p amount; false where no more may be done. */
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

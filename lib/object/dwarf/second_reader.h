// SPDX-License-Identifier: MIT
/**
 * The second reader of debug information: libdwarf, with its own functions for
 * entries, names, ranges and lines.
 *
 * Only three things are not left to libdwarf, since its release of 2021 fails
 * on them: DW_AT_sibling is hidden (abbrev.h), a .debug_rnglists with damaged
 * headers is withheld (it frees memory twice), and indexes into that section or
 * .debug_addr are decoded here if it rejects the form. Shared with the native
 * reader: which of two overlapping functions wins, and the numbers of files.
 *
 * It is slower than the native reader, and not safe on hostile input: use it
 * for comparison (cross_check.h) or on request, in a confined child.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_SECOND_READER_H
#define APMTOOL_LIB_OBJECT_DWARF_SECOND_READER_H

#include "lib/base/arena.h"
#include "lib/object/dwarf/debug_info.h"
#include "lib/object/dwarf/die.h"
#include "lib/object/dwarf/files.h"
#include "lib/object/dwarf/sections.h"
#include "lib/object/dwarf/tree.h"

#include <stddef.h>
#include <stdint.h>

/** Input and outputs; all borrowed. */
struct second_reading {
	const struct dwarf_sections *sections;
	const struct die_wanted *wanted;
	struct dwarf_work *work;
	struct arena *arena;
	struct file_table *files;
	struct function_list *functions;
	/** Receives the error of an unreadable unit, and owns it. */
	void (*bad_unit)(void *context, struct error *err);
	void *context;
	size_t unit_max; ///< read only the first units
};

/**
 * Read the units that cover wanted addresses, in order. Names point into the
 * sections or the arena.
 */
void second_read(const struct second_reading *reading);

/** `libdwarf 20210528`. */
const char *second_reader_library(void);

#endif

// SPDX-License-Identifier: MIT
/**
 * The second reader of debug information: libdwarf, by its own functions for
 * entries, names, ranges and lines.
 *
 * What it reads is read by nothing else of ours but three things that its
 * release of 2021 cannot bear: DW_AT_sibling is hidden from it (abbrev.h), a
 * .debug_rnglists whose headers are damaged is withheld (it frees memory
 * twice), and an index into that section or .debug_addr is decoded here where
 * it refuses the form. What follows from functions and rows is shared with our
 * own reader: which of two that overlap has an address, and how files are
 * numbered.
 *
 * It is slower than our own, and not safe on hostile input: for comparison
 * (cross_check.h), and for those who ask for it, in a confined child.
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

/** What is read, and what it is added to; all borrowed. */
struct second_reading {
	const struct dwarf_sections *sections;
	const struct die_wanted *wanted;
	struct dwarf_work *work;
	struct arena *arena;
	struct file_table *files;
	struct function_list *functions;
	/** Gets a unit that could not be read, and takes the error. */
	void (*bad_unit)(void *context, struct error *err);
	void *context;
	size_t unit_max; ///< of units, read no more than the first
};

/**
 * Read the units that cover what is wanted, in the order of the section. Names
 * lie in the sections, or in the arena.
 */
void second_read(const struct second_reading *reading);

/** `libdwarf 20210528`. */
const char *second_reader_library(void);

#endif

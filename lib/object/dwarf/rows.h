// SPDX-License-Identifier: MIT
/**
 * The rows of one function, out of the line table of its unit.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_ROWS_H
#define APMTOOL_LIB_OBJECT_DWARF_ROWS_H

#include "lib/base/arena.h"
#include "lib/object/dwarf/debug_info.h"
#include "lib/object/dwarf/files.h"
#include "lib/object/dwarf/line.h"

#include <stddef.h>

/** Rows while they are gathered, and what they are gathered with (borrowed). */
struct row_list {
	struct dwarf_work *work;
	struct arena *arena;
	struct debug_line *rows; ///< scratch, on the heap
	size_t count;
	size_t cap;
};

/**
 * Give a function its rows, in the arena. Where there is no sequence the line
 * is unknown, and a row without file and line says so.
 *
 * @param files  How rows number their files; NULL: as the table of all files.
 */
void row_list_attach(struct row_list *list, const struct line_table *table,
                     struct unit_files *files, struct debug_function *function);
void row_list_release(struct row_list *list);

#endif

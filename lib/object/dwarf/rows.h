// SPDX-License-Identifier: MIT
/** Extracts the rows of one function from the line table of its unit. */
#ifndef APMTOOL_LIB_OBJECT_DWARF_ROWS_H
#define APMTOOL_LIB_OBJECT_DWARF_ROWS_H

#include "lib/base/arena.h"
#include "lib/object/dwarf/debug_info.h"
#include "lib/object/dwarf/files.h"
#include "lib/object/dwarf/line.h"

#include <stddef.h>

/** Rows being collected, and borrowed context. */
struct row_list {
	struct dwarf_work *work;
	struct arena *arena;
	struct debug_line *rows; ///< scratch, on the heap
	size_t count;
	size_t cap;
};

/**
 * Set the rows of a function, in the arena. Addresses without a sequence get a
 * row without file and line.
 *
 * @param files  Maps file numbers of rows; NULL: they are indexes already.
 */
void row_list_attach(struct row_list *list, const struct line_table *table,
                     struct unit_files *files, struct debug_function *function);
void row_list_release(struct row_list *list);

#endif

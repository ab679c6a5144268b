// SPDX-License-Identifier: MIT
/** A table with the files of all units, without duplicates. */
#ifndef APMTOOL_LIB_OBJECT_DWARF_FILES_H
#define APMTOOL_LIB_OBJECT_DWARF_FILES_H

#include "lib/base/arena.h"
#include "lib/base/map.h"
#include "lib/base/str.h"
#include "lib/object/dwarf/debug_info.h"
#include "lib/object/dwarf/line.h"

#include <stddef.h>
#include <stdint.h>

struct file_table {
	struct arena *arena;
	struct debug_file *files; ///< in the arena; [0] is "no file"
	size_t count;
	size_t cap;
	struct map map;  ///< indexes of files
	struct str path; ///< scratch
};

void file_table_init(struct file_table *table, struct arena *arena);
void file_table_release(struct file_table *table);

/** The index of a path; directory and name are split at the last slash. */
uint32_t file_table_add(struct file_table *table, struct text path);

/** File numbers of one unit. */
struct unit_files {
	struct file_table *table;
	const struct line_table *lines;
	struct dwarf_work *work;
	uint32_t *known; ///< by the unit's number; 0: not resolved yet
	size_t known_count;
};

void unit_files_init(struct unit_files *files, struct file_table *table,
                     const struct line_table *lines, struct dwarf_work *work);
void unit_files_release(struct unit_files *files);

/**
 * The index of the unit's file @p number; 0 if there is none, or its path
 * exceeds the work.
 */
uint32_t unit_files_index(struct unit_files *files, uint64_t number);

#endif

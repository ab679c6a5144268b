// SPDX-License-Identifier: MIT
/**
 * Line programs (.debug_line), versions 2 to 5.
 *
 * Does not use libdwarf, which allocates every row: a unit has as many rows as
 * entries, and a lookup needs those of one function.
 *
 *     SCOPED(line_table_release) struct line_table table = { 0 };
 *
 *     if (line_table_open(&table, &sections, &where) &&
 *         line_table_run(&table, &wanted, &work))
 *             … table.sequences, table.rows …
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_LINE_H
#define APMTOOL_LIB_OBJECT_DWARF_LINE_H

#include "lib/base/str.h"
#include "lib/object/dwarf/ranges.h"
#include "lib/object/dwarf/sections.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_ROWS_MAX 20000000

/** Attributes of the unit for its line program. */
struct line_unit {
	uint64_t offset; ///< DW_AT_stmt_list
	uint8_t address_size;
	const char *directory; ///< DW_AT_comp_dir; or ""
};

/** A file of the program's table; names point into the sections. */
struct line_file {
	const char *name;
	uint64_t directory; ///< index into line_table.directories
};

struct line_row {
	uint64_t address;
	uint32_t file;
	uint32_t line;
};

/** Rows of contiguous code: the last row reaches up to high. */
struct line_sequence {
	uint64_t low;
	uint64_t high;
	size_t first; ///< into line_table.rows
	size_t count;
};

/** All zeros is an empty table. */
struct line_table {
	struct line_unit unit;
	uint16_t version;
	uint8_t offset_size;
	uint8_t min_instruction_size;
	int8_t line_base;
	uint8_t line_range;
	uint8_t opcode_base;
	const uint8_t *operand_counts; ///< of standard opcodes, from 1
	struct cursor program;

	/** Index 0 is the unit's directory in every version. */
	const char **directories;
	size_t directory_count;
	size_t directory_cap;
	/** Indexed as by rows and DW_AT_call_file. */
	struct line_file *files;
	size_t file_count;
	size_t file_cap;

	struct line_row *rows;
	size_t row_count;
	size_t row_cap;
	/** Ascending, not overlapping. */
	struct line_sequence *sequences;
	size_t sequence_count;
	size_t sequence_cap;
};

/**
 * Read the header; false, with an empty table, if it is invalid or exceeds @p
 * work.
 */
bool line_table_open(struct line_table *table,
                     const struct dwarf_sections *sections,
                     const struct line_unit *unit, struct dwarf_work *work);

/**
 * Run the program as far as it concerns the wanted ranges, and keep the
 * overlapping sequences, with the rows that cover any of them, ascending by
 * address.
 *
 * Also in damaged programs the result at an address does not depend on other
 * wanted ranges: of several sequences the first in the program wins; if
 * addresses descend, or the program ends inside a sequence, the sequence ends
 * with its last row.
 *
 * @param wanted  Ascending, not overlapping.
 * @return false if it is damaged, as far as it was run, or exceeds @p work or
 * LINE_ROWS_MAX; everything before is kept.
 */
bool line_table_run(struct line_table *table, const struct range_list *wanted,
                    struct dwarf_work *work);

/** Sort sequences, and resolve their overlaps. */
void line_table_resolve(struct line_table *table);

/** Max path; longer ones are omitted. */
#define LINE_PATH_BYTES_MAX 4096

/**
 * Put the full path of file number @p index into @p path; false if there is no
 * such file. A relative directory is relative to the unit's.
 */
bool line_table_path(const struct line_table *table, uint64_t index,
                     struct str *path);

void line_table_release(struct line_table *table);

#endif

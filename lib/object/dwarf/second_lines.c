// SPDX-License-Identifier: MIT
#include "lib/base/mem.h"
#include "lib/object/dwarf/second_reader.h"
#include "lib/object/dwarf/second_state.h"

#include <stdlib.h>

uint32_t second_file(struct second *s, uint64_t number)
{
	uint64_t at = s->line_version >= 5 ? number : number - 1;
	struct text path;

	if (at >= (uint64_t)s->path_count)
		return 0;
	if (s->numbers[at])
		return s->numbers[at];
	path = text_from(s->paths[at]);
	if (path.size && path.size < LINE_PATH_BYTES_MAX &&
	    second_pay(s, path.size))
		s->numbers[at] = file_table_add(s->reading->files, path);
	return s->numbers[at];
}

static void read_files(struct second *s)
{
	Dwarf_Error error = NULL;

	if (!second_ok(
	            s,
	            dwarf_srcfiles(s->root, &s->paths, &s->path_count, &error),
	            error))
		s->path_count = 0;
	s->numbers = mem_zalloc((size_t)s->path_count, sizeof(*s->numbers));
}

void second_release_files(struct second *s)
{
	for (Dwarf_Signed i = 0; i < s->path_count; i++)
		dwarf_dealloc(s->debug, s->paths[i], DW_DLA_STRING);
	if (s->path_count)
		dwarf_dealloc(s->debug, s->paths, DW_DLA_LIST);
	free(s->numbers);
	s->numbers = NULL;
	s->paths = NULL;
	s->path_count = 0;
}

/** An empty sequence has no place. */
static void end_sequence(struct line_table *table, bool *is_open)
{
	const struct line_sequence *last =
	        &table->sequences[table->sequence_count - 1];

	table->sequence_count -= last->low >= last->high;
	*is_open = false;
}

/** Add a row to the open sequence. */
static bool add_row(struct second *s, Dwarf_Line line, struct line_table *table,
                    bool *is_open)
{
	Dwarf_Addr address = 0;
	Dwarf_Unsigned number = 0;
	Dwarf_Unsigned file = 0;
	Dwarf_Bool ends = false;
	Dwarf_Bool is_prologue = false;
	Dwarf_Bool is_epilogue = false;
	Dwarf_Unsigned numbers[2];
	struct line_sequence *sequence;

	if (dwarf_lineaddr(line, &address, NULL) != DW_DLV_OK ||
	    dwarf_lineendsequence(line, &ends, NULL) != DW_DLV_OK ||
	    dwarf_prologue_end_etc(line, &is_prologue, &is_epilogue,
	                           &numbers[0], &numbers[1],
	                           NULL) != DW_DLV_OK ||
	    dwarf_lineno(line, &number, NULL) != DW_DLV_OK ||
	    dwarf_line_srcfileno(line, &file, NULL) != DW_DLV_OK)
		return false;
	// The release of 2021 reports the end of a function as one, too.
	ends &= !is_epilogue;
	// As in the native reader: a sequence ends if addresses descend.
	if (*is_open &&
	    address < table->sequences[table->sequence_count - 1].high)
		end_sequence(table, is_open);
	if (!*is_open && ends)
		return true;
	if (!*is_open) {
		MEM_GROW(table->sequences, table->sequence_count,
		         table->sequence_cap);
		table->sequences[table->sequence_count++] =
		        (struct line_sequence){ .low = address,
			                        .first = table->row_count };
	}
	*is_open = true;
	sequence = &table->sequences[table->sequence_count - 1];
	sequence->high = address;
	if (ends) {
		end_sequence(table, is_open);
		return true;
	}
	MEM_GROW(table->rows, table->row_count, table->row_cap);
	table->rows[table->row_count++] = (struct line_row){
		.address = address,
		.file = second_file(s, file),
		.line = number <= UINT32_MAX ? (uint32_t)number : 0,
	};
	sequence->count++;
	return true;
}

bool second_read_lines(struct second *s, struct line_table *table)
{
	Dwarf_Line_Context context = NULL;
	Dwarf_Unsigned version = 0;
	Dwarf_Small tables = 0;
	Dwarf_Line *lines = NULL;
	Dwarf_Signed count = 0;
	Dwarf_Error error = NULL;
	bool is_open = false;
	bool good;
	int result =
	        dwarf_srclines_b(s->root, &version, &tables, &context, &error);

	s->line_version = (uint16_t)version;
	if (!second_ok(s, result, error))
		return result == DW_DLV_NO_ENTRY;
	read_files(s);
	error = NULL;
	result = dwarf_srclines_from_linecontext(context, &lines, &count,
	                                         &error);
	good = second_ok(s, result, error) &&
	       second_pay(s, (uint64_t)count * SECOND_ROW_WORK);
	for (Dwarf_Signed i = 0; good && i < count; i++)
		good = add_row(s, lines[i], table, &is_open);
	if (is_open)
		end_sequence(table, &is_open);
	dwarf_srclines_dealloc_b(context);
	line_table_resolve(table);
	return good;
}

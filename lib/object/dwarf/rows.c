// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/rows.h"

#include "lib/base/mem.h"
#include "lib/base/sorted.h"

#include <stdlib.h>
#include <string.h>

/** Add a row unless it equals the previous one. */
static void add_row(struct row_list *list, uint64_t address, uint32_t file,
                    uint32_t line)
{
	struct debug_line row = { .address = address,
		                  .file = file,
		                  .line = line };

	// Of rows with one address the last one counts.
	if (list->count && list->rows[list->count - 1].address == address)
		list->count--;
	if (list->count && list->rows[list->count - 1].file == file &&
	    list->rows[list->count - 1].line == line)
		return;
	MEM_GROW(list->rows, list->count, list->cap);
	list->rows[list->count++] = row;
}

/** The last row at or before @p address of a sequence that contains it. */
static size_t row_at(const struct line_table *table,
                     const struct line_sequence *sequence, uint64_t address)
{
	const struct line_row *rows = &table->rows[sequence->first];
	size_t after =
	        SORTED_SKIP(i, sequence->count, rows[i].address <= address);

	return sequence->first + (after ? after - 1 : 0);
}

/** Add the rows of a sequence for [low, high), which it contains. */
static void add_sequence(struct row_list *list, const struct line_table *table,
                         const struct line_sequence *sequence,
                         struct unit_files *files, struct debug_range range)
{
	size_t end = sequence->first + sequence->count;
	size_t i = row_at(table, sequence, range.low);

	for (; i < end && table->rows[i].address < range.high; i++) {
		const struct line_row *row = &table->rows[i];

		if (!dwarf_work_take(list->work, sizeof(*row)))
			return;
		add_row(list,
		        row->address > range.low ? row->address : range.low,
		        files ? unit_files_index(files, row->file) : row->file,
		        row->line);
	}
}

/** The first sequence that ends after @p address. */
static size_t sequence_after(const struct line_table *table, uint64_t address)
{
	return SORTED_SKIP(i, table->sequence_count,
	                   table->sequences[i].high <= address);
}

static void lower(uint64_t *value, uint64_t other)
{
	if (other < *value)
		*value = other;
}

/**
 * The sequence that contains @p place; or NULL.
 *
 * @param end  Lowered to the first address with another result.
 */
static const struct line_sequence *sequence_at(const struct line_table *table,
                                               uint64_t place, uint64_t *end)
{
	size_t i = sequence_after(table, place);
	const struct line_sequence *sequence;

	if (i == table->sequence_count)
		return NULL;
	sequence = &table->sequences[i];
	if (sequence->low > place) {
		lower(end, sequence->low);
		return NULL;
	}
	lower(end, sequence->high);
	return sequence;
}

void row_list_attach(struct row_list *list, const struct line_table *table,
                     struct unit_files *files, struct debug_function *function)
{
	uint64_t place = function->range.low;

	list->count = 0;
	while (place < function->range.high && dwarf_work_take(list->work, 1)) {
		struct debug_range range = { place, function->range.high };
		const struct line_sequence *sequence =
		        sequence_at(table, place, &range.high);

		if (sequence)
			add_sequence(list, table, sequence, files, range);
		else if (list->count)
			add_row(list, place, 0, 0);
		place = range.high;
	}
	function->line_count = (uint32_t)list->count & DEBUG_LINES_MAX;
	function->lines =
	        arena_array(list->arena, list->count, sizeof(*function->lines));
	if (list->count)
		memcpy(function->lines, list->rows,
		       list->count * sizeof(*function->lines));
}

void row_list_release(struct row_list *list)
{
	free(list->rows);
	*list = (struct row_list){ 0 };
}

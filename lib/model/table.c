// SPDX-License-Identifier: MIT
#include "lib/model/table.h"

#include <string.h>

enum table_value table_kind_value(enum table_kind kind)
{
	static const uint8_t values[] = {
		[TABLE_TEXT] = TABLE_VALUE_TEXT,
		[TABLE_NAME] = TABLE_VALUE_TEXT,
		[TABLE_PATH] = TABLE_VALUE_TEXT,
		[TABLE_STACK] = TABLE_VALUE_TEXT,
		[TABLE_PROSE] = TABLE_VALUE_TEXT,
		[TABLE_NUMBER] = TABLE_VALUE_NUMBER,
		[TABLE_ADDRESS] = TABLE_VALUE_ADDRESS,
		[TABLE_BOOL] = TABLE_VALUE_BOOL,
		[TABLE_DECIMAL] = TABLE_VALUE_DECIMAL,
		[TABLE_LIST] = TABLE_VALUE_LIST,
		[TABLE_LEVELS] = TABLE_VALUE_LIST,
		[TABLE_COUNTS] = TABLE_VALUE_COUNTS,
		[TABLE_FRAMES] = TABLE_VALUE_FRAMES,
		[TABLE_BAR] = TABLE_VALUE_DRAWN,
		[TABLE_SERIES] = TABLE_VALUE_DRAWN,
		[TABLE_CALLS] = TABLE_VALUE_DRAWN,
	};

	return values[kind];
}

bool table_kind_is_text(enum table_kind kind)
{
	return table_kind_value(kind) == TABLE_VALUE_TEXT;
}

bool table_kind_is_number(enum table_kind kind)
{
	return kind == TABLE_NUMBER || kind == TABLE_ADDRESS ||
	       kind == TABLE_DECIMAL;
}

bool table_kind_is_drawn(enum table_kind kind)
{
	return table_kind_value(kind) == TABLE_VALUE_DRAWN;
}

struct table_cell *table_add_row(struct table *table, struct arena *arena)
{
	size_t width = table->column_count;

	table->cells = arena_grow(arena, table->cells, table->row_count,
	                          &table->row_cap,
	                          width * sizeof(*table->cells));
	return &table->cells[width * table->row_count++];
}

void table_set_text(struct table_cell *cell, const char *text)
{
	cell->present = text != NULL;
	cell->text = text;
}

void table_set_mark(struct table_cell *cell, const char *mark)
{
	cell->mark = mark;
}

void table_set_number(struct table_cell *cell, uint64_t number)
{
	cell->present = true;
	cell->number = number;
}

void table_set_list(struct table_cell *cell, const char *const *texts,
                    size_t count)
{
	cell->present = true;
	cell->texts = texts;
	cell->number = count;
}

void table_set_counts(struct table_cell *cell, const struct table_count *counts,
                      size_t count)
{
	cell->present = true;
	cell->counts = counts;
	cell->number = count;
}

void table_set_frames(struct table_cell *cell, const struct table_frame *frames,
                      size_t count)
{
	cell->present = true;
	cell->frames = frames;
	cell->number = count;
}

void table_set_series(struct table_cell *cell,
                      const struct table_series *series)
{
	cell->present = true;
	cell->series = series;
}

void table_set_calls(struct table_cell *cell, const struct calltree *calls)
{
	cell->present = true;
	cell->calls = calls;
}

void table_release(const struct table *table)
{
	struct table_maker *maker = table ? table->maker : NULL;

	if (!maker)
		return;
	arena_release(&maker->arena);
	if (maker->release)
		maker->release(maker);
}

/** The cells of a row, created on demand. */
static const struct table_cell *make_row(const struct table *table, size_t row)
{
	struct table_maker *maker = table->maker;

	if (maker->row == row + 1)
		return maker->cells;
	arena_clear(&maker->arena);
	memset(maker->cells, 0, table->column_count * sizeof(*maker->cells));
	maker->make(maker, row, maker->cells);
	maker->row = row + 1;
	return maker->cells;
}

const struct table_cell *table_cell(const struct table *table, size_t row,
                                    size_t column)
{
	if (table->maker)
		return &make_row(table, row)[column];
	return &table->cells[row * table->column_count + column];
}

void table_set_bar(struct table_cell *cell, uint64_t part, uint64_t whole)
{
	// A KiB is the unit, so that the product stays in 64 bits.
	uint64_t share = (part >> 10) * TABLE_BAR_WHOLE / ((whole >> 10) + 1);

	if (whole)
		table_set_number(cell, part && !share ? 1 : share);
}

size_t table_column(const struct table *table, const char *key)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (!strcmp(table->columns[i].key, key))
			return i;
	return TEXT_NOWHERE;
}

const struct table_cell *table_find_cell(const struct table *table, size_t row,
                                         const char *key)
{
	size_t column = table_column(table, key);
	const struct table_cell *cell;

	if (column == TEXT_NOWHERE)
		return NULL;
	cell = table_cell(table, row, column);
	return cell->present ? cell : NULL;
}

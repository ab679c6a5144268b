// SPDX-License-Identifier: MIT
#include "lib/text/csv.h"
#include "formatters/table/formats.h"

static void add_cell(struct csv_writer *w, const struct table_column *column,
                     const struct table_cell *cell)
{
	if (!cell->present) {
		csv_empty(w);
		return;
	}
	switch (table_kind_value(column->kind)) {
	case TABLE_VALUE_TEXT:
		csv_text(w, cell->text);
		break;
	case TABLE_VALUE_NUMBER:
		csv_number(w, cell->number);
		break;
	case TABLE_VALUE_ADDRESS:
		csv_address(w, cell->number);
		break;
	case TABLE_VALUE_BOOL:
		csv_text(w, cell->number ? "yes" : "no");
		break;
	case TABLE_VALUE_DECIMAL:
		csv_decimal(w, cell->text);
		break;
	case TABLE_VALUE_LIST:
	case TABLE_VALUE_COUNTS:
	case TABLE_VALUE_FRAMES: {
		SCOPED(str_release) struct str value = { 0 };

		table_add_value(column, cell, &value);
		csv_text(w, str_cstr(&value));
		break;
	}
	case TABLE_VALUE_DRAWN:
		break;
	}
}

void csv_table(const struct table *table, const struct format_options *options,
               struct out *out)
{
	SCOPED(csv_release) struct csv_writer w = { .out = out };

	for (size_t i = 0; i < table->column_count && !options->has_header; i++)
		if (!table_kind_is_drawn(table->columns[i].kind))
			csv_text(&w, table->columns[i].key);
	if (!options->has_header)
		csv_end(&w);
	for (size_t row = 0; row < table->row_count; row++) {
		for (size_t i = 0; i < table->column_count; i++)
			if (!table_kind_is_drawn(table->columns[i].kind))
				add_cell(&w, &table->columns[i],
				         table_cell(table, row, i));
		csv_end(&w);
	}
}

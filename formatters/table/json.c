// SPDX-License-Identifier: MIT
#include "formatters/table/formats.h"

static const char *kind_name(enum table_kind kind)
{
	switch (table_kind_value(kind)) {
	case TABLE_VALUE_TEXT:
		return "text";
	case TABLE_VALUE_NUMBER:
		return "number";
	case TABLE_VALUE_ADDRESS:
		return "address";
	case TABLE_VALUE_BOOL:
		return "bool";
	case TABLE_VALUE_DECIMAL:
		return "decimal";
	case TABLE_VALUE_LIST:
		return "list";
	case TABLE_VALUE_COUNTS:
		return "counts";
	case TABLE_VALUE_FRAMES:
		return "frames";
	case TABLE_VALUE_DRAWN:
		break;
	}
	return "text";
}

static void add_counts(struct json_writer *w, const struct table_cell *cell)
{
	for (size_t i = 0; i < cell->number; i++) {
		json_open_object(w, NULL);
		json_text(w, "name", cell->counts[i].name);
		json_number(w, "reports", cell->counts[i].reports);
		json_close(w);
	}
}

static void add_frames(struct json_writer *w, const struct table_cell *cell)
{
	for (size_t i = 0; i < cell->number; i++) {
		const struct table_frame *frame = &cell->frames[i];

		json_open_object(w, NULL);
		json_text(w, "symbol", frame->symbol);
		json_text_or_null(w, "image", frame->image);
		json_text_or_null(w, "file", frame->file);
		if (frame->line)
			json_number(w, "line", frame->line);
		else
			json_null(w, "line");
		json_close(w);
	}
}

/** A cell with several values. */
static void add_array(struct json_writer *w, const struct table_column *column,
                      const struct table_cell *cell)
{
	json_open_array(w, column->key);
	if (column->kind == TABLE_COUNTS)
		add_counts(w, cell);
	else if (column->kind == TABLE_FRAMES)
		add_frames(w, cell);
	else
		for (size_t i = 0; i < cell->number; i++)
			json_text(w, NULL, cell->texts[i]);
	json_close(w);
}

static void add_cell(struct json_writer *w, const struct table_column *column,
                     const struct table_cell *cell)
{
	if (!cell->present && !table_kind_is_drawn(column->kind)) {
		json_null(w, column->key);
		return;
	}
	switch (table_kind_value(column->kind)) {
	case TABLE_VALUE_TEXT:
		json_text(w, column->key, cell->text);
		break;
	case TABLE_VALUE_NUMBER:
		json_number(w, column->key, cell->number);
		break;
	case TABLE_VALUE_ADDRESS:
		json_address(w, column->key, cell->number);
		break;
	case TABLE_VALUE_BOOL:
		json_bool(w, column->key, cell->number);
		break;
	case TABLE_VALUE_DECIMAL:
		json_decimal(w, column->key, cell->text);
		break;
	case TABLE_VALUE_LIST:
	case TABLE_VALUE_COUNTS:
	case TABLE_VALUE_FRAMES:
		add_array(w, column, cell);
		break;
	case TABLE_VALUE_DRAWN:
		break;
	}
}

static void add_columns(struct json_writer *w, const struct table *table)
{
	json_open_array(w, "columns");
	for (size_t i = 0; i < table->column_count; i++) {
		if (table_kind_is_drawn(table->columns[i].kind))
			continue;
		json_open_object(w, NULL);
		json_text(w, "key", table->columns[i].key);
		json_text(w, "title", table->columns[i].title);
		json_text(w, "kind", kind_name(table->columns[i].kind));
		json_close(w);
	}
	json_close(w);
}

static void add_cells(struct json_writer *w, const struct table *table,
                      size_t row)
{
	for (size_t i = 0; i < table->column_count; i++)
		add_cell(w, &table->columns[i], table_cell(table, row, i));
}

static void add_rows(struct json_writer *w, const char *key,
                     const struct table *table)
{
	json_open_array(w, key);
	for (size_t row = 0; row < table->row_count; row++) {
		json_open_object(w, NULL);
		add_cells(w, table, row);
		json_close(w);
	}
	json_close(w);
}

void json_add_row(struct json_writer *w, const struct table *table, size_t row,
                  const char *timestamp)
{
	json_open_object(w, NULL);
	json_text(w, "schema", "apmtool.row/1");
	json_text(w, "table", table->name);
	json_text(w, "@timestamp", timestamp);
	add_cells(w, table, row);
	json_close(w);
	json_finish(w);
}

void json_add_table(struct json_writer *w, const char *key,
                    const struct table *table)
{
	SCOPED(str_release) struct str schema = { 0 };

	str_addf(&schema, "apmtool.%s/1",
	         table->rows_name ? table->name : "table");
	json_open_object(w, key);
	json_text(w, "schema", str_cstr(&schema));
	if (!table->rows_name) {
		json_text(w, "name", table->name);
		json_text(w, "summary", table->summary);
		add_columns(w, table);
	}
	add_rows(w, table->rows_name ? table->rows_name : "rows", table);
	json_close(w);
}

void json_table(const struct table *table,
                const struct format_options *options UNUSED, struct out *out)
{
	struct json_writer writer = json_writer_to(out);

	json_add_table(&writer, NULL, table);
	json_finish(&writer);
}

void jsonl_table(const struct table *table,
                 const struct format_options *options UNUSED, struct out *out)
{
	struct json_writer writer = json_writer_compact(out);

	json_add_table(&writer, NULL, table);
	json_finish(&writer);
}

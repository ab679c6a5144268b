#include "formatters/table/formats.h"
#include "lib/base/mem.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>

#define COLUMN_GAP 2
#define BAR_CELLS  24
/**
 * A wider cell extends beyond its column: the others are not padded for it. A
 * broken report may have a version of megabytes.
 */
#define COLUMN_WIDTH_MAX 64

void table_add_value(const struct table_column *column,
                     const struct table_cell *cell, struct str *out)
{
	if (!cell->present)
		return;
	switch (column->kind) {
	case TABLE_TEXT:
	case TABLE_DECIMAL:
		str_add(out, cell->text);
		break;
	case TABLE_NUMBER:
		str_addf(out, "%" PRIu64, cell->number);
		break;
	case TABLE_ADDRESS:
		str_addf(out, "0x%" PRIx64, cell->number);
		break;
	case TABLE_BOOL:
		str_add(out, cell->number ? "yes" : "no");
		break;
	case TABLE_BAR:
		break;
	}
}

static void add_bar(struct str *out, uint64_t share)
{
	uint64_t cells = share * BAR_CELLS / TABLE_BAR_WHOLE;

	for (uint64_t i = 0; i <= cells && i < BAR_CELLS && share; i++)
		str_add(out, "\u2588");
}

/** Visible as everywhere, and tabs too: they would break the alignment. */
static void add_shown(struct str *out, struct text in)
{
	size_t tab;

	while ((tab = text_find_char(in, '\t')) != TEXT_NOWHERE) {
		utf8_add_visible(out, text_first(in, tab));
		str_add(out, "\\x09");
		in = text_after(in, tab + 1);
	}
	utf8_add_visible(out, in);
}

/** A cell as it is shown, or a title where @p row is that of the header. */
static void show_cell(const struct table *table, size_t row, size_t column,
                      struct str *out)
{
	SCOPED(str_release) struct str value = { 0 };
	const struct table_column *about = &table->columns[column];
	const struct table_cell *cell;

	if (!row) {
		str_add(out, about->title);
		return;
	}
	cell = table_cell(table, row - 1, column);
	table_add_value(about, cell, &value);
	if (!cell->present)
		str_add(out, "-");
	else if (about->kind == TABLE_BAR)
		add_bar(out, cell->number);
	else
		add_shown(out, str_text(&value));
}

/** A table that is being written. */
struct view {
	const struct table *table;
	bool terminal;
	size_t *widths;
};

static bool is_shown(const struct view *view, size_t column)
{
	const struct table_column *about = &view->table->columns[column];

	return about->title && (about->kind != TABLE_BAR || view->terminal);
}

static void measure(struct view *view)
{
	SCOPED(str_release) struct str shown = { 0 };
	const struct table *table = view->table;

	for (size_t row = 0; row <= table->row_count; row++) {
		for (size_t i = 0; i < table->column_count; i++) {
			size_t width;

			if (!is_shown(view, i))
				continue;
			str_clear(&shown);
			show_cell(table, row, i, &shown);
			width = utf8_width(str_text(&shown));
			if (width > view->widths[i] &&
			    width <= COLUMN_WIDTH_MAX)
				view->widths[i] = width;
		}
	}
}

static bool is_right_aligned(enum table_kind kind)
{
	return kind == TABLE_NUMBER || kind == TABLE_ADDRESS ||
	       kind == TABLE_DECIMAL;
}

static void add_row(const struct view *view, size_t row, struct str *line)
{
	const struct table *table = view->table;
	SCOPED(str_release) struct str shown = { 0 };
	size_t blanks = 0; // owed before the next column

	for (size_t i = 0; i < table->column_count; i++) {
		size_t pad, width;

		if (!is_shown(view, i))
			continue;
		str_clear(&shown);
		show_cell(table, row, i, &shown);
		width = utf8_width(str_text(&shown));
		pad = width < view->widths[i] ? view->widths[i] - width : 0;
		if (is_right_aligned(table->columns[i].kind)) {
			blanks += pad;
			pad = 0;
		}
		str_add_repeat(line, ' ', blanks);
		str_add_text(line, str_text(&shown));
		blanks = pad + COLUMN_GAP;
	}
	str_add_char(line, '\n');
}

void text_table(const struct table *table, const struct format_options *options,
                struct out *out)
{
	SCOPED(str_release) struct str line = { 0 };
	struct view view = { .table = table, .terminal = options->terminal };

	if (table->summary) {
		out_add_visible(out, table->summary);
		out_add(out, table->row_count ? "\n\n" : "\n");
	}
	if (!table->row_count)
		return;
	view.widths = mem_zalloc(table->column_count, sizeof(*view.widths));
	measure(&view);
	for (size_t row = 0; row <= table->row_count; row++) {
		str_clear(&line);
		add_row(&view, row, &line);
		out_add_bytes(out, line.data, line.size);
	}
	free(view.widths);
}

void text_uuids(const struct table *table, struct out *out)
{
	for (size_t row = 0; row < table->row_count; row++) {
		out_addf(out, "UUID: %s (%s) ", table_cell(table, row, 0)->text,
		         table_cell(table, row, 1)->text);
		out_add_visible(out, table_cell(table, row, 2)->text);
		out_add(out, "\n");
	}
}

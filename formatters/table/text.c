// SPDX-License-Identifier: MIT
#include "formatters/table/formats.h"
#include "formatters/table/layout.h"
#include "formatters/table/paragraph.h"
#include "lib/base/columns.h"
#include "lib/base/mem.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BAR_CELLS 24
/** Indent of lines below a row. */
#define BELOW_INDENT 4
/** Min width of a slice's path. */
#define PATH_LEAST 20
/**
 * Wider cells extend beyond their column, and do not widen it: a broken report
 * may have a version of megabytes. On a terminal they are shortened.
 */
#define COLUMN_WIDTH_MAX 64

// Called for each cell of a table: printf would dominate.
void table_add_value(const struct table_column *column,
                     const struct table_cell *cell, struct str *out)
{
	if (!cell->present)
		return;
	switch (table_kind_value(column->kind)) {
	case TABLE_VALUE_DECIMAL:
		str_add(out, cell->mark ? cell->mark : "");
		str_add(out, cell->text);
		break;
	case TABLE_VALUE_TEXT:
		str_add(out, cell->text);
		break;
	case TABLE_VALUE_NUMBER:
		str_add_number(out, cell->number);
		break;
	case TABLE_VALUE_ADDRESS:
		str_add_address(out, cell->number, 0);
		break;
	case TABLE_VALUE_BOOL:
		str_add(out, cell->number ? "yes" : "no");
		break;
	case TABLE_VALUE_LIST:
		for (uint64_t i = 0; i < cell->number; i++) {
			str_add(out, i ? ", " : "");
			str_add(out, cell->texts[i]);
		}
		break;
	case TABLE_VALUE_COUNTS:
		for (uint64_t i = 0; i < cell->number; i++)
			str_addf(out, "%s%s (%" PRIu64 ")", i ? ", " : "",
			         cell->counts[i].name, cell->counts[i].reports);
		break;
	case TABLE_VALUE_FRAMES:
		for (uint64_t i = 0; i < cell->number; i++) {
			str_add(out, i ? " - " : "");
			str_add(out, cell->frames[i].symbol);
		}
		break;
	case TABLE_VALUE_DRAWN:
		break;
	}
}

static void add_bar(struct str *out, uint64_t share)
{
	uint64_t cells = share * BAR_CELLS / TABLE_BAR_WHOLE;

	for (uint64_t i = 0; i <= cells && i < BAR_CELLS && share; i++)
		str_add(out, "\u2588");
}

/** Append a cell as displayed, or a title for the header's row. */
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
	if (!cell->present) {
		str_add(out, "-");
	} else if (about->kind == TABLE_BAR) {
		add_bar(out, cell->number);
	} else if (table_kind_is_text(about->kind)) {
		utf8_add_cell(out, text_from(cell->text));
	} else if (about->kind == TABLE_NUMBER) {
		str_add_number(out, cell->number);
	} else {
		table_add_value(about, cell, &value);
		utf8_add_cell(out, str_text(&value));
	}
}

/** A cell of the current row. */
struct view_cell {
	struct str shown;
	struct text rest; ///< lines not written yet
	size_t lines;
};

/** State of writing a table. */
struct view {
	const struct table *table;
	const struct format_options *options;
	struct layout_column *columns;
	struct view_cell *cells;
};

static void view_release(struct view *view)
{
	for (size_t i = 0; view->cells && i < view->table->column_count; i++)
		str_release(&view->cells[i].shown);
	free(view->cells);
	free(view->columns);
}

// Columns

static size_t turn_of(const struct table *table, const char *key)
{
	for (size_t i = 0; table->spare && table->spare[i]; i++)
		if (!strcmp(table->spare[i], key))
			return i + 1;
	return 0;
}

static void measure_cell(const struct view *view, size_t row,
                         struct layout_column *column, struct text shown)
{
	bool is_text = table_kind_is_text(column->kind);
	size_t max = view->options->columns && column->kind != TABLE_TEXT
	                     ? SIZE_MAX
	                     : COLUMN_WIDTH_MAX;
	size_t width = utf8_width(shown);
	// Columns are only narrowed on a terminal.
	size_t word = view->options->columns && (is_text || !row)
	                      ? columns_longest_word(shown)
	                      : width;

	if (!row) {
		column->title = width;
		column->title_word = word;
	} else if (width <= max || view->options->columns) {
		width = width < max ? width : max;
		column->cell = width > column->cell ? width : column->cell;
		column->cell_word =
		        word > column->cell_word ? word : column->cell_word;
	}
}

static void measure(struct view *view)
{
	SCOPED(str_release) struct str shown = { 0 };
	const struct table *table = view->table;

	for (size_t i = 0; i < table->column_count; i++) {
		const struct table_column *about = &table->columns[i];
		struct layout_column *column = &view->columns[i];

		column->kind = about->kind;
		// These have lines of their own.
		if (!about->title || about->kind == TABLE_FRAMES ||
		    (table_kind_is_drawn(about->kind) &&
		     (about->kind != TABLE_BAR || !view->options->terminal)))
			continue;
		column->place = LAYOUT_BESIDE;
		column->turn = turn_of(table, about->key);
	}
	// Row by row, since rows may be created on demand.
	for (size_t row = 0; row <= table->row_count; row++) {
		for (size_t i = 0; i < table->column_count; i++) {
			if (view->columns[i].place != LAYOUT_BESIDE)
				continue;
			str_clear(&shown);
			show_cell(table, row, i, &shown);
			measure_cell(view, row, &view->columns[i],
			             str_text(&shown));
		}
	}
}

// Rows

static void add_wrapped(struct text text, size_t width, struct str *out)
{
	struct columns_lines lines = { .out = out,
		                       .width = width,
		                       .shortens = true };

	columns_add_text(&lines, text);
}

/** Fit a cell into its width. */
static void fit_cell(enum table_kind kind, struct text shown, size_t width,
                     struct str *out)
{
	switch (kind) {
	case TABLE_TEXT:
	case TABLE_NAME:
		columns_shorten(shown, width, out);
		break;
	case TABLE_PATH:
		columns_shorten_parts(shown, "/", width, out);
		break;
	case TABLE_STACK:
		columns_shorten_parts(shown, " - ", width, out);
		break;
	case TABLE_PROSE:
		add_wrapped(shown, width, out);
		break;
	default:
		str_add_text(out, shown);
		break;
	}
}

static void prepare_cell(const struct view *view, size_t row, size_t i)
{
	const struct layout_column *column = &view->columns[i];
	struct view_cell *cell = &view->cells[i];
	SCOPED(str_release) struct str shown = { 0 };

	str_clear(&cell->shown);
	if (!view->options->columns) {
		show_cell(view->table, row, i, &cell->shown);
	} else {
		show_cell(view->table, row, i, &shown);
		fit_cell(row ? column->kind : TABLE_PROSE, str_text(&shown),
		         column->width, &cell->shown);
	}
	cell->rest = str_text(&cell->shown);
	cell->lines = 1 + text_count_char(cell->rest, '\n');
}

/** The next line of each cell of a row; @p left lines remain. */
static void add_line(const struct view *view, bool is_header, size_t left,
                     struct str *line)
{
	size_t blanks = 0; // owed before the next column

	for (size_t i = 0; i < view->table->column_count; i++) {
		const struct layout_column *column = &view->columns[i];
		struct view_cell *cell = &view->cells[i];
		struct text text = { 0 };
		size_t pad, width;

		if (column->place != LAYOUT_BESIDE)
			continue;
		// Titles are just above their columns.
		if (!is_header || cell->lines >= left)
			text_next_line(&cell->rest, &text);
		width = utf8_width(text);
		pad = width < column->width ? column->width - width : 0;
		if (table_kind_is_number(column->kind)) {
			blanks += pad;
			pad = 0;
		}
		if (text.size || !view->options->columns) {
			str_add_repeat(line, ' ', blanks);
			str_add_text(line, text);
			blanks = 0;
		}
		blanks += pad + LAYOUT_GAP;
	}
	str_add_char(line, '\n');
}

/** A call per line, the innermost first, as in a crash report. */
static void add_frames(const struct view *view, const struct table_cell *cell,
                       struct str *out)
{
	SCOPED(str_release) struct str line = { 0 };

	for (uint64_t i = cell->number; i > 0; i--) {
		const struct table_frame *frame = &cell->frames[i - 1];

		str_clear(&line);
		str_addf(&line, "#%-3" PRIu64 " ", cell->number - i);
		utf8_add_cell(&line, text_from(frame->symbol));
		if (frame->file) {
			str_add(&line, "  ");
			utf8_add_cell(&line, text_from(frame->file));
			if (frame->line)
				str_addf(&line, ":%" PRIu32, frame->line);
		} else if (frame->image) {
			str_add(&line, "  in ");
			utf8_add_cell(&line, text_from(frame->image));
		}
		str_add_repeat(out, ' ', BELOW_INDENT);
		if (view->options->columns)
			columns_shorten(str_text(&line),
			                view->options->columns - BELOW_INDENT,
			                out);
		else
			str_add_text(out, str_text(&line));
		str_add_char(out, '\n');
	}
}

/** Cells without room in the row. */
static void add_below(const struct view *view, size_t row, struct str *out)
{
	const struct table *table = view->table;

	for (size_t i = 0; row && i < table->column_count; i++) {
		SCOPED(str_release) struct str shown = { 0 };
		struct columns_lines lines = {
			.out = out,
			.width = view->options->columns,
			.indent = BELOW_INDENT + 2,
			.column = BELOW_INDENT,
			.shortens = table->columns[i].kind != TABLE_TEXT,
		};

		if (table->columns[i].kind == TABLE_FRAMES &&
		    table->columns[i].title &&
		    table_cell(table, row - 1, i)->present)
			add_frames(view, table_cell(table, row - 1, i), out);
		if (view->columns[i].place != LAYOUT_BELOW ||
		    !table_cell(table, row - 1, i)->present)
			continue;
		str_addf(&shown, "%s: ", table->columns[i].title);
		show_cell(table, row, i, &shown);
		str_add_repeat(out, ' ', BELOW_INDENT);
		columns_add_text(&lines, str_text(&shown));
		str_add_char(out, '\n');
	}
}

static void add_row(const struct view *view, size_t row, struct str *out)
{
	size_t lines = 1;

	for (size_t i = 0; i < view->table->column_count; i++) {
		if (view->columns[i].place != LAYOUT_BESIDE)
			continue;
		prepare_cell(view, row, i);
		if (view->cells[i].lines > lines)
			lines = view->cells[i].lines;
	}
	for (; lines; lines--)
		add_line(view, !row, lines, out);
	add_below(view, row, out);
}

/** Name omitted columns, and how to see them. */
static void add_left_out(const struct view *view, struct out *out)
{
	SCOPED(str_release) struct str note = { 0 };

	for (size_t i = 0; i < view->table->column_count; i++)
		if (view->columns[i].place == LAYOUT_OUT)
			str_addf(&note, "%s%s",
			         note.size ? ", " : "columns that do not fit: ",
			         view->table->columns[i].title);
	if (!note.size)
		return;
	str_add(&note, " (--width=0 shows all)");
	paragraph_write(str_cstr(&note), view->options, out);
	out_add(out, "\n");
}

void text_table(const struct table *table, const struct format_options *options,
                struct out *out)
{
	SCOPED(str_release) struct str row = { 0 };
	SCOPED(view_release)
	struct view view = { .table = table, .options = options };

	if (table->summary) {
		paragraph_write(table->summary, options, out);
		out_add(out, table->row_count ? "\n\n" : "\n");
	}
	if (!table->row_count)
		return;
	if (table->maker)
		table->maker->titled_only = true;
	view.columns = mem_zalloc(table->column_count, sizeof(*view.columns));
	view.cells = mem_zalloc(table->column_count, sizeof(*view.cells));
	measure(&view);
	layout_fit(view.columns, table->column_count, options->columns);
	for (size_t i = 0; i <= table->row_count; i++) {
		str_clear(&row);
		add_row(&view, i, &row);
		out_add_bytes(out, row.data, row.size);
	}
	add_left_out(&view, out);
}

/** A path without room gets its own line. */
static void add_path(const char *path, size_t columns, struct str *line)
{
	SCOPED(str_release) struct str shown = { 0 };
	size_t room = columns > line->size ? columns - line->size : 0;

	utf8_add_visible(&shown, text_from(path));
	if (columns && room < PATH_LEAST &&
	    utf8_width(str_text(&shown)) > room) {
		line->data[line->size - 1] = '\n';
		str_add_repeat(line, ' ', BELOW_INDENT);
		room = columns - BELOW_INDENT;
	}
	if (columns)
		columns_shorten_parts(str_text(&shown), "/", room, line);
	else
		str_add_text(line, str_text(&shown));
}

void text_uuids(const struct table *table, const struct format_options *options,
                struct out *out)
{
	for (size_t row = 0; row < table->row_count; row++) {
		SCOPED(str_release) struct str line = { 0 };

		str_addf(&line, "UUID: %s (%s) ",
		         table_cell(table, row, 0)->text,
		         table_cell(table, row, 1)->text);
		add_path(table_cell(table, row, 2)->text, options->columns,
		         &line);
		str_add_char(&line, '\n');
		out_add_bytes(out, line.data, line.size);
	}
}

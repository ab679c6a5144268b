// SPDX-License-Identifier: MIT
#include "formatters/flame/graph.h"
#include "formatters/flame/markup.h"
#include "formatters/flame/strip.h"
#include "formatters/html/document.h"
#include "formatters/html/parts.h"
#include "formatters/table/formats.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"

#include <stdlib.h>
#include <string.h>

/** Max bytes of text that is not wrapped. */
#define SHORT_BYTES 24

/** A table of so few columns is one in a narrow window, too. */
#define FEW_COLUMNS 4

/** A column without a title is for programs: it is below the row. */
static bool is_shown(const struct table_column *column)
{
	return column->title;
}

/** Is it a column of charts without any chart? */
static bool is_empty(const struct table *table, size_t column)
{
	if (table->columns[column].kind != TABLE_SERIES || table->maker)
		return false;
	for (size_t i = 0; i < table->row_count; i++)
		if (table_cell(table, i, column)->present)
			return false;
	return true;
}

/** A table with its columns in display order. */
struct sheet {
	const struct table *table;
	size_t *columns;
	size_t count;
};

/** The main column comes first. */
static void sheet_init(struct sheet *sheet, const struct table *table)
{
	size_t subject = table->subject ? table_column(table, table->subject)
	                                : TEXT_NOWHERE;

	*sheet = (struct sheet){
		.table = table,
		.columns = mem_zalloc(table->column_count + 1,
		                      sizeof(*sheet->columns)),
	};
	if (subject != TEXT_NOWHERE)
		sheet->columns[sheet->count++] = subject;
	for (size_t i = 0; i < table->column_count; i++)
		if (i != subject && is_shown(&table->columns[i]) &&
		    !is_empty(table, i))
			sheet->columns[sheet->count++] = i;
}

static void sheet_release(struct sheet *sheet)
{
	free(sheet->columns);
}

static const char *class_of(const struct table_column *column)
{
	switch (column->kind) {
	case TABLE_NUMBER:
	case TABLE_DECIMAL:
	case TABLE_ADDRESS:
		return "number";
	case TABLE_NAME:
	case TABLE_STACK:
		return "code";
	case TABLE_PATH:
		return "code path";
	case TABLE_PROSE:
		return "prose";
	case TABLE_BAR:
		return "bar";
	case TABLE_SERIES:
		return "series";
	default:
		return "word";
	}
}

static void add_header(const struct sheet *sheet, struct str *line)
{
	str_add(line, "<thead><tr>");
	for (size_t i = 0; i < sheet->count; i++) {
		const struct table_column *column =
		        &sheet->table->columns[sheet->columns[i]];

		str_addf(line, "<th scope=\"col\" class=\"%s\">",
		         class_of(column));
		html_add(line, column->title);
		str_add(line, "</th>");
	}
	str_add(line, "</tr></thead>\n");
}

/** As SVG: inline styles are forbidden. */
static void add_bar(const struct table_cell *cell, struct str *line)
{
	str_add(line, "<svg viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\" "
	              "aria-hidden=\"true\"><rect height=\"6\" width=\"");
	units_add_exact(line, units_share(cell->number, TABLE_BAR_WHOLE, 10000),
	                100);
	str_add(line, "\"/></svg>");
}

/** In px, of a series: a slot is a bar and a gap. */
struct scale {
	unsigned slot;
	unsigned height;
};

static void add_bars(const struct table_series *series,
                     const struct scale *scale, struct str *line)
{
	uint32_t max = 1;

	for (size_t i = 0; i < series->count; i++)
		if (series->counts[i] > max)
			max = series->counts[i];
	for (size_t i = 0; i < series->count; i++) {
		// Any count above 0 is visible.
		uint64_t height =
		        units_share(series->counts[i], max, scale->height * 10);

		if (!series->counts[i])
			continue;
		height = height < 15 ? 15 : height;
		str_addf(line, "<rect x=\"%zu\" width=\"%u\" y=\"",
		         i * scale->slot, scale->slot - 1);
		units_add_exact(line, scale->height * 10 - height, 10);
		str_add(line, "\" height=\"");
		units_add_exact(line, height, 10);
		str_add(line, "\"/>");
	}
}

/** A bar for each slot, the highest as high as there is room. */
static void add_series(const struct table_series *series, struct str *line)
{
	static const struct scale small = { 4, 20 }, large = { 12, 80 };
	const struct scale *scale = series->is_large ? &large : &small;
	size_t width = series->count * scale->slot;

	str_addf(line,
	         "<svg class=\"spark\" viewBox=\"0 0 %zu %u\" width=\"%zu\" "
	         "height=\"%u\" role=\"img\" aria-label=\"",
	         width, scale->height, width, scale->height);
	html_add(line, series->words);
	str_add(line, "\"><title>");
	html_add(line, series->words);
	str_addf(line, "</title><path d=\"M0 %uH%zu\"/>", scale->height, width);
	add_bars(series, scale, line);
	str_add(line, "</svg>");
}

/** Calls from the outermost to the innermost, each in a line. */
static void add_stack(struct text calls, struct str *line)
{
	struct text rest = calls;

	for (;;) {
		size_t end = text_find(rest, " - ");
		struct text call = end == TEXT_NOWHERE ? rest
		                                       : text_first(rest, end);

		str_add(line, "<bdi class=\"step\">");
		html_add_name(line, call);
		str_add(line, "</bdi>");
		if (end == TEXT_NOWHERE)
			break;
		str_add(line, "<span class=\"by\"> - </span>");
		rest = text_after(rest, end + 3);
	}
}

/** `2026-01-31T09:08:07Z`: the day is enough in a list. */
static bool is_moment(struct text value)
{
	static const char pattern[] = "dddd-dd-ddTdd:dd:dd";

	if (value.size < strlen(pattern))
		return false;
	for (size_t i = 0; pattern[i]; i++)
		if (pattern[i] == 'd' ? !text_is_digit(value.data[i])
		                      : value.data[i] != pattern[i])
			return false;
	return true;
}

static void add_moment(struct text value, struct str *line)
{
	str_add(line, "<time datetime=\"");
	html_add_text(line, value);
	str_add(line, "\" title=\"");
	html_add_text(line, value);
	str_add(line, "\">");
	html_add_text(line, text_first(value, strlen("2026-01-31")));
	str_add(line, "</time>");
}

/** Without room, the end is shown, which is the file's name. */
static void add_path(struct text value, struct str *line)
{
	str_add(line, "<bdi class=\"end\"><bdi dir=\"ltr\">");
	html_add_name(line, value);
	str_add(line, "</bdi></bdi>");
}

/** @param value  That of table_add_value(). */
static void add_value(const struct table_column *column,
                      const struct table_cell *cell, struct text value,
                      struct str *line)
{
	if (column->kind == TABLE_BAR)
		add_bar(cell, line);
	else if (column->kind == TABLE_SERIES)
		add_series(cell->series, line);
	else if (column->kind == TABLE_STACK)
		add_stack(value, line);
	else if (table_kind_is_number(column->kind))
		str_add_text(line, value);
	else if (column->kind == TABLE_TEXT && is_moment(value))
		add_moment(value, line);
	else if (column->kind == TABLE_PATH)
		add_path(value, line);
	else {
		// A part of the row above it.
		str_add(line, text_starts(value, "  ")
		                      ? "<bdi class=\"part-of\">"
		                      : "<bdi>");
		html_add_name(line, value);
		str_add(line, "</bdi>");
	}
}

/** A narrow window has no header: the title is repeated. */
static void add_cell(const struct table_column *column,
                     const struct table_cell *cell, struct str *value,
                     struct str *line)
{
	str_clear(value);
	table_add_value(column, cell, value);
	str_add(line, "<td class=\"");
	str_add(line, class_of(column));
	str_add(line, !cell->present              ? " none"
	              : value->size > SHORT_BYTES ? " long"
	                                          : "");
	str_add(line, "\" data-title=\"");
	html_add(line, column->title);
	if (cell->present &&
	    (column->kind == TABLE_NAME || column->kind == TABLE_PATH)) {
		str_add(line, "\" title=\"");
		html_add_text(line, str_text(value));
	}
	str_add(line, "\">");
	if (cell->present)
		add_value(column, cell, str_text(value), line);
	else
		str_add(line, "-");
	str_add(line, "</td>");
}

/** A level equal to the previous one is omitted. */
static void add_levels(const struct table_cell *cell, struct str *line)
{
	const char *before = NULL;

	str_add(line, "<bdi>");
	for (uint64_t i = 0; i < cell->number; i++) {
		if (before && !strcmp(before, cell->texts[i]))
			continue;
		str_add(line, before ? ", " : "");
		before = cell->texts[i];
		html_add(line, before);
	}
	str_add(line, "</bdi>");
}

/** Begin the part of a row below its columns. */
static void begin_more(size_t shown, struct str *line)
{
	str_addf(line,
	         "<tr class=\"more\"><td colspan=\"%zu\"><details>"
	         "<summary>More</summary><dl>",
	         shown ? shown : 1);
}

/** Cells shown below the row. An empty list is omitted. */
static void add_more(const struct table *table, size_t row, size_t shown,
                     struct str *value, struct str *line)
{
	bool has_more = false;

	for (size_t i = 0; i < table->column_count; i++) {
		const struct table_column *column = &table->columns[i];
		const struct table_cell *cell = table_cell(table, row, i);

		if (is_shown(column) || table_kind_is_drawn(column->kind))
			continue;
		str_clear(value);
		table_add_value(column, cell, value);
		if (!value->size)
			continue;
		if (!has_more)
			begin_more(shown, line);
		has_more = true;
		str_add(line, "<dt>");
		html_add(line, column->key);
		str_add(line, "</dt><dd>");
		if (column->kind == TABLE_LEVELS)
			add_levels(cell, line);
		else
			add_value(column, cell, str_text(value), line);
		str_add(line, "</dd>");
	}
	if (has_more)
		str_add(line, "</dl></details></td></tr>\n");
}

/** The flame graph of a call tree, collapsed, with a title. */
static void add_calls(const struct table_column *column,
                      const struct table_cell *cell,
                      const struct format_options *options, size_t shown,
                      struct out *out)
{
	// Stacks of crashes have no order of time.
	static const struct flame_strip no_strip = { 0 };
	SCOPED(flame_release) struct flame flame = { 0 };
	SCOPED(str_release) struct str line = { 0 };

	if (column->kind != TABLE_CALLS || !cell->present)
		return;
	flame_lay_out(&flame, cell->calls, options);
	str_addf(&line,
	         "<tr class=\"more\"><td colspan=\"%zu\"><details><summary>"
	         "Stacks</summary><p>",
	         shown ? shown : 1);
	html_add(&line, flame_title(&flame, options));
	str_add(&line, "</p><div class=\"picture\">");
	html_flush(&line, out);
	flame_write_graph(&flame, options, &no_strip, out);
	out_add(out, "</div></details></td></tr>\n");
}

/** A row, and below it the cells without a column. */
static void add_row(const struct sheet *sheet, size_t row,
                    const struct format_options *options, struct str *value,
                    struct out *out)
{
	SCOPED(str_release) struct str line = { 0 };
	const struct table *table = sheet->table;

	// Sorting keeps a row and its parts together.
	str_add(&line, "<tbody><tr>");
	for (size_t i = 0; i < sheet->count; i++)
		add_cell(&table->columns[sheet->columns[i]],
		         table_cell(table, row, sheet->columns[i]), value,
		         &line);
	str_add(&line, "</tr>\n");
	add_more(table, row, sheet->count, value, &line);
	html_flush(&line, out);
	for (size_t i = 0; i < table->column_count; i++)
		add_calls(&table->columns[i], table_cell(table, row, i),
		          options, sheet->count, out);
	out_add(out, "</tbody>\n");
}

void html_add_table(const struct table *table, const char *title,
                    const char *note, const struct format_options *options,
                    struct out *out)
{
	SCOPED(str_release) struct str line = { 0 };
	SCOPED(str_release) struct str value = { 0 };
	SCOPED(sheet_release) struct sheet sheet = { 0 };

	sheet_init(&sheet, table);
	str_add(&line, "<section>\n");
	if (title) {
		str_add(&line, "<h2>");
		html_add(&line, title);
		str_add(&line, "</h2>\n");
	}
	if (table->row_count) {
		str_addf(&line,
		         "<div class=\"wide\">\n<table class=\"list%s%s\">\n",
		         table->subject ? " lines" : "",
		         sheet.count <= FEW_COLUMNS ? " few" : "");
		add_header(&sheet, &line);
	}
	html_flush(&line, out);
	for (size_t row = 0; row < table->row_count; row++)
		add_row(&sheet, row, options, &value, out);
	str_add(&line, table->row_count ? "</table>\n</div>\n"
	                                : "<p>There are no rows.</p>\n");
	if (note) {
		str_add(&line, "<p>");
		html_add(&line, note);
		str_add(&line, "</p>\n");
	}
	str_add(&line, "</section>\n");
	html_flush(&line, out);
}

/** `lag-groups` as `Lag groups`. */
static void add_name(const char *name, struct str *title)
{
	for (size_t i = 0; name[i]; i++) {
		bool first = !i && name[i] >= 'a' && name[i] <= 'z';

		str_add_char(title, first            ? (char)(name[i] - 32)
		                    : name[i] == '-' ? ' '
		                                     : name[i]);
	}
}

static enum html_kind kind_of(const struct table *table)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].kind == TABLE_CALLS)
			return HTML_DRAWN;
	return HTML_ANSWER;
}

void html_table(const struct table *table, const struct format_options *options,
                struct out *out)
{
	SCOPED(str_release) struct str title = { 0 };
	SCOPED(str_release) struct str line = { 0 };
	enum html_kind kind = kind_of(table);

	add_name(table->name ? table->name : "table", &title);
	html_begin(out, kind, str_cstr(&title));
	str_add(&line, "<header>\n<div>\n<h1>");
	html_add(&line, str_cstr(&title));
	str_add(&line, "</h1>\n<p class=\"summary\">");
	html_add(&line, table->summary);
	str_add(&line, "</p>\n</div>\n<div class=\"tools\" id=\"tools\" "
	               "role=\"search\" hidden>"
	               "</div>\n</header>\n<main>\n");
	html_flush(&line, out);
	html_add_table(table, NULL, NULL, options, out);
	out_add(out, "</main>\n");
	html_end(out, kind);
}

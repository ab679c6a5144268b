#include "formatters/table/formats.h"
#include "lib/base/mem.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <string.h>

#define COLUMN_GAP 2
/**
 * A wider cell stands out of its column: the others are not padded for it. A
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
	}
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
	if (cell->present)
		add_shown(out, str_text(&value));
	else
		str_add(out, "-");
}

static size_t *measure(const struct table *table)
{
	SCOPED(str_release) struct str shown = { 0 };
	size_t *widths = mem_zalloc(table->column_count, sizeof(*widths));

	for (size_t row = 0; row <= table->row_count; row++) {
		for (size_t i = 0; i < table->column_count; i++) {
			size_t width;

			if (!table->columns[i].title)
				continue;
			str_clear(&shown);
			show_cell(table, row, i, &shown);
			width = utf8_width(str_text(&shown));
			if (width > widths[i] && width <= COLUMN_WIDTH_MAX)
				widths[i] = width;
		}
	}
	return widths;
}

static bool is_right_aligned(enum table_kind kind)
{
	return kind == TABLE_NUMBER || kind == TABLE_ADDRESS ||
	       kind == TABLE_DECIMAL;
}

static void add_row(const struct table *table, size_t row, const size_t *widths,
                    struct str *line)
{
	SCOPED(str_release) struct str shown = { 0 };
	size_t blanks = 0; // owed before the next column

	for (size_t i = 0; i < table->column_count; i++) {
		size_t pad, width;

		if (!table->columns[i].title)
			continue;
		str_clear(&shown);
		show_cell(table, row, i, &shown);
		width = utf8_width(str_text(&shown));
		pad = width < widths[i] ? widths[i] - width : 0;
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

void text_table(const struct table *table, struct out *out)
{
	SCOPED(str_release) struct str line = { 0 };
	SCOPED(mem_drop) size_t *widths = NULL;

	if (table->summary) {
		out_add_visible(out, table->summary);
		out_add(out, table->row_count ? "\n\n" : "\n");
	}
	if (!table->row_count)
		return;
	widths = measure(table);
	for (size_t row = 0; row <= table->row_count; row++) {
		str_clear(&line);
		add_row(table, row, widths, &line);
		out_add_bytes(out, line.data, line.size);
	}
}

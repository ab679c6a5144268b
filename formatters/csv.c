/*
 * The `csv` format: tables as RFC 4180 has them, keys in the first record, CR
 * LF behind each. A spreadsheet takes a cell that begins with one of a few
 * characters for a formula, and names in a report are not ours: such a cell
 * gets a `'` in front.
 */
#include "formatters/calltree/formats.h"
#include "formatters/formatter.h"
#include "formatters/page/jetsam.h"
#include "formatters/table/formats.h"
#include "lib/base/utf8.h"

#include <string.h>

static bool is_formula(struct text in)
{
	// A dash alone is a name, or none.
	return in.size && !text_is(in, "-") &&
	       memchr("=+-@\t\r", in.data[0], 6);
}

/** Visible as everywhere but for what a quoted field can hold. */
static void add_plain(struct str *out, struct text in)
{
	while (in.size) {
		size_t end = 0;

		while (end < in.size &&
		       (!in.data[end] || !strchr("\"\r\n", in.data[end])))
			end++;
		utf8_add_visible(out, text_first(in, end));
		if (end < in.size && in.data[end] == '"')
			str_add(out, "\"\"");
		else if (end < in.size)
			str_add_char(out, in.data[end]);
		in = text_after(in, end + 1);
	}
}

static void add_field(struct str *out, struct text in)
{
	bool quoted = false;

	for (size_t i = 0; i < in.size && !quoted; i++)
		quoted = in.data[i] && strchr("\",\r\n", in.data[i]);
	if (quoted)
		str_add_char(out, '"');
	if (is_formula(in))
		str_add_char(out, '\'');
	add_plain(out, in);
	if (quoted)
		str_add_char(out, '"');
}

void csv_add_header(const struct table *table, struct str *line)
{
	for (size_t i = 0; i < table->column_count; i++) {
		str_add(line, i ? "," : "");
		add_field(line, text_from(table->columns[i].key));
	}
	str_add(line, "\r\n");
}

void csv_add_record(const struct table *table, size_t row, struct str *line)
{
	SCOPED(str_release) struct str value = { 0 };

	for (size_t i = 0; i < table->column_count; i++) {
		const struct table_column *column = &table->columns[i];

		str_clear(&value);
		table_add_value(column, table_cell(table, row, i), &value);
		str_add(line, i ? "," : "");
		// A minus sign begins a number here, no formula.
		if (column->kind == TABLE_DECIMAL)
			str_add_text(line, str_text(&value));
		else
			add_field(line, str_text(&value));
	}
	str_add(line, "\r\n");
}

static void csv_table(const struct table *table, struct out *out)
{
	SCOPED(str_release) struct str line = { 0 };

	csv_add_header(table, &line);
	for (size_t row = 0; row < table->row_count; row++) {
		csv_add_record(table, row, &line);
		out_add_bytes(out, line.data, line.size);
		str_clear(&line);
	}
	out_add_bytes(out, line.data, line.size);
}

/** Of reports, only a jetsam log is a list. */
static void csv_report(const struct report *report,
                       const struct format_options *options UNUSED,
                       struct out *out)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	if (report->jetsam)
		csv_table(jetsam_table(report->jetsam, &arena), out);
}

const struct formatter csv_formatter = {
	.name = "csv",
	.summary = "tables and call trees, for spreadsheets",
	.report = csv_report,
	.table = csv_table,
	.calltree = csv_calltree,
};

/*
 * The `github` format: the rows of a table as annotations of a GitHub Actions
 * run, `::error file=…,title=…::message`; see formatter.h for the columns.
 *
 * A runner takes a line that begins with `::` for a command. Here every line
 * does, and each holds one command only: CR and LF are escaped in all that
 * comes from outside.
 *
 * Source: ecosystem.md 2; GitHub's own toolkit escapes the same characters.
 */
#include "formatters/formatter.h"
#include "formatters/table/formats.h"
#include "lib/base/utf8.h"

#include <string.h>

/** `%0A` and the like for @p special, visible as everywhere for the rest. */
static void add_escaped(struct str *out, struct text in, const char *special)
{
	while (in.size) {
		size_t end = 0;

		while (end < in.size &&
		       (!in.data[end] || !strchr(special, in.data[end])))
			end++;
		utf8_add_visible(out, text_first(in, end));
		if (end < in.size)
			str_addf(out, "%%%02X", (unsigned char)in.data[end]);
		in = text_after(in, end + 1);
	}
}

static void add_data(struct str *out, struct text in)
{
	add_escaped(out, in, "%\r\n");
}

/** The value at @p key in @p row; false where it is absent. */
static bool get_value(const struct table *table, size_t row, const char *key,
                      struct str *ret)
{
	size_t column = table_column(table, key);

	str_clear(ret);
	if (column == TEXT_NOWHERE)
		return false;
	table_add_value(&table->columns[column], table_cell(table, row, column),
	                ret);
	return ret->size;
}

/** A level that GitHub knows; false: the row is not marked. */
static bool get_level(const struct table *table, size_t row, struct str *ret)
{
	static const char *const levels[] = { "error", "warning", "notice" };

	if (table_column(table, "level") == TEXT_NOWHERE) {
		str_add(ret, "notice");
		return true;
	}
	if (!get_value(table, row, "level", ret))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		if (text_is(str_text(ret), levels[i]))
			return true;
	return false;
}

static void add_properties(const struct table *table, size_t row,
                           struct str *out)
{
	static const char *const keys[] = { "file", "line", "title" };
	SCOPED(str_release) struct str value = { 0 };
	const char *before = " ";

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (!get_value(table, row, keys[i], &value))
			continue;
		str_addf(out, "%s%s=", before, keys[i]);
		add_escaped(out, str_text(&value), "%\r\n:,");
		before = ",";
	}
}

/** What text shows of a row, where it has no message of its own. */
static void add_cells(const struct table *table, size_t row, struct str *out)
{
	SCOPED(str_release) struct str value = { 0 };
	const char *before = "";

	for (size_t i = 0; i < table->column_count; i++) {
		const struct table_column *column = &table->columns[i];

		if (!column->title ||
		    !get_value(table, row, column->key, &value))
			continue;
		str_addf(out, "%s%s: ", before, column->title);
		add_data(out, str_text(&value));
		before = ", ";
	}
}

static void github_table(const struct table *table,
                         const struct format_options *options UNUSED,
                         struct out *out)
{
	for (size_t row = 0; row < table->row_count; row++) {
		SCOPED(str_release) struct str line = { 0 };
		SCOPED(str_release) struct str value = { 0 };

		if (!get_level(table, row, &value))
			continue;
		str_addf(&line, "::%s", str_cstr(&value));
		add_properties(table, row, &line);
		str_add(&line, "::");
		if (get_value(table, row, "message", &value))
			add_data(&line, str_text(&value));
		else
			add_cells(table, row, &line);
		str_add_char(&line, '\n');
		out_add_bytes(out, line.data, line.size);
	}
}

const struct formatter github_formatter = {
	.name = "github",
	.summary = "annotations of a GitHub Actions run",
	.table = github_table,
};

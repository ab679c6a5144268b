// SPDX-License-Identifier: MIT
/*
 * The `markdown` format: a table in GitHub's Markdown, for comments and job
 * summaries.
 *
 * All text is in code spans, with a fence longer than any run of backticks in
 * it. So text of a report never becomes markup, a link, a mention of a person
 * or a reference to an issue, and the source is readable. Tables require a
 * backslash before a pipe, also in code. After another backslash that is
 * ambiguous: such a value is in <code>, with special characters as numeric
 * references, and so are titles.
 */
#include "formatters/formatter.h"
#include "formatters/table/formats.h"
#include "lib/base/utf8.h"

/** Is @p c plain text in any context, with @p next after it? */
static bool is_plain(char c, char next)
{
	return text_is_alnum(c) || (unsigned char)c > 127 ||
	       (c && strchr(" -,;/%", c)) ||
	       ((c == ':' || c == '.') && (!next || next == ' '));
}

static void add_escaped(struct str *out, const char *in)
{
	SCOPED(str_release) struct str shown = { 0 };

	utf8_add_visible(&shown, text_from(in));
	for (size_t i = 0; i < shown.size; i++) {
		char c = shown.data[i];

		if (is_plain(c, i + 1 < shown.size ? shown.data[i + 1] : '\0'))
			str_add_char(out, c);
		else if (c == '\n' || c == '\t')
			str_add_char(out, ' ');
		else
			str_addf(out, "&#%u;", (unsigned char)c);
	}
}

/** The longest run of backticks. */
static size_t longest_fence(struct text in)
{
	size_t max = 0, run = 0;

	for (size_t i = 0; i < in.size; i++) {
		run = in.data[i] == '`' ? run + 1 : 0;
		max = run > max ? run : max;
	}
	return max;
}

static void add_span(struct str *out, struct text in)
{
	size_t fence = longest_fence(in) + 1;
	// Markdown removes one blank at both ends; backticks must not touch the
	// fence.
	bool is_padded = text_starts(in, "`") || text_ends(in, "`") ||
	                 text_starts(in, " ") || text_ends(in, " ");

	for (size_t i = 0; i < fence; i++)
		str_add_char(out, '`');
	str_add(out, is_padded ? " " : "");
	for (size_t i = 0; i < in.size; i++) {
		char c = in.data[i];

		str_add(out, c == '|' ? "\\" : "");
		str_add_char(out, c == '\n' || c == '\t' ? ' ' : c);
	}
	str_add(out, is_padded ? " " : "");
	for (size_t i = 0; i < fence; i++)
		str_add_char(out, '`');
}

static void add_code(struct str *out, const char *in)
{
	SCOPED(str_release) struct str shown = { 0 };
	struct text text;

	utf8_add_visible(&shown, text_from(in));
	text = str_text(&shown);
	if (text_find(text, "\\|") == TEXT_NOWHERE) {
		add_span(out, text);
		return;
	}
	str_add(out, "<code>");
	add_escaped(out, in);
	str_add(out, "</code>");
}

static bool is_number(enum table_kind kind)
{
	return kind == TABLE_NUMBER || kind == TABLE_DECIMAL;
}

static bool is_shown(const struct table_column *column)
{
	return column->title && !table_kind_is_drawn(column->kind);
}

static void add_header(const struct table *table, struct str *line)
{
	str_add_char(line, '|');
	for (size_t i = 0; i < table->column_count; i++) {
		if (!is_shown(&table->columns[i]))
			continue;
		str_add_char(line, ' ');
		add_escaped(line, table->columns[i].title);
		str_add(line, " |");
	}
	str_add(line, "\n|");
	for (size_t i = 0; i < table->column_count; i++)
		if (is_shown(&table->columns[i]))
			str_add(line, is_number(table->columns[i].kind)
			                      ? " ---: |"
			                      : " --- |");
	str_add_char(line, '\n');
}

static void add_row(const struct table *table, size_t row, struct str *line)
{
	str_add_char(line, '|');
	for (size_t i = 0; i < table->column_count; i++) {
		const struct table_column *column = &table->columns[i];
		SCOPED(str_release) struct str value = { 0 };

		if (!is_shown(column))
			continue;
		table_add_value(column, table_cell(table, row, i), &value);
		str_add_char(line, ' ');
		if (value.size && is_number(column->kind)) {
			str_add_text(line, str_text(&value));
		} else if (value.size) {
			add_code(line, str_cstr(&value));
		}
		str_add(line, " |");
	}
	str_add_char(line, '\n');
}

static void markdown_table(const struct table *table,
                           const struct format_options *options UNUSED,
                           struct out *out)
{
	SCOPED(str_release) struct str text = { 0 };

	if (table->summary) {
		add_escaped(&text, table->summary);
		str_add_char(&text, '\n');
	}
	if (table->row_count) {
		str_add(&text, text.size ? "\n" : "");
		add_header(table, &text);
	}
	for (size_t row = 0; row < table->row_count; row++) {
		add_row(table, row, &text);
		out_add_bytes(out, text.data, text.size);
		str_clear(&text);
	}
	out_add_bytes(out, str_cstr(&text), text.size);
}

const struct formatter markdown_formatter = {
	.name = "markdown",
	.summary = "a table for comments and job summaries on GitHub",
	.extension = "md",
	.table = markdown_table,
};

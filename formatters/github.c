// SPDX-License-Identifier: MIT
/*
 * The `github` format: rows of a table as annotations of a GitHub Actions run,
 * `::error file=…,title=…::message`; see formatter.h for the columns.
 *
 * A runner executes lines that begin with `::`. Here every line does, and has a
 * single command: CR and LF are escaped in untrusted text, and other marks of
 * commands by the output.
 *
 * GitHub's own toolkit (actions/toolkit, packages/core/src/command.ts) escapes
 * the same characters.
 */
#include "formatters/formatter.h"
#include "formatters/table/marks.h"
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

static void add_properties(const struct table *table, size_t row,
                           struct str *out)
{
	static const char *const keys[] = { "file", "line", "title" };
	SCOPED(str_release) struct str value = { 0 };
	const char *before = " ";

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (!mark_value(table, row, keys[i], &value) &&
		    (strcmp(keys[i], "title") != 0 ||
		     !mark_value(table, row, "headline", &value)))
			continue;
		str_addf(out, "%s%s=", before, keys[i]);
		add_escaped(out, str_text(&value), "%\r\n:,");
		before = ",";
	}
}

static void github_table(const struct table *table,
                         const struct format_options *options UNUSED,
                         struct out *out)
{
	static const char *const names[] = {
		[MARK_NOTICE] = "notice",
		[MARK_WARNING] = "warning",
		[MARK_ERROR] = "error",
	};

	out_set_content(out, OUT_COMMANDS);
	for (size_t row = 0; row < table->row_count; row++) {
		SCOPED(str_release) struct str line = { 0 };
		SCOPED(str_release) struct str message = { 0 };
		enum mark_level level = mark_level_of(table, row);

		if (level == MARK_NONE)
			continue;
		str_addf(&line, "::%s", names[level]);
		add_properties(table, row, &line);
		str_add(&line, "::");
		mark_add_message(table, row, &message);
		add_data(&line, str_text(&message));
		str_add_char(&line, '\n');
		out_add_bytes(out, line.data, line.size);
	}
}

const struct formatter github_formatter = {
	.name = "github",
	.summary = "annotations of a GitHub Actions run",
	.table = github_table,
};

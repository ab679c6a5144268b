#include "cmd/run/names.h"

#include "cmd/run/lines.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/utf8.h"
#include "lib/symbols/demangle/running_text.h"

#include <stdlib.h>

/** A longer line is read in parts; a name across two of them stays mangled. */
#define LINE_MAX_BYTES ((size_t)1 << 20)

const struct table_column names_columns[NAMES_COLUMNS] = {
	[NAMES_NAME] = { "name", "name", TABLE_TEXT },
	[NAMES_MANGLED] = { "mangled", "mangled", TABLE_TEXT },
	[NAMES_LANGUAGE] = { "language", "language", TABLE_TEXT },
	[NAMES_KIND] = { "kind", "kind", TABLE_TEXT },
	[NAMES_MODULE] = { "module", "module", TABLE_TEXT },
	[NAMES_CONTEXT] = { "context", "context", TABLE_TEXT },
	[NAMES_BASE] = { "base", "base", TABLE_TEXT },
};

static void add_row(struct names *names, struct text name)
{
	struct demangled whole =
	        demangle_whole(name, names->form, &names->arena);
	struct table_cell *cells = table_add_row(names->table, &names->arena);

	table_set_text(&cells[NAMES_NAME], whole.name);
	table_set_text(&cells[NAMES_MANGLED], whole.mangled);
	table_set_text(&cells[NAMES_LANGUAGE], whole.language);
	table_set_text(&cells[NAMES_KIND], whole.parts.kind);
	table_set_text(&cells[NAMES_MODULE], whole.parts.module);
	table_set_text(&cells[NAMES_CONTEXT], whole.parts.context);
	table_set_text(&cells[NAMES_BASE], whole.parts.base);
}

static void print_name(struct names *names, struct text name)
{
	out_add_visible(names->out,
	                demangle_printed(name, names->form, &names->arena));
	arena_clear(&names->arena);
}

void names_take_operands(struct names *names, const struct command_line *line)
{
	for (size_t i = 0; i < line->operand_count; i++) {
		struct text name = text_from(line->operands[i]);

		if (names->table) {
			add_row(names, name);
			continue;
		}
		print_name(names, name);
		out_add(names->out, "\n");
	}
}

/** With its line ends, which are LF or CR LF. */
static void add_visible(struct out *out, struct text text)
{
	SCOPED(str_release) struct str shown = { 0 };

	while (text.size) {
		size_t plain = utf8_find_hidden(text, 0);
		uint32_t c;
		size_t hidden = utf8_decode(text, plain, &c);

		str_add_text(&shown, text_first(text, plain));
		text = text_after(text, plain);
		if (!hidden)
			hidden = 1;
		utf8_add_visible(&shown, text_first(text, hidden));
		text = text_after(text, hidden);
	}
	if (shown.size)
		out_add_bytes(out, shown.data, shown.size);
}

static void add_copied(struct names *names, struct text text)
{
	if (names->table)
		return;
	if (names->on_terminal)
		add_visible(names->out, text);
	else
		out_add_bytes(names->out, text.data, text.size);
}

static void take_text(struct names *names, struct text rest)
{
	struct text before, name;

	while (mangled_next(&rest, &before, &name)) {
		if (names->table) {
			add_row(names, name);
			continue;
		}
		add_copied(names, before);
		print_name(names, name);
	}
	add_copied(names, before);
}

struct error *names_take_stream(struct names *names)
{
	SCOPED(source_release) struct source source = { 0 };
	SCOPED(str_release) struct str block = { 0 };
	SCOPED(lines_release)
	struct lines lines = { .source = &source,
		               .at_once = true,
		               .longest = LINE_MAX_BYTES };
	struct error *err = source_open(&source, "-");
	size_t line;

	if (err)
		return err;
	while (lines_next(&lines, &block, &line)) {
		take_text(names, str_text(&block));
		if (!names->table)
			out_flush(names->out);
	}
	return source_take_error(&source);
}

void names_release(struct names *names)
{
	arena_release(&names->arena);
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/demangle.h"
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/copied.h"
#include "cmd/run/lines.h"
#include "cmd/run/options.h"
#include "cmd/run/output.h"
#include "cmd/run/symbol_paths.h"
#include "formatters/formatter.h"
#include "lib/base/str.h"
#include "lib/symbols/demangle/running_text.h"

#include <string.h>

struct demangle_settings {
	const char *format;
	unsigned form; ///< enum demangle_form
	const char *output;
};

static const struct option options[] = {
	OPT_DEMANGLE(struct demangle_settings, form),
	OPT_FORMAT(struct demangle_settings, format, SHAPE_TABLE, "text"),
	OPT_TEXT('o', "output", struct demangle_settings, output, "<file>",
	         "write to <file> instead of standard output"),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool demangle '$s8Checkout4CartC5totalSdyF'", "print one name" },
	{ "printf '0x10 T __ZN4Feed5parseEi\\n' | apmtool demangle",
	  "print the names in running text" },
	{ "apmtool demangle --format json _RNvNtC4demo4feed5parse",
	  "print what a name says, for programs" },
	{ NULL, NULL },
};

/** Longer lines are read in parts; a name across two parts stays mangled. */
#define LINE_MAX_BYTES ((size_t)1 << 20)

/** Zero-initialise, then set the first four. */
struct names {
	enum demangle_form form;
	struct out *out;     ///< output of text
	bool on_terminal;    ///< make control characters visible
	struct table *table; ///< output of rows; or NULL
	struct arena arena;  ///< of the rows, or of the current name
};

/** The columns of the table. */
enum {
	NAMES_NAME,
	NAMES_MANGLED,
	NAMES_LANGUAGE,
	NAMES_KIND,
	NAMES_MODULE,
	NAMES_CONTEXT,
	NAMES_BASE,
	NAMES_COLUMNS,
};

static const struct table_column names_columns[NAMES_COLUMNS] = {
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

/** Print a line or row for each operand, mangled or not. */
static void names_take_operands(struct names *names,
                                const struct command_line *line)
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

static void add_copied(struct names *names, struct text text)
{
	if (!names->table)
		copied_add(names->out, text, names->on_terminal);
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

/**
 * Read standard input as it arrives: text is copied with demangled names; a
 * table gets a row per name.
 */
static struct error *names_take_stream(struct names *names)
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

static void names_release(struct names *names)
{
	arena_release(&names->arena);
}

static enum exit_status demangle_run(const struct command_line *line)
{
	const struct demangle_settings *settings = line->settings;
	SCOPED(names_release)
	struct names names = { .form = settings->form };
	struct table table = { .name = "names",
		               .columns = names_columns,
		               .column_count = NAMES_COLUMNS };
	enum exit_status status =
	        output_open(&console, settings->output, &names.out);
	struct error *err = NULL;

	if (status != EXIT_DONE)
		return status;
	names.on_terminal = out_is_terminal(names.out);
	if (strcmp(settings->format, "text") != 0)
		names.table = &table;
	if (line->operand_count > 1 ||
	    (line->operand_count && strcmp(line->operands[0], "-") != 0))
		names_take_operands(&names, line);
	else
		err = names_take_stream(&names);
	if (names.table)
		formatter_find(settings->format)
		        ->table(&table, &(struct format_options){ 0 },
		                names.out);
	if (err) {
		notice_error(&console, NULL, err);
		error_free(err);
		status = EXIT_ALL_FAILED;
	}
	return output_finish(&console, names.out, status);
}

const struct command demangle_command = {
	.name = "demangle",
	.topic = COMMAND_SYMBOLS,
	.summary = "print Swift, Rust and C++ names as in the source",
	.operands = "[<name>...]",
	.description =
	        "Prints each name as it is written in the source, as Apple's "
	        "crash reports do. Without operands it is a "
	        "filter: text on standard input is copied, and each mangled "
	        "name in it is replaced.\n\n"
	        "A name that is not understood to its last letter stays as it "
	        "is.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct demangle_settings),
	.run = demangle_run,
};

#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/names.h"
#include "cmd/run/options.h"
#include "cmd/run/output.h"
#include "cmd/run/symbol_paths.h"
#include "formatters/formatter.h"

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

// SPDX-License-Identifier: MIT
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/output.h"
#include "cmd/run/run.h"
#include "formatters/table/formats.h"
#include "lib/analysis/symbolicate/slices.h"

struct uuid_settings {
	const char *arch;
	const char *format;
	struct text_width width;
};

static const struct option options[] = {
	OPT_TEXT('a', "arch", struct uuid_settings, arch, "<arch>",
	         "list only slices of <arch>, such as arm64 or x86_64"),
	OPT_FORMAT(struct uuid_settings, format, SHAPE_TABLE, "text"),
	OPT_WIDTH(struct uuid_settings, width),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool uuid samples/Demo.dSYM",
	  "print the UUID of each slice of a dSYM" },
	{ "apmtool uuid --arch arm64 samples",
	  "list everything in a directory for one architecture" },
	{ "apmtool uuid --format json samples/Demo.dSYM",
	  "the same as JSON, for programs" },
	{ NULL, NULL },
};

/** Add the slices of an operand to the table, and print its notes. */
static struct error *take_path(const char *path, void *context)
{
	struct slices *slices = context;
	struct error *err = slices_add(slices, path);

	for (size_t i = 0; i < slices->note_count; i++)
		notice_of_input(&console, NULL, &slices->notes[i]);
	slices->note_count = 0;
	return err;
}

static enum exit_status uuid_run(const struct command_line *line)
{
	const struct uuid_settings *settings = line->settings;
	const struct formatter *formatter = formatter_find(settings->format);
	SCOPED(slices_release) struct slices slices;
	const struct format_options format = {
		.columns = text_width_columns(&settings->width, line, NULL),
	};
	struct out *out;
	enum exit_status status;
	size_t failed;

	slices_init(&slices, settings->arch);
	status = output_open(&console, NULL, &out);
	if (status != EXIT_DONE)
		return status;
	failed = run_each_operand(line, take_path, &slices);
	// Text is what dwarfdump prints; many scripts read it.
	if (formatter == &text_formatter)
		text_uuids(&slices.table, &format, out);
	else
		formatter->table(&slices.table, &format, out);
	if (!slices.table.row_count)
		status = EXIT_ALL_FAILED;
	else if (failed || slices.damaged)
		status = EXIT_SOME_FAILED;
	return output_finish(&console, out, status);
}

const struct command uuid_command = {
	.name = "uuid",
	.topic = COMMAND_SYMBOLS,
	.summary = "print the UUIDs of Mach-O files and dSYMs",
	.operands = "<path>...",
	.description =
	        "Prints one line for each slice of each Mach-O file: UUID, "
	        "architecture and path, as `dwarfdump --uuid` does; and one "
	        "for "
	        "each GSYM file. A path is a file, a dSYM bundle, an archive "
	        "(.zip, .ipa, .tar.gz), or a "
	        "directory to search for all of these; other files in a "
	        "directory are skipped.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct uuid_settings),
	.run = uuid_run,
};

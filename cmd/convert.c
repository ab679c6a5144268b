// SPDX-License-Identifier: MIT
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/reports.h"
#include "cmd/run/symbol_paths.h"
#include "lib/analysis/symbolicate/device_names.h"

struct convert_settings {
	struct report_settings reports;
	unsigned form; ///< enum demangle_form
};

static const struct option options[] = {
	OPT_FORMAT(struct convert_settings, reports.format, SHAPE_REPORT,
	           "text"),
	OPT_DEMANGLE(struct convert_settings, form),
	OPT_REPORTS(struct convert_settings, reports),
	OPT_QUIET(struct convert_settings, reports.run),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool convert samples/demo.ips", "print an .ips file as Apple's "
	                                      "text" },
	{ "apmtool convert --format ips samples/demo.crash",
	  "print a text report as an .ips file" },
	{ "apmtool convert --format jsonl samples/demo.crash samples/demo.ips",
	  "as JSON, one report per line" },
	{ "apmtool convert --format json -o reports/ samples/demo-glued.txt && "
	  "ls reports",
	  "write a file per report into a directory" },
	{ "apmtool convert --style raw samples/demo-partly.crash",
	  "show addresses instead of names" },
	{ NULL, NULL },
};

static void print_names(struct report *const *reports, size_t count,
                        struct arena *arena, void *context)
{
	const enum demangle_form *form = context;

	device_names_demangle(reports, count, *form, arena);
}

static enum exit_status convert_run(const struct command_line *line)
{
	const struct convert_settings *settings = line->settings;
	enum demangle_form form = settings->form;
	SCOPED(report_run_release)
	struct report_run run = { .hook = print_names,
		                  .context = &form,
		                  .can_use_directory = true };
	enum exit_status status =
	        report_run_init(&run, line, &settings->reports);

	if (status != EXIT_DONE)
		return status;
	return report_run_finish(&run, report_run_all(&run));
}

const struct command convert_command = {
	.name = "convert",
	.topic = COMMAND_CRASH,
	.summary = "convert crash reports to another format",
	.operands = "[<report>...]",
	.description =
	        "Reads reports of any format, detected from the content, and "
	        "writes them as Apple's text, as Apple's JSON (.ips), or as "
	        "JSON for programs. No symbols are looked up: frames keep the "
	        "names that the report gives them. Directories are searched "
	        "recursively; `-` is standard input.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct convert_settings),
	.uses_config = true,
	.run = convert_run,
};

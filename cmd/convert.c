#include "cmd/command.h"
#include "cmd/run/reports.h"

struct convert_settings {
	struct report_settings reports;
};

static const struct option options[] = {
	OPT_CHOICE('t', "to", struct convert_settings, reports.format,
	           REPORT_FORMATS, "the form to write"),
	OPT_CHOICE_HAS(0, "style", struct convert_settings, reports.style,
	               reports.has_style, REPORT_STYLES,
	               "how text shows frames that have a name"),
	OPT_TEXT('o', "output", struct convert_settings, reports.output,
	         "<file>", "write to <file> instead"),
	OPT_FLAG('q', "quiet", struct convert_settings, reports.quiet,
	         "no warnings and notes, only errors"),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool convert samples/demo.ips", "an .ips file as Apple's text" },
	{ "apmtool convert --to ips samples/demo.crash",
	  "text as an .ips file" },
	{ "apmtool convert --to jsonl samples/demo.crash samples/demo.ips",
	  "as JSON, a line a report" },
	{ "apmtool convert --style raw samples/demo-partly.crash",
	  "take the names out again" },
	{ NULL, NULL },
};

static enum exit_status convert_run(const struct command_line *line)
{
	const struct convert_settings *settings = line->settings;
	SCOPED(report_run_release) struct report_run run = { 0 };
	enum exit_status status =
	        report_run_init(&run, line, &settings->reports);

	if (status != EXIT_DONE)
		return status;
	return report_run_finish(&run, report_run_all(&run));
}

const struct command convert_command = {
	.name = "convert",
	.summary = "write crash reports in another form",
	.operands = "[<report>...]",
	.description =
	        "Reads reports of any form, told by content, and writes them "
	        "as Apple's text,\nas Apple's JSON (.ips), or as JSON for "
	        "programs. Names no frames: what has a\nname keeps it. "
	        "Folders are walked; `-` is standard input.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct convert_settings),
	.uses_config = true,
	.run = convert_run,
};

#include "lib/analysis/crash/explain/explain.h"

#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/reports.h"
#include "cmd/run/symbol_search.h"
#include "lib/analysis/crash/explain/page.h"
#include "lib/analysis/jetsam/jetsam.h"

struct explain_settings {
	struct symbol_paths symbols;
	struct report_settings reports;
	unsigned form;  ///< enum demangle_form
	unsigned color; ///< enum console_color
};

static const struct option options[] = {
	OPT_SYMBOL_PATHS(struct explain_settings, symbols),
	OPT_FORMAT(struct explain_settings, reports.format, SHAPE_PAGE, "text"),
	OPT_DEMANGLE(struct explain_settings, form),
	OPT_CHOICE(0, "color", struct explain_settings, color, CONSOLE_COLORS,
	           "use colors; by default only on a terminal"),
	OPT_SELECTION(struct explain_settings, reports.run.selection),
	OPT_REDACT(struct explain_settings, reports.run.redact),
	OPT_WIDTH(struct explain_settings, reports.run.width),
	OPT_OUTPUT(struct explain_settings, reports.run),
	OPT_JOBS(struct explain_settings, reports.run),
	OPT_QUIET(struct explain_settings, reports.run),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool explain samples/demo.crash",
	  "what happened, where, and what to do next" },
	{ "apmtool explain --dsym samples samples/demo.ips",
	  "the same with the names of a dSYM" },
	{ "apmtool explain -q --format json samples/demo.crash | jq -r .cause",
	  "the cause as one word, for programs (apmtool.explain/1)" },
	{ NULL, NULL },
};

/** Names first: what inlined functions say is part of the answer. */
static void prepare(struct report *const *reports, size_t count,
                    struct arena *arena, void *context)
{
	static const struct jetsam_view view = { .top = 0 };
	struct symbol_search *search = context;

	symbol_search_name(search, reports, count, arena);
	for (size_t i = 0; i < count; i++)
		if (reports[i]->jetsam)
			jetsam_analyse(reports[i], arena, &view);
}

static const struct page *page_of(const struct report *report,
                                  struct arena *arena, void *context UNUSED)
{
	return explain_page(explain_report(report, arena), arena);
}

static enum exit_status explain_run(const struct command_line *line)
{
	const struct explain_settings *settings = line->settings;
	SCOPED(symbol_search_release)
	struct symbol_search search = { .form = settings->form };
	const struct command_line reports = symbol_search_split(&search, line);
	SCOPED(report_run_release)
	struct report_run run = { .hook = prepare,
		                  .page = page_of,
		                  .context = &search,
		                  .refuse = report_run_refuse_records };
	enum exit_status status =
	        report_run_init(&run, &reports, &settings->reports);

	if (status == EXIT_DONE)
		status = console_colors(
		        settings->color, settings->reports.format,
		        settings->reports.run.output, &run.documents.options);
	if (status != EXIT_DONE)
		return status;
	status = symbol_search_open(&search, &reports, &settings->symbols,
	                            run_jobs(line, &settings->reports.run),
	                            settings->reports.run.quiet);
	if (status != EXIT_DONE)
		return status;
	status = symbol_search_finish(&search, report_run_all(&run));
	return report_run_finish(&run, status);
}

const struct command explain_command = {
	.name = "explain",
	.summary = "explain what a report means, with the evidence",
	.operands = "[<report>...]",
	.description =
	        "Prints what ended the process, where, and what to do next, "
	        "then each claim with the lines or values of the report that "
	        "show it. A claim is certain, likely or possible; where the "
	        "report does not say enough, the answer is \"inconclusive\". "
	        "Reads every format (see apmtool-formats(5)). Directories are "
	        "searched recursively; `-`, or no operand, is standard "
	        "input.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct explain_settings),
	.uses_config = true,
	.run = explain_run,
};

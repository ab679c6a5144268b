// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/explain.h"

#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/frame_rules.h"
#include "cmd/run/reports.h"
#include "cmd/run/symbol_search.h"
#include "lib/analysis/crash/explain/page.h"
#include "lib/analysis/crash/explain/summary.h"
#include "lib/analysis/jetsam/jetsam.h"

struct explain_settings {
	struct symbol_paths symbols;
	struct option_list rules;
	struct report_settings reports;
	unsigned form;  ///< enum demangle_form
	unsigned color; ///< enum console_color
	bool summary;
};

static const struct option options[] = {
	OPT_SYMBOL_PATHS(struct explain_settings, symbols),
	OPT_FLAG(0, "summary", struct explain_settings, summary,
	         "print only how many reports have which cause"),
	OPT_FRAME_RULES(struct explain_settings, rules),
	OPT_FORMAT(struct explain_settings, reports.format,
	           SHAPE_PAGE | SHAPE_TABLE | SHAPE_COUNTS, "text"),
	OPT_DEMANGLE(struct explain_settings, form),
	OPT_CHOICE(0, "color", struct explain_settings, color, CONSOLE_COLORS,
	           "use colors; by default only on a terminal"),
	OPT_SOURCE_ROOT(struct explain_settings, reports),
	OPT_BULK(struct explain_settings, reports.run),
	OPT_SELECTION(struct explain_settings, reports.run.selection),
	OPT_REDACT(struct explain_settings, reports.run.redact),
	OPT_PATH_MAP(struct explain_settings, reports.run.path_map),
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
	{ "apmtool explain -q --summary samples",
	  "how many reports of a directory have which cause" },
	{ NULL, NULL },
};

struct explaining {
	struct symbol_search search;
	struct lag_rules rules;
	struct crash_functions functions;
	struct explain_summary summary;
	bool summary_only;
};

static void explaining_release(struct explaining *explaining)
{
	symbol_search_release(&explaining->search);
	lag_rules_release(&explaining->rules);
	crash_functions_release(&explaining->functions);
	explain_summary_release(&explaining->summary);
}

/** Symbolicate first: names of inlined functions are evidence. */
static void prepare(struct report *const *reports, size_t count,
                    struct arena *arena, void *context)
{
	static const struct jetsam_view view = { .top = 0 };
	struct explaining *explaining = context;

	symbol_search_name(&explaining->search, reports, count, arena);
	for (size_t i = 0; i < count; i++)
		if (reports[i]->jetsam)
			jetsam_analyse(reports[i], arena, &view);
	for (size_t i = 0; i < count && explaining->summary_only; i++)
		explain_summary_add(&explaining->summary,
		                    explain_report(reports[i],
		                                   &explaining->functions,
		                                   arena));
}

static const struct page *page_of(const struct report *report,
                                  struct arena *arena, void *context)
{
	struct explaining *explaining = context;
	const struct explanation *explanation =
	        explain_report(report, &explaining->functions, arena);

	explain_summary_add(&explaining->summary, explanation);
	return explain_page(explanation, arena);
}

/** Print the table, after answers for people or alone. */
static void print_summary(const struct explaining *explaining,
                          struct report_run *run)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct table *table =
	        explain_summary_table(&explaining->summary, &arena);
	struct page *page;

	if (explaining->summary_only) {
		run_print_table(run->documents.formatter, table,
		                &run->documents.options, run->run.out);
		return;
	}
	if (explaining->summary.reports < 2 ||
	    !run->documents.formatter->for_people)
		return;
	page = page_new(&arena, "explain-causes");
	page->title = "Causes";
	page_add_table(page, &arena, NULL, table, NULL);
	documents_add_page(&run->documents, page);
}

static enum exit_status explain_run(const struct command_line *line)
{
	const struct explain_settings *settings = line->settings;
	const struct formatter *formatter =
	        formatter_find(settings->reports.format);
	bool summary_only = settings->summary ||
	                    formatter_only_counts(formatter);
	SCOPED(explaining_release)
	struct explaining explaining = { .search.form = settings->form,
		                         .summary_only = summary_only };
	const struct command_line reports =
	        symbol_search_split(&explaining.search, line);
	SCOPED(report_run_release)
	struct report_run run = { .hook = prepare,
		                  .page = page_of,
		                  .context = &explaining,
		                  .refuse = report_run_refuse_records,
		                  .hook_only = summary_only };
	struct error *err =
	        frame_rules_read(&settings->rules, &explaining.rules, NULL);
	enum exit_status status;

	if (err)
		return notice_refuse(line->notices, err);
	explaining.functions.rules = &explaining.rules;
	status = report_run_init(&run, &reports, &settings->reports);
	if (status == EXIT_DONE)
		status = console_colors(
		        settings->color, settings->reports.format,
		        settings->reports.run.output, &run.documents.options);
	if (status != EXIT_DONE)
		return status;
	status = symbol_search_open(&explaining.search, &reports,
	                            &settings->symbols,
	                            run_jobs(line, &settings->reports.run),
	                            settings->reports.run.quiet);
	if (status != EXIT_DONE)
		return status;
	status = report_run_all(&run);
	if (status != EXIT_ALL_FAILED)
		print_summary(&explaining, &run);
	return report_run_finish(
	        &run, symbol_search_finish(&explaining.search, status));
}

const struct command explain_command = {
	.name = "explain",
	.topic = COMMAND_CRASH,
	.summary = "explain what a report means, with the evidence",
	.operands = "[<report>...]",
	.description =
	        "Prints what ended the process, where, and what to do next, "
	        "then each claim with the lines or values of the report that "
	        "show it. A claim is certain, likely or possible; where the "
	        "report does not say enough, the answer is \"inconclusive\". "
	        "Reads every format (see apmtool-formats(5)). Directories are "
	        "searched recursively; `-`, or no operand, is standard "
	        "input. Below several answers for people, text or html, a "
	        "table counts the causes; with --summary it is all that is "
	        "printed, in any format.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct explain_settings),
	.uses_config = true,
	.run = explain_run,
};

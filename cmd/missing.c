// SPDX-License-Identifier: MIT
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/reports.h"
#include "cmd/run/symbol_search.h"
#include "lib/analysis/symbolicate/nearest_symbols.h"

struct missing_settings {
	struct symbol_paths symbols;
	struct report_settings reports;
	bool all;
};

static const struct option options[] = {
	OPT_SYMBOL_PATHS(struct missing_settings, symbols),
	OPT_FORMAT(struct missing_settings, reports.format, SHAPE_TABLE,
	           "text"),
	OPT_WIDTH(struct missing_settings, reports.run.width),
	OPT_SELECTION(struct missing_settings, reports.run.selection),
	OPT_REDACT(struct missing_settings, reports.run.redact),
	OPT_OUTPUT(struct missing_settings, reports.run),
	OPT_FLAG('a', "all", struct missing_settings, all,
	         "also list images without frames, and each image of the "
	         "system"),
	OPT_JOBS(struct missing_settings, reports.run),
	OPT_QUIET(struct missing_settings, reports.run),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool missing samples/demo-mac.crash --dsym samples",
	  "check which images of a crash have symbols below a directory" },
	{ "apmtool missing --format github samples/demo.crash || true",
	  "annotate a GitHub Actions run with the missing dSYMs" },
	{ "apmtool missing --format json -d samples samples/demo-mac.crash",
	  "the same as JSON, for programs (apmtool.table/1)" },
	{ NULL, NULL },
};

/** Images of all reports so far. */
struct survey {
	struct symbol_search search;
	struct missing_symbols images;
	bool all;
};

static void survey_release(struct survey *survey)
{
	symbol_search_release(&survey->search);
	missing_symbols_release(&survey->images);
}

/**
 * Without images there is nothing to search, which must not look like "all is
 * well".
 */
static struct error *refuse_imageless(const struct report *first)
{
	size_t images = 0;

	for (const struct report *r = first; r; r = r->next)
		images += r->image_count;
	return images ? NULL
	              : error_new(ERROR_UNSUPPORTED,
	                          "the report lists no images");
}

static void survey_reports(struct report *const *reports, size_t count,
                           struct arena *arena, void *context)
{
	struct survey *survey = context;
	struct symbolicate_result result;

	symbol_search_begin(&survey->search, reports, count);
	symbolicate(reports, count, survey->search.store, survey->search.form,
	            arena, &result);
	missing_symbols_add(&survey->images, &result, MISSING_ALL);
	// Use all images of a list, as it has no frames.
	for (size_t i = 0; i < count; i++)
		if (survey->all || text_same(reports[i]->format, "image-list"))
			missing_symbols_add_frameless(&survey->images,
			                              &reports[i], 1,
			                              survey->search.store);
}

static enum exit_status print_answer(struct survey *survey,
                                     const struct report_run *run)
{
	size_t total, missing;

	nearest_symbols_find(&survey->images,
	                     symbol_store_index(survey->search.store));
	run_print_table(
	        run->documents.formatter,
	        missing_symbols_table(&survey->images,
	                              run->documents.formatter->for_people &&
	                                      !survey->all),
	        &run->documents.options, run->run.out);
	missing_symbols_count_app(&survey->images, &total, &missing);
	return missing ? EXIT_ANSWER_NO : EXIT_DONE;
}

static enum exit_status missing_run(const struct command_line *line)
{
	const struct missing_settings *settings = line->settings;
	SCOPED(survey_release)
	struct survey survey = {
		// Names are not printed.
		.search = { .form = DEMANGLE_NONE },
		.all = settings->all,
	};
	const struct command_line reports =
	        symbol_search_split(&survey.search, line);
	SCOPED(report_run_release)
	struct report_run run = { .hook = survey_reports,
		                  .context = &survey,
		                  .takes = YIELDS_ANY_REPORT | YIELDS_SAMPLES,
		                  .refuse_all = refuse_imageless,
		                  .hook_only = true };
	enum exit_status status, answer;

	status = report_run_init(&run, &reports, &settings->reports);
	if (status == EXIT_DONE)
		status = symbol_search_open(
		        &survey.search, &reports, &settings->symbols,
		        run_jobs(line, &settings->reports.run),
		        settings->reports.run.quiet);
	if (status != EXIT_DONE)
		return status;
	status = report_run_all(&run);
	if (status != EXIT_ALL_FAILED) {
		answer = print_answer(&survey, &run);
		if (status == EXIT_DONE)
			status = answer;
	}
	return report_run_finish(
	        &run, symbols_status(&console, survey.search.store,
	                             settings->reports.run.quiet, status));
}

const struct command missing_command = {
	.name = "missing",
	.topic = COMMAND_SYMBOLS,
	.summary = "show which dSYMs reports need, and which are missing",
	.operands = "[<report>...]",
	.description =
	        "Lists the images that have frames, and whether a file with "
	        "their symbols was found. Symbols are matched by UUID, never "
	        "by name. If only another build was found, it is named: build "
	        "412 was found, the report needs 413. Text and pages count "
	        "the images of the system instead of listing them, but for "
	        "--all. Exits with status 1 if "
	        "an image of the app has no symbols.\n\n"
	        "Reads the same reports and searches the same places as "
	        "`symbolicate`, and reads hang reports as `lag-aggregate` "
	        "does.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct missing_settings),
	.uses_config = true,
	.run = missing_run,
};

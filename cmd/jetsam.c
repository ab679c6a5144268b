// SPDX-License-Identifier: MIT
#include "lib/analysis/jetsam/jetsam.h"

#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/reports.h"
#include "lib/analysis/jetsam/evidence.h"
#include "lib/analysis/jetsam/page.h"
#include "lib/analysis/jetsam/trend.h"
#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/base/units.h"
#include "lib/darwin/bug_types.h"
#include "lib/darwin/products.h"
#include "lib/model/redact/redact.h"

#include <string.h>

#define TABLES "auto|limits|reasons"

enum which_table { TABLE_AUTO, TABLE_LIMITS, TABLE_REASONS };

/** Default number of processes on a page. */
#define TOP_OF_PAGE 10
/** Width of the chart of footprints, in columns. */
#define CHART_COLUMNS 60

struct jetsam_settings {
	struct report_settings reports;
	unsigned top;   ///< 0: not given
	unsigned sort;  ///< of JETSAM_SORTS
	unsigned table; ///< enum which_table
	unsigned color; ///< enum console_color
	const char *process;
	const char *limits;
	const char *fail_over;
	bool all;
	bool victims;
};

static const struct option options[] = {
	OPT_UINT('n', "top", struct jetsam_settings, top, 1, 0, "<count>",
	         "list the first <count> processes instead of 10"),
	OPT_CHOICE('s', "sort", struct jetsam_settings, sort, JETSAM_SORTS,
	           "sort order of the processes"),
	OPT_FLAG('a', "all", struct jetsam_settings, all, "list all processes"),
	OPT_FLAG(0, "victims", struct jetsam_settings, victims,
	         "list every process that was killed, in order, across the "
	         "logs"),
	OPT_TEXT('p', "process", struct jetsam_settings, process, "<name>",
	         "follow one process across the logs"),
	OPT_TEXT(0, "fail-over", struct jetsam_settings, fail_over,
	         "<mib|percent>",
	         "exit with status 1 if the process came closer to its limit "
	         "than this"),
	OPT_CHOICE(0, "table", struct jetsam_settings, table, TABLES,
	           "which table to print for several logs"),
	OPT_TEXT(0, "limits", struct jetsam_settings, limits, "<file>",
	         "read reference limits from a YAML file instead of the "
	         "built-in ones"),
	OPT_FORMAT(struct jetsam_settings, reports.format,
	           SHAPE_PAGE | SHAPE_TABLE | SHAPE_COUNTS, "text"),
	OPT_CHOICE(0, "color", struct jetsam_settings, color, CONSOLE_COLORS,
	           "use colors and bars; by default only on a terminal"),
	OPT_BULK(struct jetsam_settings, reports.run),
	OPT_SELECTION(struct jetsam_settings, reports.run.selection),
	OPT_REDACT(struct jetsam_settings, reports.run.redact),
	OPT_WIDTH(struct jetsam_settings, reports.run.width),
	OPT_OUTPUT(struct jetsam_settings, reports.run),
	OPT_JOBS(struct jetsam_settings, reports.run),
	OPT_QUIET(struct jetsam_settings, reports.run),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool jetsam samples/jetsam/limit.ips",
	  "who was killed, why, and what used the memory" },
	{ "apmtool jetsam --process Demo samples/jetsam/trend",
	  "one process across all logs of a directory" },
	{ "apmtool jetsam --victims samples/jetsam/pressure.ips",
	  "every kill, in order" },
	{ "apmtool jetsam -q --format json samples/jetsam/limit.ips | jq "
	  "'.jetsam.victims[].limit_bytes'",
	  "the limit, as JSON for programs" },
	{ NULL, NULL },
};

/** State of a run. */
struct survey {
	struct jetsam_view view;
	struct jetsam_trend trend;
	struct jetsam_gate gate;
	struct arena arena;
	struct limits limits;
	const char *copy; ///< the first log that is a duplicate; or NULL
	bool for_people;
};

static void survey_release(struct survey *survey)
{
	jetsam_trend_release(&survey->trend);
	arena_release(&survey->arena);
}

static struct error *refuse_others(const struct report *report,
                                   struct arena *arena)
{
	struct found found;

	if (report->jetsam || jetsam_has_evidence(report) ||
	    jetsam_is_termination(report))
		return NULL;
	found = found_report(report, arena);
	return found_refuse(&found, YIELDS_JETSAM);
}

static void survey_logs(struct report *const *reports, size_t count,
                        struct arena *arena, void *context)
{
	struct survey *survey = context;

	for (size_t i = 0; i < count; i++) {
		if (jetsam_is_termination(reports[i]))
			jetsam_take_termination(reports[i], arena);
		if (!reports[i]->jetsam) {
			jetsam_take_evidence(reports[i], arena);
			jetsam_trend_add_evidence(&survey->trend, reports[i]);
			continue;
		}
		jetsam_analyse(reports[i], arena, &survey->view);
		if (!jetsam_trend_add(&survey->trend, reports[i]) &&
		    !survey->copy)
			survey->copy =
			        arena_strdup(&survey->arena, reports[i]->input);
	}
}

static const struct page *page_of(const struct report *report,
                                  struct arena *arena, void *context)
{
	const struct survey *survey = context;

	if (!report->jetsam)
		return jetsam_evidence_page(report, survey->for_people, arena);
	return jetsam_page(report, survey->for_people, arena);
}

// Settings

static struct error *read_limits(const char *path, struct survey *survey)
{
	SCOPED(file_release) struct file_data file = { 0 };
	struct error *err;

	if (!path)
		return limits_parse(text_from(device_limits_text),
		                    "device-limits.yaml", &survey->arena,
		                    &survey->limits);
	err = file_read(path, limit_get(LIMIT_REPORT), &file);
	if (err && error_code(err) == ERROR_LIMIT)
		err = limit_error_of(LIMIT_REPORT, err);
	if (err)
		return err;
	return limits_parse(bytes_text(file.bytes), path, &survey->arena,
	                    &survey->limits);
}

/** Without a warning, a misspelled model would have no limit. */
static void warn_of_models(const char *path, const struct limits *limits)
{
	for (size_t i = 0; i < limits->count; i++)
		if (!darwin_is_model(limits->items[i].device))
			notice_warn(&console, path, "unknown device '%s'",
			            limits->items[i].device);
}

static enum exit_status prepare(const struct jetsam_settings *settings,
                                struct survey *survey)
{
	enum exit_status status = EXIT_DONE;
	struct error *err;

	if (settings->all && settings->top)
		return notice_usage(&console,
		                    "options '--all' and '--top' cannot be "
		                    "used together");
	if (settings->victims && settings->table != TABLE_AUTO)
		return notice_usage(&console,
		                    "options '--victims' and '--table' cannot "
		                    "be used together");
	if (settings->victims || (settings->process && !settings->table))
		status = run_check_counts(
		        &console, formatter_find(settings->reports.format),
		        settings->victims ? "--victims" : "--process",
		        settings->victims ? "kills" : "logs");
	if (status != EXIT_DONE)
		return status;
	if (settings->process && !*settings->process)
		return notice_usage(
		        &console,
		        "option '--process': expected a name, found ''");
	if (settings->fail_over && !settings->process)
		return notice_usage(&console,
		                    "option '--fail-over' needs '--process'");
	if (settings->fail_over &&
	    !jetsam_gate_read(settings->fail_over, &survey->gate))
		return notice_usage(&console,
		                    "option '--fail-over': expected MiB, or a "
		                    "percentage from 0 to 100 %%, found '%s'",
		                    settings->fail_over);
	err = read_limits(settings->limits, survey);
	// Read nothing while an option is wrong, as for a config file.
	if (err)
		return notice_refuse(&console, err);
	if (settings->limits && !settings->reports.run.quiet)
		warn_of_models(settings->limits, &survey->limits);
	survey->trend.process = settings->process;
	redaction_keep_process(settings->process);
	survey->trend.keeps_kills = settings->victims;
	survey->view.limits = &survey->limits;
	survey->view.sort = settings->sort;
	survey->view.top = settings->top;
	// Programs get all rows, people the first ones.
	survey->for_people =
	        formatter_find(settings->reports.format)->for_people;
	if (!settings->top && survey->for_people)
		survey->view.top = TOP_OF_PAGE;
	if (settings->all)
		survey->view.top = 0;
	return EXIT_DONE;
}

// Tables

/** Print the footprints as a line of blocks, only for people. */
static void add_chart(const struct survey *survey, size_t columns,
                      struct out *out)
{
	static const char title[] = "footprint over time: ";
	size_t room = columns ? columns - strlen(title) : CHART_COLUMNS;
	SCOPED(str_release) struct str chart = { 0 };

	if (survey->trend.point_count < 2)
		return;
	jetsam_trend_chart(&survey->trend,
	                   room < CHART_COLUMNS ? room : CHART_COLUMNS, &chart);
	out_addf(out, "\n%s%s\n", title, str_cstr(&chart));
}

static void print_table(const struct report_run *run, const struct table *table)
{
	run_print_table(run->documents.formatter, table,
	                &run->documents.options, run->run.out);
}

/** Print a page of the process, with a chart and tables. */
static void print_process_page(struct survey *survey,
                               const struct report_run *run)
{
	struct jetsam_trend *trend = &survey->trend;
	struct arena *arena = &survey->arena;
	struct page *page = page_new(arena, "jetsam-process");
	const struct table *table = jetsam_trend_process(trend, true, arena);

	if (redaction())
		table = table_redact(table, redaction(), arena);
	page->title = table->summary;
	if (trend->point_count > 1)
		page_add_table(
		        page, arena, "Footprint over time",
		        jetsam_trend_chart_table(trend, CHART_COLUMNS, arena),
		        NULL);
	page_add_table(page, arena, "Logs", table, NULL);
	page_add_table(page, arena, "Kills",
	               jetsam_trend_reasons(trend, true, arena),
	               jetsam_trend_summary(trend, arena));
	run->documents.formatter->page(page, &run->documents.options,
	                               run->run.out);
}

static void print_tables(struct survey *survey, unsigned which,
                         const struct report_run *run)
{
	struct jetsam_trend *trend = &survey->trend;
	bool for_people = survey->for_people;
	bool is_text = run->documents.formatter == &text_formatter;
	bool by_process = trend->process && which == TABLE_AUTO;

	if (trend->keeps_kills) {
		print_table(run, jetsam_trend_victims(trend, for_people,
		                                      &survey->arena));
		return;
	}
	// Of the other formats, only text can have several tables.
	if (by_process && run->documents.formatter->draws)
		print_process_page(survey, run);
	else if (by_process)
		print_table(run, jetsam_trend_process(trend, for_people,
		                                      &survey->arena));
	if (by_process && is_text)
		add_chart(survey, run->documents.options.columns, run->run.out);
	if (which == TABLE_LIMITS || (which == TABLE_AUTO && !trend->process))
		print_table(run, jetsam_trend_limits(trend, for_people,
		                                     &survey->arena));
	if (which == TABLE_AUTO && is_text)
		out_add(run->run.out, "\n");
	if (which == TABLE_REASONS || (which == TABLE_AUTO && is_text))
		print_table(run, jetsam_trend_reasons(trend, for_people,
		                                      &survey->arena));
	if (trend->dropped)
		notice_warn(&console, NULL,
		            "only the first %d limits and reasons are "
		            "counted separately",
		            JETSAM_TREND_ROWS_MAX);
}

static void explain_gate(const struct jetsam_point *closest,
                         enum jetsam_gate_answer answer, const char *process)
{
	SCOPED(str_release) struct str room = { 0 };
	SCOPED(str_release) struct str limit = { 0 };

	if (!closest->limit_bytes)
		notice_warn(&console, NULL,
		            "no log reveals the limit of '%s': the reference "
		            "limit is used",
		            process);
	if (answer != JETSAM_CLOSER)
		return;
	// Rounded down, so that 99.97 of 100 does not become 100.0.
	units_add_fixed(&room, (jetsam_point_room(closest) >> 10) * 10 / 1024,
	                10, 1);
	units_add_fixed(&limit, jetsam_point_limit(closest), UNITS_MIB, 1);
	notice_warn(&console, NULL,
	            "'%s' came too close to its limit: %s MiB left of %s MiB "
	            "(limit from %s) in %s",
	            process, str_cstr(&room), str_cstr(&limit),
	            !closest->limit_bytes      ? "the reference limits"
	            : closest->own_limit_bytes ? "this log"
	                                       : "another log",
	            closest->input ? closest->input : "-");
}

/** Answer the gate; after the table, which has the limits. */
static enum exit_status ask_gate(struct survey *survey,
                                 const struct jetsam_settings *settings)
{
	const struct jetsam_point *closest;
	enum jetsam_gate_answer answer;

	// The answer does not depend on the requested table.
	jetsam_trend_process(&survey->trend, false, &survey->arena);
	answer = jetsam_trend_gate(&survey->trend, &survey->gate, &closest);
	if (answer == JETSAM_NO_LIMIT)
		return notice_fail(
		        &console, NULL,
		        "the limit of '%s' is not known from any log: give it "
		        "with --limits",
		        settings->process);
	if (!settings->reports.run.quiet)
		explain_gate(closest, answer, settings->process);
	return answer == JETSAM_CLOSER ? EXIT_ANSWER_NO : EXIT_DONE;
}

/** If no log has the requested process, the answer is "no". */
static enum exit_status answer_process(struct survey *survey,
                                       const struct jetsam_settings *settings)
{
	if (settings->process && survey->trend.point_count &&
	    settings->fail_over)
		return ask_gate(survey, settings);
	if (!settings->process || survey->trend.point_count)
		return EXIT_DONE;
	// A misspelled name never passes the gate.
	if (survey->trend.nearest)
		notice_warn(&console, NULL,
		            "no log has the footprint of a process named "
		            "'%s'; did you mean '%s'?",
		            settings->process, survey->trend.nearest);
	else
		notice_warn(&console, NULL,
		            "no log has the footprint of a process named '%s'",
		            settings->process);
	return EXIT_ANSWER_NO;
}

/** Is the answer about all logs? */
static bool wants_tables(const struct jetsam_settings *settings,
                         const struct report_run *run)
{
	if (settings->process || settings->victims ||
	    settings->table != TABLE_AUTO ||
	    formatter_only_counts(run->documents.formatter))
		return true;
	// A directory may happen to have one log.
	return !run->documents.formatter->is_stream &&
	       (run->run.inputs.count + run->run.inputs.failed != 1 ||
	        (run->run.inputs.count &&
	         run->run.inputs.items[0].from_directory));
}

static enum exit_status jetsam_run(const struct command_line *line)
{
	const struct jetsam_settings *settings = line->settings;
	SCOPED(survey_release) struct survey survey = { 0 };
	SCOPED(report_run_release)
	struct report_run run = { .hook = survey_logs,
		                  .page = page_of,
		                  .context = &survey,
		                  .refuse = refuse_others,
		                  .wants = YIELDS_JETSAM };
	enum exit_status status = prepare(settings, &survey);
	enum exit_status answer = EXIT_DONE;

	if (status == EXIT_DONE)
		status = report_run_init(&run, line, &settings->reports);
	if (status == EXIT_DONE)
		status = console_colors(
		        settings->color, settings->reports.format,
		        settings->reports.run.output, &run.documents.options);
	if (status != EXIT_DONE)
		return status;
	run.hook_only = wants_tables(settings, &run);
	// Only reading shows whether a file has several logs.
	run.hook_only_several = !run.documents.formatter->is_stream;
	status = report_run_all(&run);
	if (run.hook_only && survey.copy && !settings->reports.run.quiet)
		notice_warn(&console, NULL,
		            "%zu log%s skipped as %s of the same incident: "
		            "%s%s",
		            survey.trend.copy_count,
		            text_plural(survey.trend.copy_count),
		            survey.trend.copy_count == 1 ? "a copy" : "copies",
		            survey.copy,
		            survey.trend.copy_count == 1 ? "" : " and others");
	if (run.hook_only && status != EXIT_ALL_FAILED)
		print_tables(&survey, settings->table, &run);
	if (status != EXIT_ALL_FAILED)
		answer = answer_process(&survey, settings);
	if (status == EXIT_DONE)
		status = answer;
	return report_run_finish(&run, status);
}

const struct command jetsam_command = {
	.name = "jetsam",
	.topic = COMMAND_MEMORY,
	.summary = "show what jetsam killed, why, and what used the memory",
	.operands = "[<report>...]",
	.description =
	        "For one jetsam log (JetsamEvent), prints the verdict, the "
	        "memory of the device, and the processes by footprint. For "
	        "several logs, prints the limits that they reveal and the "
	        "reasons for the kills; with --process, one process over "
	        "time.\n\nA limit is known only from a per-process-limit "
	        "kill. A reference limit, measured by others on the same "
	        "device model, is shown beside it. Directories are searched "
	        "recursively; `-`, or no operand, is standard input.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct jetsam_settings),
	.run = jetsam_run,
};

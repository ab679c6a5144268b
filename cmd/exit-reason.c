// SPDX-License-Identifier: MIT
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/frame_rules.h"
#include "cmd/run/run.h"
#include "lib/analysis/crash/signature/functions.h"
#include "lib/analysis/session/survey.h"
#include "lib/base/intern.h"
#include "parsers/lag/lag.h"
#include "parsers/reader.h"

struct exit_reason_settings {
	struct run_settings run;
	const char *format;
};

static const struct option options[] = {
	OPT_FORMAT(struct exit_reason_settings, format, SHAPE_TABLE, "text"),
	OPT_WIDTH(struct exit_reason_settings, run.width),
	OPT_REDACT(struct exit_reason_settings, run.redact),
	OPT_OUTPUT(struct exit_reason_settings, run),
	OPT_QUIET(struct exit_reason_settings, run),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool exit-reason samples/session/foreground.json",
	  "why the last session ended, from its record alone" },
	{ "apmtool exit-reason samples/session/*.plist "
	  "samples/jetsam/limit.ips",
	  "the same, with a jetsam log as better evidence" },
	{ "apmtool exit-reason samples/session/killed.plist "
	  "samples/demo.ips",
	  "the same, with a crash report" },
	{ "apmtool exit-reason samples/session/stalled.plist "
	  "samples/lag/matrix-lag.json",
	  "the lag report of the hang that the session was killed in" },
	{ "apmtool exit-reason --format json samples/session/*.json",
	  "the same as JSON, for programs (apmtool.table/1)" },
	{ NULL, NULL },
};

/** State of reading an input. */
struct reading {
	struct run *run;
	struct exit_survey *survey;
	struct lag_reader samples;
	const char *path;
	const char *member;   ///< current file of an archive
	const char *name;     ///< path, and member
	size_t count;         ///< lag reports
	struct error *failed; ///< the first unreadable lag report; or NULL
};

/** Name of the current input, which may be a file of an archive. */
static const char *name_input(struct reading *reading, const struct sink *sink)
{
	if (reading->member == sink->member)
		return reading->name;
	reading->member = sink->member;
	reading->name = arena_printf(sink->arena, "%s: %s", reading->path,
	                             sink->member);
	return reading->name;
}

static void take_lag(struct lag_report *report, void *context)
{
	struct reading *reading = context;

	// A file of them is one log.
	reading->survey->log_count += !reading->count++;
	exit_lags_add_line(&reading->survey->lags,
	                   name_input(reading, reading->samples.sink),
	                   report->line, report->session, report->app);
}

static void fail_lag(size_t line, struct error *err, void *context)
{
	struct reading *reading = context;
	const char *member = reading->samples.sink->member;

	err = error_prefix(err, "line %zu", line);
	if (member)
		err = error_prefix(err, "%s", member);
	error_keep_first(&reading->failed, err);
}

static void take_records(const struct session_file *file,
                         const struct sink *sink)
{
	struct reading *reading = sink->context;

	exit_survey_add_records(reading->survey, name_input(reading, sink),
	                        file);
}

static void take_notice(const struct notice *notice, const struct sink *sink)
{
	const struct reading *reading = sink->context;

	run_print_notes(reading->run, reading->path, notice, 1,
	                reading->run->settings->quiet);
}

#define WANTS (YIELDS_SESSIONS | YIELDS_JETSAM)

/**
 * Take reports: jetsam logs and crash reports are evidence, lag reports may be.
 * Others in an archive are skipped, as in a directory.
 */
static struct error *take_reports(const struct reading *reading,
                                  struct report *reports, struct arena *arena)
{
	for (const struct report *r = reports; r; r = r->next) {
		struct found found;

		// Any report may have the note about files lost in its archive.
		if (r->member)
			run_print_notes(reading->run, reading->path, r->notes,
			                r->note_count, true);
		if (r->member || exit_survey_takes(r))
			continue;
		found = found_report(r, arena);
		return found_refuse(&found, WANTS);
	}
	exit_survey_add_logs(reading->survey, reading->path, reports, arena);
	return NULL;
}

/** @param context  A struct reading without an input. */
static struct error *take_input(struct bytes in, const char *path,
                                void *context)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(intern_release) struct intern names = { 0 };
	struct reading reading = *(const struct reading *)context;
	struct sink sink = {
		.arena = &arena,
		.lasting = &reading.survey->arena,
		.takes = WANTS | YIELDS_REPORTS | YIELDS_SAMPLES,
		.wants = WANTS,
		.context = &reading,
		.samples = &reading.samples,
		.sessions = take_records,
		.notice = take_notice,
	};
	struct error *err;

	reading.path = reading.name = path;
	lag_reader_init(&reading.samples, &names, take_lag, fail_lag, &reading);
	err = read_input(in, &sink);
	lag_reader_release(&reading.samples);
	// A damaged tail does not discard what was read.
	error_keep_first(&err, reading.failed);
	error_keep_first(&err, take_reports(&reading, sink.first, &arena));
	return err;
}

/** Without a record there is no answer; print what the inputs are instead. */
static enum exit_status refuse_recordless(const struct exit_survey *survey,
                                          const struct run *run)
{
	if (!run->inputs.count && !run->failed)
		notice_fail(&console, NULL,
		            "nothing to read: no file was found");
	else if (survey->log_count || !run->failed)
		notice_fail(&console, NULL,
		            "no last-session record among the files");
	return EXIT_ALL_FAILED;
}

static enum exit_status exit_reason_run(const struct command_line *line)
{
	const struct exit_reason_settings *settings = line->settings;
	SCOPED(exit_survey_release) struct exit_survey survey = { 0 };
	SCOPED(lag_rules_release) struct lag_rules rules = { 0 };
	SCOPED(crash_functions_release)
	struct crash_functions functions = { .rules = &rules };
	SCOPED(run_release) struct run run = { 0 };
	struct reading reading = { .run = &run, .survey = &survey };
	const struct format_options format = {
		.columns = text_width_columns(&settings->run.width, line,
		                              settings->run.output),
	};
	const struct notice *notes;
	size_t count;
	struct error *err = frame_rules_read(NULL, &rules, NULL);
	enum exit_status status;

	if (err)
		return notice_refuse(line->notices, err);
	survey.functions = &functions;
	status = run_init(&run, line, &settings->run);
	if (status != EXIT_DONE)
		return status;
	run_each_whole(&run, take_input, &reading);
	if (!survey.count)
		return refuse_recordless(&survey, &run);
	// Lost records make the run fail: print them in any case.
	notes = exit_survey_notes(&survey, settings->run.quiet, &count);
	for (size_t i = 0; i < count; i++)
		notice_of_input(&console, NULL, &notes[i]);
	run.failed += survey.damaged_count;
	run_print_table(formatter_find(settings->format),
	                exit_survey_table(&survey), &format, run.out);
	return run_finish(&run, run.failed || run.has_failed_part
	                                ? EXIT_SOME_FAILED
	                                : EXIT_DONE);
}

const struct command exit_reason_command = {
	.name = "exit-reason",
	.topic = COMMAND_CRASH,
	.summary = "determine why the last session of an app ended",
	.operands = "[<file>...]",
	.description =
	        "Reads what an app recorded about its last session "
	        "(`foomDict`, JSON or a property list, or KSCrash's "
	        "`CrashState.json`), determines by elimination why the "
	        "session ended, and prints the fields that the verdict is "
	        "based on. A verdict is called \"likely\" if it is merely "
	        "left over, or if the record does not rule out each cause "
	        "before it. If a jetsam log among the files shows that the "
	        "process was killed, or a crash report how it ended, that "
	        "takes precedence. Of "
	        "lag reports among the files, the last of a session that was "
	        "killed in a hang is marked as stalled to death. "
	        "Directories are searched recursively; `-`, or no operand, is "
	        "standard input.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct exit_reason_settings),
	.run = exit_reason_run,
};

#include "cmd/command.h"
#include "cmd/run/console.h"
#include "cmd/run/run.h"
#include "lib/analysis/session/survey.h"
#include "lib/base/intern.h"
#include "parsers/foreign.h"
#include "parsers/lag/lag.h"
#include "parsers/parser.h"
#include "parsers/session/record.h"

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
	{ "apmtool exit-reason samples/session/stalled.plist "
	  "samples/lag/matrix-lag.json",
	  "the lag report of the hang that the session was killed in" },
	{ "apmtool exit-reason --format json samples/session/*.json",
	  "the same as JSON, for programs (apmtool.table/1)" },
	{ NULL, NULL },
};

/** An input of many lag reports. */
struct lags {
	struct exit_survey *survey;
	const char *path;
	size_t count;
	struct error *failed; ///< the first; NULL: none
};

static void take_lag(struct lag_report *report, void *context)
{
	struct lags *lags = context;

	lags->count++;
	exit_lags_add_line(&lags->survey->lags, lags->path, report->line,
	                   report->session, report->app);
}

static void fail_lag(size_t line, struct error *err, void *context)
{
	struct lags *lags = context;

	if (lags->failed)
		error_free(err);
	else
		lags->failed = error_prefix(err, "line %zu", line);
}

static struct error *read_lags(struct text in, const char *path,
                               struct exit_survey *survey)
{
	SCOPED(intern_release) struct intern names = { 0 };
	struct lags lags = { .survey = survey, .path = path };
	struct error *err =
	        lag_read_whole(in, &names, take_lag, fail_lag, &lags);

	survey->log_count += lags.count > 0;
	// Of what was read, a damaged rest takes nothing away.
	if (!err)
		err = lags.failed;
	else
		error_free(lags.failed);
	return err;
}

#define INSTEAD "neither a last-session record nor a jetsam log, but "

/** JSON of other tools lacks the keys of a record, and is not meant as one. */
static struct error *explain_refusal(struct error *err, struct bytes in)
{
	struct error *other = foreign_tool(bytes_text(in));

	if (!other)
		return err;
	error_free(err);
	return foreign_reword(other, INSTEAD);
}

/**
 * A record, a jetsam log or a lag report; what parsers say of others, in our
 * words.
 */
static struct error *take_input(struct bytes in, const char *path,
                                void *context)
{
	struct exit_survey *survey = context;
	SCOPED(arena_release) struct arena arena = { 0 };
	struct session_file file = { 0 };
	enum lag_format format =
	        lag_format_of(text_first(bytes_text(in), LAG_HEAD_BYTES));
	struct report *reports;
	struct error *err;

	if (format == LAG_FORMAT_DOCUMENTS || format == LAG_FORMAT_LINES)
		return read_lags(bytes_text(in), path, survey);
	if (!session_record_is_plist(in)) {
		err = parser_read(in, &arena, &reports);
		// A session may record its memory, too.
		if (!err && !(report_is_memory_record(reports) &&
		              session_record_is_json(in)))
			return exit_survey_add_logs(survey, path, reports,
			                            &arena);
		if (!session_record_is_json(in))
			return foreign_reword(err, INSTEAD);
		error_free(err);
	}
	err = session_record_parse(in, &survey->arena, &file);
	if (err)
		return explain_refusal(err, in);
	exit_survey_add_records(survey, path, &file);
	return NULL;
}

/** Without a record there is no answer; say what there is instead. */
static enum exit_status refuse_recordless(const struct exit_survey *survey,
                                          const struct run *run)
{
	if (!run->inputs.count && !run->failed)
		console_fail("nothing to read: no file was found");
	else if (survey->log_count || !run->failed)
		console_fail("no last-session record among the files");
	return EXIT_ALL_FAILED;
}

static enum exit_status exit_reason_run(const struct command_line *line)
{
	const struct exit_reason_settings *settings = line->settings;
	SCOPED(exit_survey_release) struct exit_survey survey = { 0 };
	SCOPED(run_release) struct run run = { 0 };
	const struct format_options format = {
		.columns = console_columns(&settings->run.width,
		                           settings->run.output),
	};
	const struct note *notes;
	size_t count;
	enum exit_status status = run_init(&run, line, &settings->run);

	if (status != EXIT_DONE)
		return status;
	run_each_whole(&run, take_input, &survey);
	if (!survey.count)
		return refuse_recordless(&survey, &run);
	// What is lost makes the run fail: that is said in any case.
	notes = exit_survey_notes(&survey, settings->run.quiet, &count);
	console_notes("", notes, count, false);
	run.failed += survey.damaged_count;
	run_print_table(formatter_find(settings->format),
	                exit_survey_table(&survey), &format, run.out);
	return run_finish(&run, run.failed || run.has_failed_part
	                                ? EXIT_SOME_FAILED
	                                : EXIT_DONE);
}

const struct command exit_reason_command = {
	.name = "exit-reason",
	.summary = "determine why the last session of an app ended",
	.operands = "[<file>...]",
	.description =
	        "Reads what an app recorded about its last session "
	        "(`foomDict`, JSON or a property list), determines by "
	        "elimination why the session ended, and prints the fields "
	        "that the verdict is based on. A verdict that is merely left "
	        "over is called \"likely\". If a jetsam log among the files "
	        "shows that the process was killed, it takes precedence. Of "
	        "lag reports among the files, the last of a session that was "
	        "killed in a hang is marked as stalled to death. "
	        "Directories are searched recursively; `-`, or no operand, is "
	        "standard input.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct exit_reason_settings),
	.run = exit_reason_run,
};

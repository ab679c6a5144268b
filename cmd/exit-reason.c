#include "cmd/command.h"
#include "cmd/run/console.h"
#include "cmd/run/notes.h"
#include "cmd/run/run.h"
#include "lib/analysis/session/survey.h"
#include "parsers/foreign.h"
#include "parsers/parser.h"
#include "parsers/session/record.h"

struct exit_reason_settings {
	struct run_settings run;
	const char *format;
};

static const struct option options[] = {
	OPT_FORMAT("format", struct exit_reason_settings, format, SHAPE_TABLE,
	           "text"),
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
	{ "apmtool exit-reason --format json samples/session/*.json",
	  "the same as JSON, for programs (apmtool.table/1)" },
	{ NULL, NULL },
};

/** A record, or a jetsam log; what parsers say of others, in our words. */
static struct error *take_input(struct bytes in, const char *path,
                                void *context)
{
	struct exit_survey *survey = context;
	SCOPED(arena_release) struct arena arena = { 0 };
	struct session_file file = { 0 };
	struct report *reports;
	struct error *err;

	if (!session_record_is_plist(in)) {
		err = parser_read(in, &arena, &reports);
		if (!err)
			return exit_survey_add_logs(survey, path, reports,
			                            &arena);
		if (!session_record_is_json(in))
			return foreign_reword(
			        err, "neither a last-session record nor a "
			             "jetsam log, but ");
		error_free(err);
	}
	err = session_record_parse(in, &survey->arena, &file);
	if (!err)
		exit_survey_add_records(survey, path, &file);
	return err;
}

/** Without a record there is no answer; say what there is instead. */
static enum exit_status refuse_recordless(const struct exit_survey *survey,
                                          const struct run *run)
{
	if (!run->inputs.count && !run->failed)
		console_warn("nothing to read: no file was found");
	else if (survey->log_count || !run->failed)
		console_warn("no last-session record among the files");
	return EXIT_ALL_FAILED;
}

static enum exit_status exit_reason_run(const struct command_line *line)
{
	const struct exit_reason_settings *settings = line->settings;
	SCOPED(exit_survey_release) struct exit_survey survey = { 0 };
	SCOPED(run_release) struct run run = { 0 };
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
	notes_print("", notes, count);
	run.failed += survey.damaged_count;
	formatter_find(settings->format)
	        ->table(exit_survey_table(&survey),
	                &(const struct format_options){ 0 }, run.out);
	return run_finish(&run, run.failed ? EXIT_SOME_FAILED : EXIT_DONE);
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
	        "shows that the process was killed, it takes precedence. "
	        "Directories are searched recursively; `-`, or no operand, is "
	        "standard input.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct exit_reason_settings),
	.run = exit_reason_run,
};

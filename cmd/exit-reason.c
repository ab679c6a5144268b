#include "lib/analysis/session/exit_reason.h"

#include "cmd/command.h"
#include "cmd/run/run.h"
#include "lib/analysis/jetsam/jetsam.h"
#include "lib/base/mem.h"
#include "lib/model/table.h"
#include "parsers/foreign.h"
#include "parsers/parser.h"
#include "parsers/session/record.h"

#include <stdlib.h>

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

enum {
	COLUMN_FILE,
	COLUMN_RECORD,
	COLUMN_VERDICT,
	COLUMN_REASON,
	COLUMN_LIKELY,
	COLUMN_EVIDENCE,
	COLUMN_COUNT
};

static const struct table_column columns[COLUMN_COUNT] = {
	[COLUMN_FILE] = { "file", "file", TABLE_TEXT },
	[COLUMN_RECORD] = { "record", "record", TABLE_NUMBER },
	[COLUMN_VERDICT] = { "verdict", "verdict", TABLE_TEXT },
	[COLUMN_REASON] = { "reason", NULL, TABLE_TEXT },
	[COLUMN_LIKELY] = { "likely", NULL, TABLE_BOOL },
	[COLUMN_EVIDENCE] = { "evidence", "evidence", TABLE_TEXT },
};

/** The records of an input. */
struct finding {
	const char *path;
	struct session_file file;
};

/**
 * All inputs of a run. A log may come before or after its record, so records
 * and victims are kept; the logs are not.
 */
struct survey {
	struct arena arena;
	struct finding *findings;
	size_t count;
	size_t cap;
	struct exit_kills kills;
	size_t log_count;
};

static void survey_release(struct survey *survey)
{
	arena_release(&survey->arena);
	exit_kills_release(&survey->kills);
	free(survey->findings);
}

static struct error *take_logs(struct report *reports, const char *path,
                               struct arena *arena, struct survey *survey)
{
	static const struct jetsam_view view = { .top = 1 };

	for (struct report *r = reports; r; r = r->next)
		if (!r->jetsam)
			return error_new(ERROR_UNSUPPORTED,
			                 "neither a last-session record nor a "
			                 "jetsam log, but a report");
	for (struct report *r = reports; r; r = r->next) {
		jetsam_analyse(r, arena, &view);
		exit_kills_add(&survey->kills, r, path);
	}
	survey->log_count++;
	return NULL;
}

/** A record, or a jetsam log; what parsers say of others, in our words. */
static struct error *read_record(struct bytes in, const char *path,
                                 struct survey *survey,
                                 struct session_file *ret)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *reports;
	struct error *err;

	if (!session_record_is_plist(in)) {
		err = parser_read(in, &arena, &reports);
		if (!err)
			return take_logs(reports, path, &arena, survey);
		if (!session_record_is_json(in))
			return foreign_reword(
			        err, "neither a last-session record nor a "
			             "jetsam log, but ");
		error_free(err);
	}
	return session_record_parse(in, &survey->arena, ret);
}

static struct error *take_input(struct bytes in, const char *path,
                                void *context)
{
	struct survey *survey = context;
	struct finding finding = { .path = path };
	struct error *err = read_record(in, path, survey, &finding.file);

	if (err || !finding.file.first)
		return err;
	MEM_GROW(survey->findings, survey->count, survey->cap);
	survey->findings[survey->count++] = finding;
	return NULL;
}

static void add_row(struct survey *survey, const char *path,
                    const struct session *session, struct table *table)
{
	struct exit_answer answer;
	struct table_cell *row = table_add_row(table, &survey->arena);
	const char *name;

	exit_reason_of_session(session, &survey->arena, &answer);
	exit_reason_use_logs(session, &survey->kills, &survey->arena, &answer);
	name = exit_reason_name(answer.reason);
	table_set_text(&row[COLUMN_FILE], path);
	table_set_number(&row[COLUMN_RECORD], session->index + 1);
	table_set_text(&row[COLUMN_VERDICT],
	               answer.likely
	                       ? arena_printf(&survey->arena, "likely %s", name)
	                       : name);
	table_set_text(&row[COLUMN_REASON], name);
	table_set_number(&row[COLUMN_LIKELY], answer.likely);
	table_set_text(&row[COLUMN_EVIDENCE], answer.evidence);
}

static void print_notes(const struct finding *finding, bool quiet)
{
	const struct session_file *file = &finding->file;

	// What is lost makes the run fail: that is said in any case.
	for (size_t i = 0; i < file->note_count && (file->lost || !quiet); i++)
		command_warn("%s: %s", finding->path, file->notes[i]);
	if (quiet)
		return;
	for (const struct session *s = file->first; s; s = s->next)
		for (size_t i = 0; i < s->note_count; i++)
			command_warn("%s: record %zu: %s", finding->path,
			             s->index + 1, s->notes[i]);
}

static void add_answers(struct survey *survey, struct run *run,
                        struct table *table)
{
	for (size_t i = 0; i < survey->count; i++) {
		const struct finding *finding = &survey->findings[i];

		print_notes(finding, run->settings->quiet);
		// What is lost of a file is an input that failed.
		run->failed += finding->file.lost > 0;
		for (const struct session *s = finding->file.first; s;
		     s = s->next)
			add_row(survey, finding->path, s, table);
	}
}

/** Without a record there is no answer; say what there is instead. */
static enum exit_status refuse_recordless(const struct survey *survey,
                                          const struct run *run)
{
	if (!run->inputs.count && !run->failed)
		command_warn("nothing to read: no file was found");
	else if (survey->log_count || !run->failed)
		command_warn("no last-session record among the files");
	return EXIT_ALL_FAILED;
}

static enum exit_status exit_reason_run(const struct command_line *line)
{
	const struct exit_reason_settings *settings = line->settings;
	SCOPED(survey_release) struct survey survey = { 0 };
	SCOPED(run_release) struct run run = { 0 };
	struct table table = { .name = "exit-reasons",
		               .columns = columns,
		               .column_count = COLUMN_COUNT };
	enum exit_status status = run_init(&run, line, &settings->run);

	if (status != EXIT_DONE)
		return status;
	run_each_whole(&run, take_input, &survey);
	if (!survey.count)
		return refuse_recordless(&survey, &run);
	add_answers(&survey, &run, &table);
	formatter_find(settings->format)
	        ->table(&table, &(const struct format_options){ 0 }, run.out);
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

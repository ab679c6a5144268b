#include "lib/analysis/session/exit_reason.h"

#include "cmd/command.h"
#include "cmd/run/inputs.h"
#include "lib/analysis/jetsam/jetsam.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "lib/model/table.h"
#include "lib/text/gzip.h"
#include "parsers/foreign.h"
#include "parsers/parser.h"
#include "parsers/session/record.h"

#include <stdlib.h>

struct exit_reason_settings {
	const char *format;
	const char *output;
	bool quiet;
};

static const struct option options[] = {
	OPT_FORMAT("format", struct exit_reason_settings, format, SHAPE_TABLE,
	           "text"),
	OPT_TEXT('o', "output", struct exit_reason_settings, output, "<file>",
	         "write to <file> instead of standard output"),
	OPT_FLAG('q', "quiet", struct exit_reason_settings, quiet,
	         "print errors only, no warnings or notes"),
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
 * All inputs of a run. A log may stand before or after its record, so records
 * and victims are kept; the logs are not.
 */
struct survey {
	struct arena arena;
	struct inputs inputs;
	struct finding *findings;
	size_t count;
	size_t cap;
	struct exit_kills kills;
	size_t log_count;
	size_t failed;
};

static void survey_release(struct survey *survey)
{
	arena_release(&survey->arena);
	inputs_release(&survey->inputs);
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

/** Could it be a record in JSON? */
static bool is_like_json(struct bytes in)
{
	struct text text = text_trim_left(bytes_text(in));

	return text_starts(text, "{") || text_starts(text, "[");
}

/** What parsers say of an input that is no report, in our words. */
static struct error *refuse(struct error *err)
{
	return foreign_reword(
	        err, "neither a last-session record nor a jetsam log, but ");
}

static struct error *read_bytes(struct bytes in, const char *path,
                                struct survey *survey, struct session_file *ret)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *reports;
	const char *note = NULL;
	struct error *err;

	if (!session_record_is_plist(in))
		in = bytes_from_text(parser_decode(in, &arena, &note));
	if (!session_record_is_plist(in)) {
		err = parser_read(in, &arena, &reports);
		if (!err)
			return take_logs(reports, path, &arena, survey);
		// The error says what the input is instead.
		if (!is_like_json(in))
			return refuse(err);
		error_free(err);
	}
	return session_record_parse(in, &survey->arena, ret);
}

static struct error *read_input(const char *path, struct survey *survey)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(gzip_release) struct gzip gzip = { 0 };
	struct finding finding = { .path = path };
	struct error *err = file_read(path, FILE_REPORT_LIMIT_BYTES, &file);
	bool is_packed = !err && gzip_is(file.bytes);

	if (err)
		return err;
	if (is_packed)
		err = gzip_inflate(file.bytes, FILE_REPORT_LIMIT_BYTES, &gzip);
	if (!err)
		err = read_bytes(is_packed ? gzip.bytes : file.bytes, path,
		                 survey, &finding.file);
	if (err)
		return error_prefix(err, "%s", path);
	if (gzip.fault)
		command_warn("%s: %s", path, gzip.fault);
	if (!finding.file.first)
		return NULL;
	MEM_GROW(survey->findings, survey->count, survey->cap);
	survey->findings[survey->count++] = finding;
	return NULL;
}

/** A folder may hold other things than ours. */
static bool is_foreign(const struct input *input, const struct error *err)
{
	return input->from_folder && (error_code(err) == ERROR_UNSUPPORTED ||
	                              error_code(err) == ERROR_NOT_FOUND);
}

static void read_inputs(struct survey *survey)
{
	const struct inputs *inputs = &survey->inputs;

	for (size_t i = 0; i < inputs->count; i++) {
		const struct input *input = &inputs->items[i];
		SCOPED(error_drop)
		struct error *err = read_input(input->path, survey);

		if (!err)
			continue;
		if (is_foreign(input, err))
			continue;
		command_error(err);
		survey->failed++;
	}
}

static void add_row(struct survey *survey, const char *path,
                    const struct session *session, struct table *table)
{
	struct exit_answer answer;
	struct table_cell *row = table_add_row(table, &survey->arena);
	const char *name;

	exit_reason_of_session(session, &survey->arena, &answer);
	exit_reason_heed_logs(session, &survey->kills, &survey->arena, &answer);
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

	// What is lost makes the run fail: that is told in any case.
	for (size_t i = 0; i < file->note_count && (file->lost || !quiet); i++)
		command_warn("%s: %s", finding->path, file->notes[i]);
	if (quiet)
		return;
	for (const struct session *s = file->first; s; s = s->next)
		for (size_t i = 0; i < s->note_count; i++)
			command_warn("%s: record %zu: %s", finding->path,
			             s->index + 1, s->notes[i]);
}

static void print_answers(struct survey *survey,
                          const struct exit_reason_settings *settings,
                          struct out *out)
{
	struct table table = { .name = "exit-reasons",
		               .columns = columns,
		               .column_count = COLUMN_COUNT };

	for (size_t i = 0; i < survey->count; i++) {
		const struct finding *finding = &survey->findings[i];

		print_notes(finding, settings->quiet);
		// What is lost of a file is an input that failed.
		survey->failed += finding->file.lost > 0;
		for (const struct session *s = finding->file.first; s;
		     s = s->next)
			add_row(survey, finding->path, s, &table);
	}
	formatter_find(settings->format)
	        ->table(&table, &(const struct format_options){ 0 }, out);
}

static enum exit_status exit_reason_run(const struct command_line *line)
{
	const struct exit_reason_settings *settings = line->settings;
	SCOPED(survey_release) struct survey survey = { 0 };
	enum exit_status status =
	        inputs_gather(line, settings->output, &survey.inputs);
	struct out *out;

	if (status != EXIT_DONE)
		return status;
	read_inputs(&survey);
	survey.failed += survey.inputs.failed;
	if (!survey.inputs.count && !survey.failed) {
		command_warn("nothing to read: no file was found");
		return EXIT_ALL_FAILED;
	}
	if (!survey.count) {
		if (survey.log_count || !survey.failed)
			command_warn("no last-session record among the files");
		return EXIT_ALL_FAILED;
	}
	status = command_open_output(settings->output, &out);
	if (status != EXIT_DONE)
		return status;
	print_answers(&survey, settings, out);
	return command_finish(out,
	                      survey.failed ? EXIT_SOME_FAILED : EXIT_DONE);
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

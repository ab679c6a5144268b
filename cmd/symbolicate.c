#include "lib/analysis/symbolicate.h"
#include "cmd/command.h"
#include "cmd/inputs.h"
#include "cmd/missing_symbols.h"
#include "formatters/formatter.h"
#include "lib/base/file.h"
#include "lib/base/mem.h"
#include "parsers/parser.h"

#include <stdlib.h>
#include <string.h>

struct symbolicate_settings {
	struct option_list dsym;
	unsigned format;
	const char *output;
	bool strict;
	bool quiet;
};

static const struct option options[] = {
	OPT_LIST('d', "dsym", struct symbolicate_settings, dsym, "<path>",
	         "a dSYM, a Mach-O file, or a folder to search for both"),
	OPT_CHOICE(0, "format", struct symbolicate_settings, format,
	           "text|json", "what to print"),
	OPT_TEXT('o', "output", struct symbolicate_settings, output, "<file>",
	         "write to <file> instead"),
	OPT_FLAG(0, "strict", struct symbolicate_settings, strict,
	         "exit with status 1 when an image of the app lacks its dSYM"),
	OPT_FLAG('q', "quiet", struct symbolicate_settings, quiet,
	         "no warnings and notes, only errors"),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool symbolicate samples/demo.crash --dsym samples",
	  "name every frame that the dSYMs below a folder can name" },
	{ "apmtool symbolicate --format json samples/demo.ips -d samples",
	  "the same as JSON, for programs" },
	{ "cat samples/demo.ips | apmtool symbolicate -q -",
	  "read standard input; what the device named stays named" },
	{ NULL, NULL },
};

/** All that one run works with. */
struct session {
	const struct symbolicate_settings *settings;
	const struct formatter *formatter;
	struct symbol_store *store;
	struct out *out;
	struct missing_symbols missing;
	size_t tried;
	size_t failed;
	size_t printed; ///< reports and failures so far
	bool several;
};

static void session_release(struct session *s)
{
	symbol_store_free(s->store);
	out_abandon(s->out);
	missing_symbols_release(&s->missing);
}

static void print_notes(const struct session *s, const char *path,
                        const struct report *report)
{
	if (s->settings->quiet)
		return;
	for (size_t i = 0; i < report->note_count; i++)
		command_warn("%s:%s: %s", path, report->notes[i].place,
		             report->notes[i].text);
}

/** What stands before the next of several reports. */
static void print_separator(struct session *s)
{
	if (s->several && s->printed && s->formatter->between)
		s->formatter->between(s->out);
	s->printed++;
}

static void symbolicate_report(struct session *s, const char *path,
                               struct report *report, struct arena *arena)
{
	struct symbolicate_result result;

	print_notes(s, path, report);
	symbolicate(report, s->store, arena, &result);
	print_separator(s);
	s->formatter->report(report, &(struct format_options){ 0 }, s->out);
	missing_symbols_add(&s->missing, &result);
}

static struct error *symbolicate_file(struct session *s, const char *path)
{
	SCOPED(file_release) struct file_data file = { 0 };
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report;
	struct error *err;

	err = file_read(path, FILE_REPORT_LIMIT_BYTES, &file);
	if (err)
		return err;
	err = parser_read(file.bytes, &arena, &report);
	if (err)
		return error_prefix(err, "%s", path);
	// One operand can hold several reports: nothing is printed yet then.
	if (report->next && !s->several) {
		s->several = true;
		if (s->formatter->begin)
			s->formatter->begin(s->out);
	}
	for (; report; report = report->next)
		symbolicate_report(s, path, report, &arena);
	return NULL;
}

static void symbolicate_input(struct session *s, const struct input *input)
{
	struct error *err;

	s->tried++;
	err = symbolicate_file(s, input->path);
	if (!err)
		return;
	// A folder may hold other things than reports.
	if (input->from_folder && error_code(err) == ERROR_UNSUPPORTED) {
		s->tried--;
		error_free(err);
		return;
	}
	s->failed++;
	command_error(err);
	if (s->several && s->formatter->failure) {
		print_separator(s);
		s->formatter->failure(input->path, err, s->out);
	}
	error_free(err);
}

static enum exit_status outcome(const struct session *s)
{
	if (s->tried == s->failed)
		return EXIT_ALL_FAILED;
	if (s->failed)
		return EXIT_SOME_FAILED;
	return s->settings->strict && s->missing.count ? EXIT_ANSWER_NO
	                                               : EXIT_DONE;
}

static enum exit_status finish(struct session *s)
{
	enum exit_status status = outcome(s);
	struct out *out = s->out;

	if (!s->tried)
		command_warn("nothing to read: no report was found");
	if (!s->settings->quiet)
		missing_symbols_print(&s->missing);
	// With nothing to show, an older output file stays as it was.
	if (status == EXIT_ALL_FAILED && s->settings->output)
		return status;
	if (s->several && s->formatter->end)
		s->formatter->end(out);
	s->out = NULL;
	return command_finish(out, status);
}

static enum exit_status symbolicate_run(const struct command_line *line)
{
	const struct symbolicate_settings *settings = line->settings;
	SCOPED(inputs_release) struct inputs inputs = { 0 };
	SCOPED(session_release)
	struct session s = {
		.settings = settings,
		.formatter = formatters[settings->format],
		.store = symbol_store_new(0),
	};
	enum exit_status status;

	status = inputs_gather(line, settings->output, &inputs);
	if (status != EXIT_DONE)
		return status;
	status = symbols_add_paths(s.store, &settings->dsym);
	if (status != EXIT_DONE)
		return status;
	status = command_open_output(settings->output, &s.out);
	if (status != EXIT_DONE)
		return status;
	s.failed = s.tried = inputs.failed;
	s.several = inputs.count + inputs.failed != 1;
	if (s.several && s.formatter->begin)
		s.formatter->begin(s.out);
	for (size_t i = 0; i < inputs.count; i++)
		symbolicate_input(&s, &inputs.items[i]);
	return finish(&s);
}

const struct command symbolicate_command = {
	.name = "symbolicate",
	.summary = "name the frames of crash reports",
	.operands = "[<report>...]",
	.description =
	        "Prints each report again, every frame that can be named "
	        "named: function,\noffset, file and line, inlined calls as "
	        "frames of their own. Reads Apple text\n(.crash) and JSON "
	        "(.ips), told apart by content. Folders are walked; `-` is\n"
	        "standard input. dSYMs are matched by UUID only. Colon-"
	        "separated paths in\nAPMTOOL_DSYM_PATH are searched as well.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct symbolicate_settings),
	.run = symbolicate_run,
};

#include "cmd/reports.h"

#include "lib/base/file.h"
#include "parsers/parser.h"

static const struct formatter *find_formatter(unsigned choice)
{
	SCOPED(str_release) struct str name = { 0 };

	str_add_text(&name, options_choice(REPORT_FORMATS, choice));
	return formatter_find(str_cstr(&name));
}

enum exit_status report_run_init(struct report_run *run,
                                 const struct command_line *line,
                                 const struct report_settings *settings)
{
	enum exit_status status;

	run->settings = settings;
	run->formatter = find_formatter(settings->format);
	run->options.style = (enum text_style)settings->style;
	if (run->options.style != TEXT_STYLE_FULL &&
	    !run->formatter->has_styles)
		return command_usage("option '--style' is for text, and the "
		                     "format is %s",
		                     run->formatter->name);
	status = inputs_gather(line, settings->output, &run->inputs);
	if (status != EXIT_DONE)
		return status;
	return command_open_output(settings->output, &run->out);
}

static void print_notes(const struct report_run *run, const char *path,
                        const struct report *report)
{
	const char *shortcoming = NULL;

	if (run->settings->quiet)
		return;
	for (size_t i = 0; i < report->note_count; i++)
		command_warn("%s:%s: %s", path, report->notes[i].place,
		             report->notes[i].text);
	if (run->formatter->shortcoming)
		shortcoming = run->formatter->shortcoming(report);
	if (shortcoming)
		command_warn("%s: %s", path, shortcoming);
}

/** From now on there is more than one document; none has been written yet. */
static void begin_several(struct report_run *run)
{
	run->several = true;
	if (run->formatter->begin)
		run->formatter->begin(run->out);
}

/** What stands before the next of several documents. */
static void write_separator(struct report_run *run)
{
	if (run->several && run->written && run->formatter->between)
		run->formatter->between(run->out);
	run->written++;
}

static void end_document(struct report_run *run)
{
	if (run->formatter->is_stream)
		out_flush(run->out);
}

static void write_report(struct report_run *run, const char *path,
                         struct report *report, struct arena *arena)
{
	print_notes(run, path, report);
	if (run->hook)
		run->hook(report, arena, run->context);
	write_separator(run);
	run->formatter->report(report, &run->options, run->out);
	end_document(run);
}

static void write_failure(struct report_run *run, const char *path,
                          const struct error *err)
{
	const struct formatter *formatter = run->formatter;

	if (!formatter->failure || !(run->several || formatter->is_stream))
		return;
	write_separator(run);
	formatter->failure(path, err, run->out);
	end_document(run);
}

static struct error *handle_file(struct report_run *run, const char *path)
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
	// One operand can hold several reports: nothing is written yet then.
	if (report->next && !run->several)
		begin_several(run);
	for (; report; report = report->next)
		write_report(run, path, report, &arena);
	return NULL;
}

static void handle_input(struct report_run *run, const struct input *input)
{
	SCOPED(error_drop) struct error *err = handle_file(run, input->path);

	// A folder may hold other things than reports.
	if (err && input->from_folder && error_code(err) == ERROR_UNSUPPORTED)
		return;
	run->tried++;
	if (!err)
		return;
	run->failed++;
	command_error(err);
	write_failure(run, input->path, err);
}

enum exit_status report_run_all(struct report_run *run)
{
	const struct inputs *inputs = &run->inputs;

	run->failed = run->tried = inputs->failed;
	if (inputs->count + inputs->failed != 1)
		begin_several(run);
	for (size_t i = 0; i < inputs->count; i++)
		handle_input(run, &inputs->items[i]);
	if (!run->tried)
		command_warn("nothing to read: no report was found");
	if (run->tried == run->failed)
		return EXIT_ALL_FAILED;
	return run->failed ? EXIT_SOME_FAILED : EXIT_DONE;
}

enum exit_status report_run_finish(struct report_run *run,
                                   enum exit_status status)
{
	struct out *out = run->out;

	// With nothing to show, an older output file stays as it was.
	if (status == EXIT_ALL_FAILED && run->settings->output)
		return status;
	if (run->several && run->formatter->end)
		run->formatter->end(out);
	run->out = NULL;
	return command_finish(out, status);
}

void report_run_release(struct report_run *run)
{
	inputs_release(&run->inputs);
	out_abandon(run->out);
}

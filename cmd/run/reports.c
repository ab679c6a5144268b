#include "cmd/run/reports.h"

#include "cmd/run/stream.h"
#include "lib/base/mem.h"
#include "lib/symbols/symbol_store.h"
#include "parsers/envelope/bug_types.h"

#include <stdlib.h>
#include <string.h>

/** Files above this are read as streams: they may be JSON Lines. */
#define STREAM_BYTES_MIN ((uint64_t)16 << 20)

unsigned report_jobs(const struct command_line *line,
                     const struct report_settings *settings)
{
	return settings->jobs ? settings->jobs : line->config->jobs;
}

enum exit_status report_run_init(struct report_run *run,
                                 const struct command_line *line,
                                 const struct report_settings *settings)
{
	enum exit_status status;

	run->settings = settings;
	run->formatter = formatter_find(settings->format);
	run->options.style = (enum text_style)(
	        settings->has_style ? settings->style : line->config->style);
	if (settings->has_style && settings->style != TEXT_STYLE_FULL &&
	    !run->formatter->has_styles)
		return command_usage("option '--style' needs text output, but "
		                     "the format is %s",
		                     run->formatter->name);
	run->jobs = report_jobs(line, settings);
	if (!run->jobs)
		run->jobs = symbol_default_jobs();
	run->batch = mem_zalloc(1, sizeof(*run->batch));
	run->batch->config = line->config;
	run->progress = progress_begin(settings->quiet);
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
	run->hook_only |= run->hook_only_several;
	if (run->formatter->begin && !run->hook_only)
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

static void write_report(struct report_run *run, struct batch_entry *entry,
                         const struct report *report)
{
	print_notes(run, entry->name, report);
	if (run->hook_only)
		return;
	write_separator(run);
	if (run->page)
		run->formatter->page(
		        run->page(report, &entry->arena, run->context),
		        &run->options, run->out);
	else
		run->formatter->report(report, &run->options, run->out);
	end_document(run);
}

static void write_failure(struct report_run *run, const char *path,
                          const struct error *err)
{
	const struct formatter *formatter = run->formatter;

	if (run->hook_only || !formatter->failure ||
	    !(run->several || formatter->is_stream))
		return;
	write_separator(run);
	formatter->failure(path, err, run->out);
	end_document(run);
}

static void write_entry(struct report_run *run, struct batch_entry *entry)
{
	// A folder may hold other things than reports.
	if (entry->err && !entry->reports && entry->from_folder &&
	    error_code(entry->err) == ERROR_UNSUPPORTED)
		return;
	run->tried++;
	// One operand can hold several reports: nothing is written yet then.
	if (entry->reports && entry->reports->next && !run->several)
		begin_several(run);
	for (const struct report *r = entry->reports; r; r = r->next)
		write_report(run, entry, r);
	if (!entry->err)
		return;
	run->failed++;
	command_error(entry->err);
	write_failure(run, entry->name, entry->err);
}

/** Commands that work on stacks have no use for a log that has none. */
static struct error *refuse_stackless(const struct report *report,
                                      struct arena *arena)
{
	if (!report->jetsam)
		return NULL;
	return error_new(ERROR_UNSUPPORTED,
	                 "%s, which has no stacks: see 'apmtool jetsam'",
	                 report->bug_type
	                         ? bug_type_describe(report->bug_type, arena)
	                         : "a jetsam log");
}

/** Take the reports out that the command has no use for. */
static void refuse_reports(const struct report_run *run,
                           struct batch_entry *entry)
{
	struct report **link = &entry->reports;

	while (*link) {
		struct error *err =
		        run->refuse ? run->refuse(*link, &entry->arena)
		                    : refuse_stackless(*link, &entry->arena);

		if (!err) {
			link = &(*link)->next;
			continue;
		}
		*link = (*link)->next;
		if (entry->err)
			error_free(err);
		else
			entry->err = error_prefix(err, "%s", entry->name);
	}
}

/** Files of a folder are passed over quietly, but those named as reports. */
static void warn_of_foreign(const struct report_run *run,
                            const struct batch_entry *entry)
{
	struct text name = text_from(entry->name);

	if (!entry->err || entry->reports || !entry->from_folder ||
	    run->settings->quiet || error_code(entry->err) != ERROR_UNSUPPORTED)
		return;
	if (text_ends(name, ".crash") || text_ends(name, ".ips"))
		command_warn("%s", error_message(entry->err));
}

/** All reports of the batch, in the order of the inputs. */
static struct report **list_reports(const struct batch *batch,
                                    size_t *ret_count)
{
	struct report **reports = NULL;
	size_t count = 0, cap = 0;

	for (size_t i = 0; i < batch->count; i++) {
		for (struct report *r = batch->entries[i].reports; r;
		     r = r->next) {
			MEM_GROW(reports, count, cap);
			reports[count++] = r;
		}
	}
	*ret_count = count;
	return reports;
}

/** Parse, work on and write what is in the batch, and empty it. */
static void handle_batch(struct report_run *run)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct batch *batch = run->batch;
	struct report **reports;
	size_t count;

	batch_parse(batch, run->jobs);
	progress_clear(&run->progress);
	for (size_t i = 0; i < batch->count; i++) {
		warn_of_foreign(run, &batch->entries[i]);
		refuse_reports(run, &batch->entries[i]);
	}
	reports = list_reports(batch, &count);
	if (run->hook && count)
		run->hook(reports, count, &arena, run->context);
	progress_clear(&run->progress);
	for (size_t i = 0; i < batch->count; i++)
		write_entry(run, &batch->entries[i]);
	free(reports);
	batch_clear(batch);
}

static void fail_input(struct report_run *run, const char *path,
                       struct error *err)
{
	run->tried++;
	run->failed++;
	command_error(err);
	write_failure(run, path, err);
	error_free(err);
}

static void handle_stream(struct report_run *run, const char *path)
{
	SCOPED(stream_release) struct stream stream;
	struct error *err = stream_open(path, &stream);

	while (!err && !(err = stream_next(&stream, run->batch)) &&
	       run->batch->count) {
		if (stream.is_lines && !run->several)
			begin_several(run);
		handle_batch(run);
		out_flush(run->out);
		progress_update(&run->progress, run->written, 0, "reports");
	}
	if (err)
		fail_input(run, path, err);
}

static void handle_inputs(struct report_run *run)
{
	const struct inputs *inputs = &run->inputs;

	for (size_t i = 0; i < inputs->count; i++) {
		const struct input *input = &inputs->items[i];
		bool is_stream = !strcmp(input->path, "-") ||
		                 input->size_bytes >= STREAM_BYTES_MIN;

		if (is_stream || batch_is_full(run->batch)) {
			handle_batch(run);
			progress_update(&run->progress, i, inputs->count,
			                "inputs");
		}
		if (is_stream)
			handle_stream(run, input->path);
		else
			batch_add(run->batch, input->path,
			          (size_t)input->size_bytes)
			        ->from_folder = input->from_folder;
	}
	handle_batch(run);
}

enum exit_status report_run_all(struct report_run *run)
{
	const struct inputs *inputs = &run->inputs;

	run->failed = run->tried = inputs->failed;
	if (inputs->count + inputs->failed != 1)
		begin_several(run);
	handle_inputs(run);
	progress_clear(&run->progress);
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
	if (run->several && run->formatter->end && !run->hook_only)
		run->formatter->end(out);
	run->out = NULL;
	return command_finish(out, status);
}

void report_run_release(struct report_run *run)
{
	inputs_release(&run->inputs);
	out_abandon(run->out);
	free(run->batch);
}

#include "cmd/run/reports.h"

#include "cmd/run/console.h"
#include "cmd/run/lines.h"
#include "cmd/run/source.h"
#include "lib/analysis/crash/explain/explain.h"
#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/darwin/bug_types.h"
#include "lib/model/redact.h"

#include <stdlib.h>
#include <string.h>

/** Files above this are read as streams: they may be JSON Lines. */
#define STREAM_BYTES_MIN ((uint64_t)16 << 20)
/** How much of a file that is too large shows whether it is a report. */
#define HEAD_BYTES ((size_t)1 << 20)

static enum exit_status check_settings(const struct report_settings *settings,
                                       const struct formatter *formatter,
                                       bool has_directory)
{
	if (settings->has_style && settings->style != TEXT_STYLE_FULL &&
	    !formatter->has_styles)
		return console_usage("option '--style' needs text output, but "
		                     "the format is %s",
		                     formatter->name);
	if (settings->array && !formatter->begin)
		return console_usage("option '--array' needs json output, but "
		                     "the format is %s",
		                     formatter->name);
	if (settings->array && has_directory)
		return console_usage("option '--array' writes one document, "
		                     "but '%s' is a directory",
		                     settings->run.output);
	return EXIT_DONE;
}

/** A file per report, once the inputs are known. */
static enum exit_status begin_directory(struct report_run *run)
{
	const struct formatter *formatter = run->documents.formatter;
	SCOPED(error_drop)
	struct error *err = report_files_init(
	        &run->documents.files, run->settings->run.output,
	        formatter->extension ? formatter->extension : formatter->name,
	        &run->run.inputs);

	if (!err)
		return EXIT_DONE;
	console_error(err);
	return EXIT_ENVIRONMENT;
}

static struct batch *new_batch(const struct report_run *run,
                               const struct config *config)
{
	struct batch *batch = mem_zalloc(1, sizeof(*batch));

	batch->config = config;
	batch->foreign = run->foreign;
	batch->takes_samples = run->takes_samples;
	return batch;
}

enum exit_status report_run_init(struct report_run *run,
                                 const struct command_line *line,
                                 const struct report_settings *settings)
{
	struct documents *documents = &run->documents;
	bool has_directory = run->can_use_directory &&
	                     report_files_is_directory(settings->run.output);
	enum exit_status status;

	run->settings = settings;
	documents->formatter = formatter_find(settings->format);
	documents->options.style = (enum text_style)(
	        settings->has_style ? settings->style : line->config->style);
	documents->options.columns =
	        console_columns(&settings->run.width, settings->run.output);
	if (settings->threads &&
	    !thread_choice_parse(settings->threads, &run->threads))
		return console_usage("option '--threads': expected 'crashed', "
		                     "'all' or a number, found '%s'",
		                     settings->threads);
	status = check_settings(settings, documents->formatter, has_directory);
	if (status != EXIT_DONE)
		return status;
	run->run.no_output = has_directory;
	run->batch = new_batch(run, line->config);
	run->read = new_batch(run, line->config);
	status = run_init(&run->run, line, &settings->run);
	documents->out = run->run.out;
	if (status == EXIT_DONE && has_directory)
		status = begin_directory(run);
	return status;
}

// A batch that is complete

static void print_notes(struct report_run *run, const char *path,
                        const struct report *report)
{
	const struct formatter *formatter = run->documents.formatter;
	SCOPED(str_release) struct str before = { 0 };
	const char *shortcoming = NULL;

	str_addf(&before, "%s: ", path);
	if (console_notes(str_cstr(&before), report->notes, report->note_count,
	                  run->settings->run.quiet))
		run->run.has_failed_part = true;
	if (formatter->shortcoming && !run->settings->run.quiet)
		shortcoming = formatter->shortcoming(report);
	if (shortcoming)
		console_warn("%s: %s", path, shortcoming);
}

/** From now on there is more than one document; none has been written yet. */
static void begin_several(struct report_run *run)
{
	run->hook_only |= run->hook_only_several;
	if (!run->hook_only)
		documents_begin(&run->documents);
}

/** An input is done; @p err is why it failed, or part of it. */
static void end_input(struct report_run *run, const char *name,
                      const struct error *err)
{
	run_count(&run->run, err);
	if (err && !run->hook_only)
		documents_add_failure(&run->documents, name, err);
}

static void write_report(struct report_run *run, const struct report *report)
{
	// An input may hold 50,000 reports: a page does not outlive its turn.
	SCOPED(arena_release) struct arena arena = { 0 };

	if (run->page)
		documents_add_page(&run->documents,
		                   run->page(report, &arena, run->context));
	else
		documents_add_text(&run->documents, report,
		                   ahead_next(&run->ahead));
}

/** A report of which nothing was read is printed, and yet has failed. */
static struct error *find_unread(const struct batch_entry *entry)
{
	for (const struct report *r = entry->reports; r; r = r->next)
		if (r->unread)
			return error_new(ERROR_FORMAT,
			                 "%s: nothing that the text shows "
			                 "could be read",
			                 entry->name);
	return NULL;
}

static void write_entry(struct report_run *run, struct batch_entry *entry)
{
	SCOPED(error_drop) struct error *unread = find_unread(entry);

	if (!entry->reports &&
	    run_passes_over(entry->from_directory, entry->err)) {
		run_pass_over(&run->run, entry->name, entry->err);
		return;
	}
	// One operand can hold several reports: nothing is written yet then.
	if (entry->reports && entry->reports->next)
		begin_several(run);
	for (const struct report *r = entry->reports; r; r = r->next) {
		print_notes(run, entry->name, r);
		if (!run->hook_only)
			write_report(run, r);
	}
	if (unread && !entry->err)
		run_count(&run->run, unread);
	else
		end_input(run, entry->name, entry->err);
}

struct error *report_run_refuse_records(const struct report *report,
                                        struct arena *arena UNUSED)
{
	if (!report_is_memory_record(report))
		return NULL;
	return error_new(
	        ERROR_UNSUPPORTED,
	        "a record of a memory limit, which is not about a crash: "
	        "see 'apmtool jetsam'");
}

/** Commands that work on stacks have no use for a log that has none. */
static struct error *refuse_stackless(const struct report *report,
                                      struct arena *arena)
{
	if (!report->jetsam && !report_is_memory_record(report))
		return NULL;
	return error_new(ERROR_UNSUPPORTED,
	                 "%s, which has no stacks: see 'apmtool jetsam'",
	                 report->bug_type
	                         ? bug_type_describe(report->bug_type, arena)
	                 : report->jetsam ? "a jetsam log"
	                                  : "a record of a memory limit");
}

/** Keep an entry's first error. */
static void fail_entry(struct batch_entry *entry, struct error *err)
{
	if (entry->err)
		error_free(err);
	else
		entry->err = error_prefix(err, "%s", entry->name);
}

/** Take the reports out that the command has no use for. */
static void refuse_reports(const struct report_run *run,
                           struct batch_entry *entry)
{
	struct report **link = &entry->reports;
	struct error *err = NULL;

	while (*link) {
		err = run->refuse ? run->refuse(*link, &entry->arena)
		                  : refuse_stackless(*link, &entry->arena);
		if (err) {
			*link = (*link)->next;
			fail_entry(entry, err);
			err = NULL;
		} else {
			link = &(*link)->next;
		}
	}
	if (entry->reports && run->refuse_all)
		err = run->refuse_all(entry->reports);
	if (!err)
		return;
	entry->reports = NULL;
	fail_entry(entry, err);
	if (entry->from_directory && !run->settings->run.quiet)
		console_warn("%s", error_message(entry->err));
}

/** Files of a directory are passed over quietly, but those named as reports. */
static void warn_of_foreign(const struct report_run *run,
                            const struct batch_entry *entry)
{
	struct text name = text_from(entry->name);

	if (entry->reports || run->settings->run.quiet ||
	    !run_passes_over(entry->from_directory, entry->err))
		return;
	if (text_ends(name, ".crash") || text_ends(name, ".ips"))
		console_warn("%s", error_message(entry->err));
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

/** After all that changes what they say: names, and what is redacted. */
static void explain_all(struct report *const *reports, size_t count,
                        struct arena *arena)
{
	for (size_t i = 0; i < count; i++)
		reports[i]->explanation = explain_report(reports[i], arena);
}

/** Work on what has been read; it is written by write_read(). */
static void work_on_read(void *context)
{
	struct report_run *run = context;
	struct arena *arena = &run->arena;
	struct batch *batch = run->read;
	struct report **reports;
	size_t count;

	for (size_t i = 0; i < batch->count; i++) {
		warn_of_foreign(run, &batch->entries[i]);
		refuse_reports(run, &batch->entries[i]);
	}
	run->bytes_left -= batch->bytes < run->bytes_left ? batch->bytes
	                                                  : run->bytes_left;
	run->reports = reports = list_reports(batch, &run->report_count);
	count = run->report_count;
	// What is not printed needs no names.
	for (size_t i = 0; i < count; i++)
		run->threadless +=
		        !thread_choice_apply(&run->threads, reports[i], arena);
	if (run->hook && count)
		run->hook(reports, count, arena, run->context);
	for (size_t i = 0; i < count && run->settings->redact; i++)
		report_redact(reports[i], arena);
	for (size_t i = 0; i < count; i++)
		reports[i]->number = ++run->count;
	if (run->documents.formatter->explains && !run->page)
		explain_all(reports, count, arena);
}

static void write_read(struct report_run *run)
{
	struct batch *batch = run->read;

	ahead_begin(&run->ahead, run->reports, run->report_count,
	            &run->documents, run->run.jobs);
	for (size_t i = 0; i < batch->count; i++)
		write_entry(run, &batch->entries[i]);
	free(run->reports);
	run->reports = NULL;
	arena_release(&run->arena);
	batch_clear(batch);
}

/**
 * Work on and write what has been read, and read the next batch meanwhile:
 * what the hook does, one thread does.
 */
static void read_on(struct report_run *run)
{
	struct batch *batch = run->batch;

	progress_clear(&run->run.progress);
	// One report alone stays on this thread: what another one frees, it
	// keeps for itself.
	if (run->read->count)
		batch_parse_beside(batch, run->run.jobs, work_on_read, run);
	else
		batch_parse(batch, run->run.jobs);
	progress_clear(&run->run.progress);
	if (run->read->count)
		write_read(run);
	run->batch = run->read;
	run->read = batch;
}

/** Read, work on and write what is in the batch, and what is read already. */
static void handle_batch(struct report_run *run)
{
	read_on(run);
	read_on(run);
}

/** Make room in the batch. */
static void next_batch(struct report_run *run)
{
	// One job gains nothing by keeping two batches in memory.
	if (run->run.jobs > 1)
		read_on(run);
	else
		handle_batch(run);
}

// What fills a batch

/** What was read of a stream so far is on its way. */
static void handle_piece(struct report_run *run)
{
	handle_batch(run);
	if (run->run.out)
		out_flush(run->run.out);
	progress_update(&run->run.progress, run->documents.count, 0, "reports");
}

/** A block of lines, each a report of its own. */
static void take_block(struct report_run *run, const char *name,
                       struct text rest, size_t line)
{
	SCOPED(arena_release) struct arena names = { 0 };

	for (; rest.size; line++) {
		struct text text = text_first(rest, text_find_char(rest, '\n'));

		rest = text_after(rest, text.size + 1);
		if (!text_trim(text).size)
			continue;
		batch_add_content(run->batch,
		                  arena_printf(&names, "%s:%zu", name, line),
		                  text);
		if (batch_is_full(run->batch))
			handle_piece(run);
	}
	handle_piece(run);
}

/** The lines after the first, which is in the batch already. */
static struct error *take_lines(struct report_run *run, struct source *source)
{
	SCOPED(str_release) struct str block = { 0 };
	SCOPED(lines_release)
	struct lines lines = { .source = source,
		               .at_once = true,
		               .longest = limit_get(LIMIT_REPORT),
		               .count = 1 };
	size_t line;

	begin_several(run);
	handle_piece(run);
	while (lines_next(&lines, &block, &line)) {
		if (lines_broken(&lines, &block))
			return source_too_large(source);
		take_block(run, source->name, str_text(&block), line);
	}
	return source_take_error(source);
}

/**
 * Pass over a file of a directory that is too large for a report, if it does
 * not begin as one either: a film, a core file.
 */
static bool pass_over_large(struct report_run *run, struct source *source)
{
	struct batch *batch = run->batch;
	struct batch_entry *entry = batch_add_content(
	        batch, source->name, source_peek(source, HEAD_BYTES));

	entry->from_directory = true;
	batch_parse(batch, 1);
	if (entry->reports || !run_passes_over(true, entry->err)) {
		batch_clear(batch);
		return false;
	}
	handle_piece(run);
	return true;
}

static struct error *take_rest(struct report_run *run, struct source *source,
                               bool from_directory)
{
	struct bytes all;
	struct error *err = source_read_all(source, &all);

	if (err && from_directory && error_code(err) == ERROR_LIMIT &&
	    pass_over_large(run, source)) {
		error_free(err);
		return NULL;
	}
	if (err)
		return err;
	batch_add_content(run->batch, source->name, bytes_text(all))
	        ->from_directory = from_directory;
	handle_piece(run);
	return NULL;
}

/**
 * Is the first line a whole report? An `.ips` header alone is none. If so, it
 * is in the batch, and used up.
 */
static bool take_first_line(struct report_run *run, struct source *source,
                            struct arena *names)
{
	struct text head = source_peek_line(source, limit_get(LIMIT_REPORT));
	struct batch *batch = run->batch;
	struct text line = text_first(head, text_find_char(head, '\n'));

	if (!text_starts(line, "{") || !text_ends(text_trim_right(line), "}"))
		return false;
	batch_add_content(batch, arena_printf(names, "%s:1", source->name),
	                  line);
	batch_parse(batch, 1);
	if (batch->entries[0].reports)
		source_skip(source, line.size + (line.size < head.size));
	else
		batch_clear(batch);
	return batch->count;
}

static void take_stream(struct report_run *run, const struct input *input)
{
	SCOPED(source_release) struct source source = { 0 };
	SCOPED(arena_release) struct arena names = { 0 };
	SCOPED(error_drop)
	struct error *err = source_open(&source, input->path);

	if (!err)
		err = take_first_line(run, &source, &names)
		              ? take_lines(run, &source)
		              : take_rest(run, &source, input->from_directory);
	if (err)
		end_input(run, input->path, err);
}

static void take_input(const struct input *input, void *context)
{
	struct report_run *run = context;
	const struct inputs *inputs = &run->run.inputs;
	bool is_stream = !strcmp(input->path, "-") ||
	                 input->size_bytes >= STREAM_BYTES_MIN;

	if (is_stream || batch_is_full(run->batch)) {
		if (is_stream)
			handle_batch(run);
		else
			next_batch(run);
		progress_update(&run->run.progress,
		                (size_t)(input - inputs->items), inputs->count,
		                "inputs");
	}
	if (is_stream)
		take_stream(run, input);
	else
		batch_add_file(run->batch, input);
}

enum exit_status report_run_all(struct report_run *run)
{
	const struct inputs *inputs = &run->run.inputs;
	enum exit_status status;

	if (inputs->count + inputs->failed != 1)
		begin_several(run);
	else if ((inputs->several || run->settings->array) && !run->hook_only &&
	         !run->hook_only_several)
		documents_begin(&run->documents);
	for (size_t i = 0; i < inputs->count; i++)
		run->bytes_left += inputs->items[i].size_bytes;
	run_each(&run->run, take_input, run);
	handle_batch(run);
	progress_clear(&run->run.progress);
	status = run_status(&run->run);
	// A thread that is not there is nothing found.
	if (run->count && run->threadless == run->count)
		status = EXIT_ALL_FAILED;
	return status;
}

size_t report_run_batches_left(const struct report_run *run)
{
	size_t bytes = run->read->bytes;

	return bytes ? (size_t)(run->bytes_left / bytes) : 0;
}

enum exit_status report_run_finish(struct report_run *run,
                                   enum exit_status status)
{
	SCOPED(error_drop) struct error *err = NULL;

	if (!run->hook_only)
		err = documents_end(&run->documents);
	if (err) {
		console_error(err);
		status = EXIT_ENVIRONMENT;
	}
	return run_finish(&run->run, status);
}

void report_run_release(struct report_run *run)
{
	ahead_release(&run->ahead);
	documents_release(&run->documents);
	run_release(&run->run);
	free(run->batch);
	free(run->read);
}

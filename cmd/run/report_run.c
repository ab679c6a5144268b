// SPDX-License-Identifier: MIT
#include "cmd/run/reports.h"

#include "cmd/run/frame_rules.h"
#include "cmd/run/lines.h"
#include "cmd/run/report_batch.h"
#include "cmd/run/source.h"
#include "lib/base/file.h"
#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "parsers/input/stream.h"

#include <stdlib.h>
#include <string.h>

/** Files above this are read as streams: they may be JSON Lines. */
#define STREAM_BYTES_MIN ((uint64_t)16 << 20)
/** How much of a file that is too large shows whether it is a report. */
#define HEAD_BYTES ((size_t)1 << 20)

static enum exit_status check_settings(const struct notices *notices,
                                       const struct report_settings *settings,
                                       const struct formatter *formatter,
                                       bool has_directory)
{
	if (settings->has_style && settings->style != TEXT_STYLE_FULL &&
	    !formatter->has_styles)
		return notice_usage(notices,
		                    "option '--style' needs text output, but "
		                    "the format is %s",
		                    formatter->name);
	if (settings->array && !formatter->begin)
		return notice_usage(notices,
		                    "option '--array' needs json output, but "
		                    "the format is %s",
		                    formatter->name);
	if (settings->source_root && !formatter->shows_sources)
		return notice_usage(notices,
		                    "option '--source-root' needs html output, "
		                    "but the format is %s",
		                    formatter->name);
	if (settings->array && has_directory)
		return notice_usage(notices,
		                    "option '--array' writes one document, "
		                    "but '%s' is a directory",
		                    settings->run.output);
	return run_check_bulk_op(notices, &settings->run, formatter);
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
	notice_error(run->run.notices, NULL, err);
	return EXIT_ENVIRONMENT;
}

static struct batch *new_batch(const struct report_run *run,
                               const struct config *config)
{
	struct batch *batch = mem_zalloc(1, sizeof(*batch));

	batch->config = config;
	batch->takes = run->takes ? run->takes : YIELDS_ANY_REPORT;
	batch->wants = run->wants ? run->wants : YIELDS_REPORTS;
	return batch;
}

/** What frames mean, for the explanations that a format has. */
static enum exit_status read_rules(struct report_run *run,
                                   const struct notices *notices)
{
	struct error *err = frame_rules_read(NULL, &run->rules, NULL);

	run->signer.functions.rules = &run->rules;
	return err ? notice_refuse(notices, err) : EXIT_DONE;
}

/** Lines of sources, for the format that shows them. */
static enum exit_status open_sources(struct report_run *run,
                                     const struct notices *notices)
{
	struct error *err =
	        source_lines_open(&run->sources, run->settings->source_root);

	run->documents.options.excerpts = &run->sources.excerpts;
	return err ? notice_refuse(notices, err) : EXIT_DONE;
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
	ahead_init(&run->ahead);
	documents->formatter = formatter_find(settings->format);
	documents->options.style = (enum text_style)(
	        settings->has_style ? settings->style : line->config->style);
	documents->options.bulk_op = (enum bulk_op)settings->run.bulk_op;
	documents->options.columns = text_width_columns(
	        &settings->run.width, line, settings->run.output);
	if (settings->threads &&
	    !thread_choice_parse(settings->threads, &run->threads))
		return notice_usage(line->notices,
		                    "option '--threads': expected 'crashed', "
		                    "'all' or a number, found '%s'",
		                    settings->threads);
	status = check_settings(line->notices, settings, documents->formatter,
	                        has_directory);
	if (status == EXIT_DONE)
		status = open_sources(run, line->notices);
	if (status == EXIT_DONE && report_batch_explains(run))
		status = read_rules(run, line->notices);
	if (status != EXIT_DONE)
		return status;
	run->run.no_output |= has_directory;
	run->batch = new_batch(run, line->config);
	run->read = new_batch(run, line->config);
	status = run_init(&run->run, line, &settings->run);
	documents->out = run->run.out;
	if (status == EXIT_DONE && has_directory)
		status = begin_directory(run);
	return status;
}

struct error *report_run_refuse_records(const struct report *report,
                                        struct arena *arena)
{
	struct found found = found_report(report, arena);

	return report_is_memory_record(report)
	               ? found_refuse(&found, YIELDS_REPORTS)
	               : NULL;
}

/** What was read of a stream so far is on its way. */
static void handle_piece(struct report_run *run)
{
	report_batch_handle(run);
	if (run->run.out)
		out_flush(run->run.out);
	run_progress(&run->run, run->documents.count, 0, "reports");
}

/** Lines of a stream that are still to be read. */
struct unread {
	struct text text;
	size_t line; ///< the number of the first
};

static void step(struct unread *unread, size_t size)
{
	unread->line += text_count_char(text_first(unread->text, size), '\n');
	unread->text = text_after(unread->text, size);
}

static size_t blank_lines(struct text in)
{
	size_t blank = in.size - text_trim_left(in).size;

	return blank == in.size
	               ? blank
	               : text_find_last_char(text_first(in, blank), '\n') + 1;
}

/** @param what  A line, or the report that begins in it. */
static struct error *too_large(const char *path, size_t line, const char *what)
{
	return limit_error(LIMIT_REPORT,
	                   "%s:%zu: the %s is larger than %s: it is not "
	                   "read, nor what follows it",
	                   path, line, what,
	                   limit_size(limit_get(LIMIT_REPORT)).text);
}

/** Read what a block of lines holds, but for what the next one may end. */
static struct error *take_block(struct report_run *run,
                                const struct input *input,
                                struct unread *unread, bool is_end)
{
	SCOPED(arena_release) struct arena names = { 0 };
	struct error *err = NULL;
	struct batch_entry *entry;

	for (;;) {
		struct text piece;

		step(unread, blank_lines(unread->text));
		piece = stream_piece(unread->text, is_end);
		// Whether its end has come yet makes no difference.
		if ((piece.size ? piece.size : unread->text.size) >
		    limit_get(LIMIT_REPORT))
			err = too_large(input->path, unread->line, "report");
		if (err || !piece.size)
			break;
		entry = batch_add_content(run->batch,
		                          arena_printf(&names, "%s:%zu",
		                                       input->path,
		                                       unread->line),
		                          piece);
		entry->from_directory = input->from_directory;
		step(unread, piece.size);
		if (batch_is_full(run->batch))
			handle_piece(run);
	}
	handle_piece(run);
	return err;
}

/** Why the first line was passed over, since @p before. */
static const char *why_passed(const struct run_others *others,
                              const struct run_others *before)
{
	size_t i = 0;

	while (i < others->kind_count &&
	       others->kinds[i].count == before->kinds[i].count)
		i++;
	return i < others->kind_count ? others->kinds[i].why
	                              : "not a crash report";
}

/**
 * The lines of a file of a directory that are no reports of ours: where there
 * are others, they are not lost silently; else the file is passed over, as one.
 */
static void take_passed(struct report_run *run, const char *path,
                        const struct run_others *before, bool has_others)
{
	struct run_others *others = &run->run.others;
	size_t count = others->count - before->count;
	const char *why = why_passed(others, before);
	SCOPED(error_drop) struct error *err = NULL;

	if (!count)
		return;
	if (has_others && !run->settings->run.quiet)
		notice_warn(run->run.notices, path,
		            "%zu line%s %s not read%s %s", count,
		            text_plural(count), count == 1 ? "is" : "are",
		            count == 1 ? ":" : ", such as:", why);
	others->count = before->count;
	others->kind_count = before->kind_count;
	memcpy(others->kinds, before->kinds, sizeof(others->kinds));
	if (has_others)
		return;
	err = error_new(ERROR_UNSUPPORTED, "%s", why);
	run_pass_over(&run->run, path, err);
}

/** The lines after the first, which is in the batch already. */
static struct error *take_lines(struct report_run *run,
                                const struct input *input,
                                struct source *source)
{
	struct run_others before = run->run.others;
	size_t tried = run->run.tried;
	SCOPED(str_release) struct str block = { 0 };
	SCOPED(lines_release)
	struct lines lines = { .source = source,
		               .at_once = true,
		               .longest = limit_get(LIMIT_REPORT),
		               .count = 1 };
	struct error *err = NULL;
	struct unread unread;

	report_batch_several(run);
	handle_piece(run);
	while (!err && lines_next(&lines, &block, &unread.line)) {
		bool is_broken = lines_broken(&lines, &block);
		struct text all = str_text(&block);

		// What is whole of it is read all the same.
		unread.text =
		        is_broken
		                ? text_first(all,
		                             text_find_last_char(all, '\n') + 1)
		                : all;
		err = take_block(run, input, &unread, lines.ended || is_broken);
		if (!err && is_broken)
			err = too_large(input->path, unread.line, "line");
		if (!err)
			lines_put_back(&lines, unread.text);
	}
	if (!err)
		err = source_take_error(source);
	// A file that has failed is not passed over.
	take_passed(run, input->path, &before, err || run->run.tried > tried);
	return err;
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
static bool take_first_line(struct report_run *run, const struct input *input,
                            struct source *source, struct arena *names)
{
	struct text head = source_peek_line(source, limit_get(LIMIT_REPORT));
	struct batch *batch = run->batch;
	struct text line = text_first(head, text_find_char(head, '\n'));

	if (!text_starts(line, "{") || !text_ends(text_trim_right(line), "}"))
		return false;
	batch_add_content(batch, arena_printf(names, "%s:1", input->path), line)
	        ->from_directory = input->from_directory;
	batch_parse(batch, 1);
	if (batch->entries[0].reports)
		source_skip(source, line.size + (line.size < head.size));
	else
		batch_clear(batch);
	return batch->count;
}

/** Is it worked on while it is read? */
static bool is_stream(const struct input *input)
{
	return !strcmp(input->path, "-") ||
	       input->size_bytes >= STREAM_BYTES_MIN;
}

static bool may_be_other(const struct report_run *run,
                         const struct input *input)
{
	return run->group && !input->from_directory;
}

/** Read a table of groups; false, and nothing is used up: something else. */
static bool take_table(struct report_run *run, struct source *source,
                       struct error **ret)
{
	const struct reader *reader = source_reader(source, YIELDS_GROUPS);
	struct sink sink = { .group = run->group, .context = run->context };
	struct error *err;

	if (!reader)
		return false;
	if (selection_is_active(&run->run.selection)) {
		*ret = error_new(
		        ERROR_USAGE,
		        "a table of groups cannot be selected from: "
		        "give --where, --since and --until to 'group'");
		run->is_unfit = true;
		return true;
	}
	err = source_decode(source, limit_get(LIMIT_UNPACKED));
	if (!err) {
		err = reader_read_feed(reader, source_read, source, &sink);
		err = err ? source_blame(source, err)
		          : source_take_error(source);
	}
	run->is_unfit |= err && error_code(err) == ERROR_USAGE;
	*ret = err;
	return true;
}

static void take_alone(struct report_run *run, const struct input *input)
{
	SCOPED(source_release) struct source source = { 0 };
	SCOPED(arena_release) struct arena names = { 0 };
	SCOPED(error_drop)
	struct error *err = source_open(&source, input->path);

	if (!err && may_be_other(run, input) &&
	    take_table(run, &source, &err)) {
		report_batch_end_input(run, input->path, err);
		return;
	}
	run_begin_stream(&run->run);
	if (!err)
		err = is_stream(input) && take_first_line(run, input, &source,
		                                          &names)
		              ? take_lines(run, input, &source)
		              : take_rest(run, &source, input->from_directory);
	run_end_stream(&run->run, input->path);
	if (err)
		report_batch_end_input(run, input->path, err);
}

static void take_input(const struct input *input, void *context)
{
	struct report_run *run = context;
	const struct inputs *inputs = &run->run.inputs;
	bool is_alone = is_stream(input) || may_be_other(run, input);

	if (is_alone || batch_is_full(run->batch)) {
		if (is_alone)
			report_batch_handle(run);
		else
			report_batch_next(run);
		run_progress(&run->run, (size_t)(input - inputs->items),
		             inputs->count, "inputs");
	}
	if (is_alone)
		take_alone(run, input);
	else
		batch_add_file(run->batch, input);
}

enum exit_status report_run_all(struct report_run *run)
{
	const struct inputs *inputs = &run->run.inputs;

	if (inputs->count + inputs->failed != 1)
		report_batch_several(run);
	else if ((inputs->several || run->settings->array) && !run->hook_only &&
	         !run->hook_only_several)
		documents_begin(&run->documents);
	for (size_t i = 0; i < inputs->count; i++)
		run->bytes_left += inputs->items[i].size_bytes;
	run_each(&run->run, take_input, run);
	report_batch_handle(run);
	notice_progress_end(run->run.notices);
	// Of two sides, one may be empty.
	if (run->run.may_be_empty)
		return run_status(&run->run);
	return run_check_selection(&run->run, run_status(&run->run));
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
		notice_error(run->run.notices, NULL, err);
		status = EXIT_ENVIRONMENT;
	}
	return run_finish(&run->run, status);
}

void report_run_release(struct report_run *run)
{
	ahead_release(&run->ahead);
	documents_release(&run->documents);
	run_release(&run->run);
	lag_rules_release(&run->rules);
	signer_release(&run->signer);
	source_lines_close(&run->sources);
	free(run->batch);
	free(run->read);
}

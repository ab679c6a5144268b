// SPDX-License-Identifier: MIT
#include "cmd/run/run.h"

#include "cmd/run/output.h"
#include "cmd/run/source.h"
#include "lib/base/parallel.h"
#include "lib/base/utf8.h"
#include "lib/model/redact/redact.h"

struct command_line run_one_operand(const struct command_line *line,
                                    size_t index)
{
	struct command_line one = *line;

	one.operands += index;
	one.operand_count = 1;
	return one;
}

void run_progress(const struct run *run, size_t done, size_t total,
                  const char *what)
{
	if (!run->settings->quiet)
		notice_progress(run->notices, done, total, what);
}

unsigned run_jobs(const struct command_line *line,
                  const struct run_settings *settings)
{
	unsigned jobs = settings->jobs ? settings->jobs
	                               : (unsigned)line->config->jobs.value;

	return jobs ? jobs : parallel_processors();
}

enum exit_status run_init(struct run *run, const struct command_line *line,
                          const struct run_settings *settings)
{
	enum exit_status status;
	struct error *err;

	run->settings = settings;
	run->config = line->config;
	run->notices = line->notices;
	run->jobs = run_jobs(line, settings);
	err = option_selection(&settings->selection, &run->selection_arena,
	                       &run->selection);
	if (err)
		return notice_refuse(run->notices, err);
	status = run_again(run, line);
	if (status != EXIT_DONE || run->no_output)
		return status;
	return output_open(run->notices, settings->output, &run->out);
}

enum exit_status run_again(struct run *run, const struct command_line *line)
{
	enum exit_status status;

	inputs_release(&run->inputs);
	arena_release(&run->others.arena);
	run->others = (struct run_others){ 0 };
	run->has_failed_part = false;
	run->operand = line->operand_count ? line->operands[0] : NULL;
	run->operand_count = line->operand_count;
	status = inputs_gather(line, run->settings->output,
	                       run->settings->quiet, &run->inputs);
	run->tried = run->failed = run->inputs.failed;
	return status;
}

size_t run_each_operand(const struct command_line *line,
                        struct error *(*take)(const char *operand,
                                              void *context),
                        void *context)
{
	size_t failed = 0;

	for (size_t i = 0; i < line->operand_count; i++) {
		SCOPED(error_drop)
		struct error *err = take(line->operands[i], context);

		if (err) {
			notice_error(line->notices, NULL, err);
			failed++;
		}
	}
	return failed;
}

void run_each(struct run *run,
              void (*take)(const struct input *input, void *context),
              void *context)
{
	for (size_t i = 0; i < run->inputs.count; i++)
		take(&run->inputs.items[i], context);
	notice_progress_end(run->notices);
}

/** Context of run_each_whole(). */
struct whole {
	struct run *run;
	run_take_whole take;
	void *context;
};

static struct error *read_whole(const char *path, const struct whole *whole)
{
	SCOPED(source_release) struct source source = { 0 };
	SCOPED(error_drop) struct error *part = NULL;
	struct bytes in;
	struct error *err = source_open_all(&source, path, &in);

	if (err)
		return err;
	err = whole->take(in, path, whole->context);
	if (err)
		return source_blame(&source, err);
	part = source_take_error(&source);
	if (part)
		run_fail_part(whole->run, path, part);
	return NULL;
}

static void take_whole(const struct input *input, void *context)
{
	const struct whole *whole = context;
	SCOPED(error_drop) struct error *err = read_whole(input->path, whole);

	if (run_passes_over(input->from_directory, err))
		run_pass_over(whole->run, input->path, err);
	else
		run_count(whole->run, input->path, err);
}

void run_each_whole(struct run *run, run_take_whole take, void *context)
{
	struct whole whole = { .run = run, .take = take, .context = context };

	run_each(run, take_whole, &whole);
}

bool run_passes_over(bool from_directory, const struct error *err)
{
	return from_directory && err && error_code(err) == ERROR_UNSUPPORTED;
}

void run_pass_over(struct run *run, const char *name, const struct error *err)
{
	struct run_others *others = &run->others;
	struct text why = error_reason(err, name);
	size_t i = 0;

	others->count++;
	while (i < others->kind_count && !text_is(why, others->kinds[i].why))
		i++;
	if (i == RUN_OTHER_KINDS)
		return;
	if (i == others->kind_count) {
		others->kinds[i].why =
		        arena_text(&others->arena, utf8_first(why, 200));
		others->kind_count++;
	}
	others->kinds[i].count++;
}

/** `2 files: not a jetsam log, but a crash report; …` */
static enum exit_status fail_of_nothing(const struct run *run)
{
	const struct run_others *others = &run->others;
	SCOPED(str_release) struct str where = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	size_t rest = others->count;

	if (run->operand)
		str_addf(&where, " in '%s'", run->operand);
	if (run->operand_count > 1)
		str_addf(&where, " and %zu more", run->operand_count - 1);

	for (size_t i = 0; i < others->kind_count; i++) {
		size_t count = others->kinds[i].count;

		str_addf(&text, "%s%zu file%s: %s", i ? "; " : " (", count,
		         text_plural(count), others->kinds[i].why);
		rest -= count;
	}
	if (rest)
		str_addf(&text, "; %zu others", rest);
	return notice_fail(run->notices, NULL,
	                   "nothing to read: no report was found%s%s%s",
	                   str_cstr(&where), str_cstr(&text),
	                   others->count ? ")" : "");
}

void run_begin_stream(struct run *run)
{
	run->is_stream = true;
	run->messages = 0;
}

void run_end_stream(struct run *run, const char *name)
{
	run->is_stream = false;
	if (run->messages > RUN_STREAM_MESSAGES)
		notice_warn(run->notices, name, "%zu more messages",
		            run->messages - RUN_STREAM_MESSAGES);
}

/** May this message be printed? */
static bool may_give(struct run *run)
{
	return !run->is_stream || run->messages++ < RUN_STREAM_MESSAGES;
}

void run_count(struct run *run, const char *name, const struct error *err)
{
	run->tried++;
	if (!err)
		return;
	run->failed++;
	if (may_give(run))
		notice_error(run->notices, name, err);
}

void run_fail_part(struct run *run, const char *name, const struct error *err)
{
	run->has_failed_part = true;
	if (may_give(run))
		notice_error(run->notices, name, err);
}

void run_print_notes(struct run *run, const char *name,
                     const struct notice *notes, size_t count, bool quiet)
{
	for (size_t i = 0; i < count; i++) {
		bool is_failure = notes[i].kind == NOTICE_FAILURE;

		run->has_failed_part |= is_failure;
		if ((is_failure || !quiet) && may_give(run))
			notice_of_input(run->notices, name, &notes[i]);
	}
}

enum exit_status run_status(const struct run *run)
{
	if (!run->tried)
		return run->may_be_empty ? EXIT_DONE : fail_of_nothing(run);
	if (run->tried == run->failed)
		return EXIT_ALL_FAILED;
	return run->failed || run->has_failed_part ? EXIT_SOME_FAILED
	                                           : EXIT_DONE;
}

enum exit_status run_check_selection(const struct run *run,
                                     enum exit_status status)
{
	if (run->undated && !run->settings->quiet)
		notice_warn(run->notices, NULL,
		            "%zu report%s without a date skipped: --since and "
		            "--until need one",
		            run->undated, run->undated == 1 ? "" : "s");
	if (!run->skipped || run->selected || status == EXIT_ALL_FAILED)
		return status;
	return notice_fail(run->notices, NULL,
	                   "no report matches --where, --since, --until: "
	                   "%zu report%s skipped",
	                   run->skipped, run->skipped == 1 ? "" : "s");
}

enum exit_status run_finish(struct run *run, enum exit_status status)
{
	struct out *out = run->out;

	if (run->no_output)
		return status;
	if ((status == EXIT_ALL_FAILED || status == EXIT_USAGE) &&
	    run->settings->output)
		return status;
	run->out = NULL;
	return output_finish(run->notices, out, status);
}

enum exit_status run_check_bulk_op(const struct notices *notices,
                                   const struct run_settings *settings,
                                   const struct formatter *formatter)
{
	if (!settings->has_bulk_op || formatter->has_bulk_ops)
		return EXIT_DONE;
	return notice_usage(notices,
	                    "option '--bulk-op' needs es-bulk output, but the "
	                    "format is %s",
	                    formatter->name);
}

enum exit_status run_check_counts(const struct notices *notices,
                                  const struct formatter *formatter,
                                  const char *option, const char *what)
{
	if (!formatter_only_counts(formatter))
		return EXIT_DONE;
	return notice_usage(notices,
	                    "format '%s' adds up counts, but '%s' lists %s",
	                    formatter->name, option, what);
}

void run_print_table(const struct formatter *formatter,
                     const struct table *table,
                     const struct format_options *options, struct out *out)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	if (redaction())
		table = table_redact(table, redaction(), &arena);
	formatter->table(table, options, out);
	table_release(table);
}

void run_release(struct run *run)
{
	inputs_release(&run->inputs);
	arena_release(&run->others.arena);
	arena_release(&run->selection_arena);
	out_abandon(run->out);
}

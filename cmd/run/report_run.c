// SPDX-License-Identifier: MIT
#include "cmd/run/reports.h"

#include "cmd/run/frame_rules.h"
#include "cmd/run/report_batch.h"
#include "cmd/run/report_write.h"

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

/** Prepare a file per report, now that the inputs are known. */
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

/** Read the meanings of frames, for formats with explanations. */
static enum exit_status read_rules(struct report_run *run,
                                   const struct notices *notices)
{
	struct error *err = frame_rules_read(NULL, &run->rules, NULL);

	run->signer.functions.rules = &run->rules;
	return err ? notice_refuse(notices, err) : EXIT_DONE;
}

/** Open the source directory, for formats that show source lines. */
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
	status = run_init(&run->run, line, &settings->run);
	documents->out = run->run.out;
	if (status == EXIT_DONE && has_directory)
		status = begin_directory(run);
	if (status == EXIT_DONE)
		report_batch_init(run);
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

enum exit_status report_run_all(struct report_run *run)
{
	const struct inputs *inputs = &run->run.inputs;

	if (inputs->count + inputs->failed != 1)
		report_write_several(run);
	else if ((inputs->several || run->settings->array) && !run->hook_only &&
	         !run->hook_only_several)
		documents_begin(&run->documents);
	run->input.next = 0;
	pipeline_run(&run->pipeline);
	notice_progress_end(run->run.notices);
	// One of two sides may be empty.
	if (run->run.may_be_empty)
		return run_status(&run->run);
	return run_check_selection(&run->run, run_status(&run->run));
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
	report_batch_release(run);
	report_input_release(&run->input);
	documents_release(&run->documents);
	run_release(&run->run);
	lag_rules_release(&run->rules);
	signer_release(&run->signer);
	source_lines_close(&run->sources);
}

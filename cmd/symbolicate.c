// SPDX-License-Identifier: MIT
#include "lib/analysis/symbolicate/symbolicate.h"
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/run/atos_hint.h"
#include "cmd/run/inputs.h"
#include "cmd/run/log_filter.h"
#include "cmd/run/missing_symbols.h"
#include "cmd/run/output.h"
#include "cmd/run/reports.h"
#include "cmd/run/symbol_search.h"
#include "lib/analysis/symbolicate/device_names.h"
#include "lib/analysis/symbolicate/mismatch.h"

#include <string.h>

struct symbolicate_settings {
	struct symbol_paths symbols;
	struct report_settings reports;
	unsigned form; ///< enum demangle_form
	struct option_list mismatches;
	bool strict;
	bool log;
	struct option_list images;
};

static const struct option options[] = {
	OPT_SYMBOL_PATHS(struct symbolicate_settings, symbols),
	OPT_FORMAT(struct symbolicate_settings, reports.format, SHAPE_REPORT,
	           "text"),
	OPT_DEMANGLE(struct symbolicate_settings, form),
	OPT_DEBUG_INFO(struct symbolicate_settings, symbols.debug_info),
	OPT_REPORTS(struct symbolicate_settings, reports),
	OPT_JOBS(struct symbolicate_settings, reports.run),
	OPT_FLAG(0, "strict", struct symbolicate_settings, strict,
	         "exit with status 1 if app frames have no line because a "
	         "dSYM is missing"),
	OPT_LIST(0, "allow-uuid-mismatch", struct symbolicate_settings,
	         mismatches, "<uuid=file>",
	         "use <file>, of another build, for the image <uuid>; its "
	         "names are marked"),
	{ .kind = OPTION_FLAG,
	  .name = "log",
	  .also = "grep",
	  .offset = offsetof(struct symbolicate_settings, log),
	  .has_offset = SIZE_MAX,
	  .help = "read any log, name the frames in it, and copy the rest "
	          "unchanged" },
	OPT_LIST(0, "images", struct symbolicate_settings, images, "<file>",
	         "with --log, take UUIDs and load addresses from <file>, a "
	         "report or a list of images"),
	OPT_QUIET(struct symbolicate_settings, reports.run),
	OPT_END,
};

static const struct example examples[] = {
	{ "apmtool symbolicate samples/demo-mac.crash --dsym samples",
	  "symbolicate with the dSYMs below a directory" },
	{ "apmtool symbolicate --format json samples/demo.ips -d samples",
	  "the same as JSON, for programs" },
	{ "cat samples/demo.ips | apmtool symbolicate -q -",
	  "read standard input; frames that already have a name keep it" },
	{ "tail -n 80 samples/demo.crash | apmtool symbolicate --log "
	  "-d samples --images samples/demo.crash",
	  "name the frames in a log as it arrives, with the images of a "
	  "report" },
	{ NULL, NULL },
};

/** Symbols of all reports, and what was missing. */
struct naming {
	struct symbol_search search;
	struct mismatches mismatches;
	struct missing_symbols missing;
	size_t unlisted_count; ///< symbolicate_count_unlisted()
	bool quiet;
};

static void naming_release(struct naming *naming)
{
	symbol_search_release(&naming->search);
	mismatches_release(&naming->mismatches);
	missing_symbols_release(&naming->missing);
}

static void name_frames(struct report *const *reports, size_t count,
                        struct arena *arena, void *context)
{
	struct naming *naming = context;
	struct symbolicate_result result;

	symbol_search_begin(&naming->search, reports, count);
	for (size_t i = 0; i < count && !naming->quiet; i++)
		atos_hint_notice(&console, reports[i],
		                 symbol_store_index(naming->search.store));
	device_names_demangle(reports, count, naming->search.form, arena);
	mismatches_apply(&naming->mismatches, reports, count,
	                 naming->search.store, arena);
	symbolicate(reports, count, naming->search.store, naming->search.form,
	            arena, &result);
	missing_symbols_add(&naming->missing, &result, MISSING_LINES);
	for (size_t i = 0; i < count; i++)
		naming->unlisted_count +=
		        symbolicate_count_unlisted(reports[i]);
}

static enum exit_status open_mismatches(struct mismatches *mismatches,
                                        const struct option_list *given)
{
	for (size_t i = 0; i < given->count; i++) {
		struct error *err = mismatches_add(mismatches, given->items[i]);

		if (err)
			return notice_refuse(&console, err);
	}
	return EXIT_DONE;
}

/** An unused file that was requested is a failure. */
static enum exit_status report_refusals(const struct mismatches *mismatches,
                                        enum exit_status status)
{
	for (size_t i = 0; i < mismatches->count; i++) {
		const char *refusal = mismatch_refusal(&mismatches->items[i]);
		SCOPED(error_drop) struct error *err = NULL;

		if (!refusal)
			continue;
		err = error_new(ERROR_NOT_FOUND,
		                "'%s' was not used by --allow-uuid-mismatch: "
		                "%s",
		                mismatches->items[i].path, refusal);
		notice_error(&console, NULL, err);
		if (status == EXIT_DONE)
			status = EXIT_ANSWER_NO;
	}
	return status;
}

static enum exit_status symbolicate_reports(const struct command_line *line)
{
	const struct symbolicate_settings *settings = line->settings;
	SCOPED(naming_release)
	struct naming naming = {
		.search = { .form = settings->form },
		.quiet = settings->reports.run.quiet,
	};
	SCOPED(report_run_release)
	struct report_run run = { .hook = name_frames,
		                  .context = &naming,
		                  .can_use_directory = true };
	const struct command_line reports =
	        symbol_search_split(&naming.search, line);
	enum exit_status status =
	        report_run_init(&run, &reports, &settings->reports);

	if (status == EXIT_DONE)
		status = symbol_search_open(
		        &naming.search, &reports, &settings->symbols,
		        run_jobs(line, &settings->reports.run), naming.quiet);
	if (status == EXIT_DONE)
		status = open_mismatches(&naming.mismatches,
		                         &settings->mismatches);
	if (status != EXIT_DONE)
		return status;
	status = report_run_all(&run);
	if (!settings->reports.run.quiet)
		missing_symbols_notice(&console, &naming.missing,
		                       symbol_store_index(naming.search.store),
		                       true);
	if (status == EXIT_DONE && settings->strict &&
	    (naming.missing.count || naming.unlisted_count))
		status = EXIT_ANSWER_NO;
	status = symbols_status(&console, naming.search.store,
	                        naming.search.near.quiet,
	                        report_refusals(&naming.mismatches, status));
	return report_run_finish(&run, status);
}

/** Reject options for reports together with a log. */
static enum exit_status check_log_options(
        const struct symbolicate_settings *settings)
{
	const struct report_settings *reports = &settings->reports;
	const struct redact_settings *redact = &reports->run.redact;
	const char *wrong = NULL;

	if (!settings->log && settings->images.count)
		return notice_usage(&console,
		                    "option '--images' needs '--log': a report "
		                    "has its own list");
	if (!settings->log)
		return EXIT_DONE;
	if (strcmp(reports->format, "text") != 0)
		wrong = "format";
	else if (reports->has_style)
		wrong = "style";
	else if (reports->run.selection.where.count)
		wrong = "where";
	else if (reports->run.selection.since)
		wrong = "since";
	else if (reports->run.selection.until)
		wrong = "until";
	else if (reports->array)
		wrong = "array";
	else if (reports->threads)
		wrong = "threads";
	else if (redact->is_on || redact->key)
		wrong = "redact";
	else if (settings->mismatches.count)
		wrong = "allow-uuid-mismatch";
	if (!wrong)
		return EXIT_DONE;
	return notice_usage(&console,
	                    "option '--%s' applies to reports: '--log' only "
	                    "adds names of frames",
	                    wrong);
}

static enum exit_status give_images(struct log_filter *filter,
                                    const struct option_list *paths)
{
	for (size_t i = 0; i < paths->count; i++) {
		struct error *err =
		        log_filter_add_images(filter, paths->items[i]);

		if (err)
			return notice_refuse(&console, err);
	}
	return EXIT_DONE;
}

/** Filter all logs, one after the other. */
static enum exit_status pass_logs(struct log_filter *filter,
                                  const struct inputs *inputs)
{
	size_t failed = inputs->failed;

	for (size_t i = 0; i < inputs->count; i++) {
		SCOPED(error_drop)
		struct error *err =
		        log_filter_run(filter, inputs->items[i].path);

		if (!err)
			continue;
		notice_error(&console, NULL, err);
		failed++;
	}
	if (!failed)
		return EXIT_DONE;
	return failed < inputs->count + inputs->failed ? EXIT_SOME_FAILED
	                                               : EXIT_ALL_FAILED;
}

static enum exit_status filter_logs(struct log_filter *filter,
                                    const struct command_line *line,
                                    const struct symbolicate_settings *settings)
{
	const struct run_settings *run = &settings->reports.run;
	SCOPED(inputs_release) struct inputs inputs = { 0 };
	enum exit_status status =
	        inputs_gather(line, run->output, run->quiet, &inputs);

	if (status == EXIT_DONE)
		status = symbol_search_open(filter->search, line,
		                            &settings->symbols,
		                            run_jobs(line, run), run->quiet);
	if (status == EXIT_DONE)
		status = give_images(filter, &settings->images);
	if (status == EXIT_DONE)
		status = output_open(&console, run->output, &filter->out);
	if (status != EXIT_DONE)
		return status;
	filter->on_terminal = out_is_terminal(filter->out);
	out_set_content(filter->out, OUT_BINARY);
	status = pass_logs(filter, &inputs);
	if (!run->quiet)
		log_filter_notice(filter, &console);
	if (status == EXIT_DONE && settings->strict && filter->unnamed_count)
		status = EXIT_ANSWER_NO;
	status = symbols_status(&console, filter->search->store, run->quiet,
	                        status);
	return output_finish(&console, filter->out, status);
}

static enum exit_status symbolicate_logs(const struct command_line *line)
{
	const struct symbolicate_settings *settings = line->settings;
	SCOPED(symbol_search_release)
	struct symbol_search search = { .form = settings->form };
	SCOPED(log_filter_release)
	struct log_filter filter = { .search = &search };
	const struct command_line logs = symbol_search_split(&search, line);

	return filter_logs(&filter, &logs, settings);
}

static enum exit_status symbolicate_run(const struct command_line *line)
{
	const struct symbolicate_settings *settings = line->settings;
	enum exit_status status = check_log_options(settings);

	if (status != EXIT_DONE)
		return status;
	return settings->log ? symbolicate_logs(line)
	                     : symbolicate_reports(line);
}

const struct command symbolicate_command = {
	.name = "symbolicate",
	.topic = COMMAND_SYMBOLS,
	.summary = "add function names, files and lines to crash reports",
	.operands = "[<report>...]",
	.description =
	        "Prints each report with its frames symbolicated: function, "
	        "offset, file and line, and a frame of its own for each "
	        "inlined call. Reads Apple's text (.crash) and JSON (.ips) "
	        "reports, KSCrash, PLCrashReporter and MetricKit; the format "
	        "is detected from the content (see apmtool-formats(5)). "
	        "Directories are searched recursively; `-` is standard "
	        "input.\n\nA dSYM is used only for the image with the same "
	        "UUID. Colon-separated paths in APMTOOL_DSYM_PATH are searched "
	        "after those of --dsym. A dSYM, Mach-O file or archive among "
	        "the operands is searched as well. Without any for an image of "
	        "the app, dSYMs beside the reports and below the current "
	        "directory are used.\n\nWith --log, any text is read, and "
	        "frames are named once the log has listed their images with "
	        "load addresses; the rest is copied byte for byte.",
	.options = options,
	.examples = examples,
	.settings_size = sizeof(struct symbolicate_settings),
	.uses_config = true,
	.run = symbolicate_run,
};

// SPDX-License-Identifier: MIT
#include "cmd/command.h"
#include "cmd/console.h"
#include "cmd/filter/front.h"
#include "cmd/run/output.h"
#include "cmd/run/symbol_search.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct filter_settings {
	struct symbol_paths symbols;
	struct report_settings reports;
	const char *log;
	unsigned frame; ///< enum framing
	unsigned shape; ///< enum answer_shape
	unsigned form;  ///< enum demangle_form
	unsigned time_limit_s;
};

#define TIME_LIMIT_S     30
#define TIME_LIMIT_S_MAX 3600

static const struct option options[] = {
	OPT_CHOICE(0, "frame", struct filter_settings, frame, FRAMINGS,
	           "how frames and answers are delimited"),
	OPT_CHOICE(0, "shape", struct filter_settings, shape, ANSWER_SHAPES,
	           "documents that an answer has for each report"),
	OPT_SYMBOL_PLACES(struct filter_settings, symbols),
	OPT_DEMANGLE(struct filter_settings, form),
	OPT_UINT(0, "time-limit", struct filter_settings, time_limit_s, 1,
	         TIME_LIMIT_S_MAX, "<seconds>",
	         "give up on a frame after <seconds>, 30 by default"),
	OPT_TEXT(0, "log", struct filter_settings, log, "<file>",
	         "append warnings and refused frames to <file>"),
	OPT_REDACT(struct filter_settings, reports.run.redact),
	OPT_PATH_MAP(struct filter_settings, reports.run.path_map),
	OPT_JOBS(struct filter_settings, reports.run),
	OPT_END,
};

static const struct example examples[] = {
	{ "jq -c . samples/kscrash-mach.json | apmtool filter | jq -r .status",
	  "one report in, one answer out" },
	{ "printf '%s\\n' '{\"apm\":1,\"id\":7,\"report\":\"no report\"}' | "
	  "apmtool filter",
	  "the answer has the id, even without a report" },
	{ "jq -c . samples/kscrash-mach.json | apmtool filter -d samples "
	  "--shape hash | jq -c '.documents[0].hashes'",
	  "what equal crashes have in common" },
	{ NULL, NULL },
};

static FILE *log_file;

/**
 * Send stderr to the log or /dev/null. A copy stays open: when stderr is
 * closed, Benthos takes the program for ended.
 */
static void begin(void)
{
	int fd = log_file ? fileno(log_file) : open("/dev/null", O_WRONLY);

	console_use_log(log_file);
	(void)fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (fd >= 0)
		dup2(fd, STDERR_FILENO);
	if (!log_file)
		close(fd);
}

static enum exit_status open_log(const char *path)
{
	if (!path)
		return EXIT_DONE;
	log_file = fopen(path, "ae");
	if (!log_file)
		return notice_refuse(&console,
		                     error_os(errno, "cannot open '%s'", path));
	return EXIT_DONE;
}

static enum exit_status filter_run(const struct command_line *line)
{
	const struct filter_settings *settings = line->settings;
	struct report_settings reports = settings->reports;
	struct symbol_paths symbols = settings->symbols;
	const struct reader_settings reader = {
		.line = line,
		.reports = &reports,
		.symbols = &symbols,
		.shape = (enum answer_shape)settings->shape,
		.form = settings->form,
		.begin = begin,
		.give_up = console_end,
	};
	struct front_settings front = {
		.reader = &reader,
		.framing = (enum framing)settings->frame,
		.time_limit_s = settings->time_limit_s,
		.input = STDIN_FILENO,
	};
	enum exit_status status;

	reports.format = answer_format(reader.shape);
	reports.run.quiet = true;
	// A report from a pipe has no directory to search.
	symbols.no_auto = true;
	if (line->is_typed)
		return notice_usage(&console,
		                    "reports are expected on standard input");
	status = open_log(settings->log);
	if (status == EXIT_DONE)
		status = output_open(&console, NULL, &front.out);
	if (status != EXIT_DONE)
		return status;
	out_set_content(front.out, OUT_BINARY);
	status = front_run(&front);
	return output_finish(&console, front.out, status);
}

const struct command filter_command = {
	.name = "filter",
	.topic = COMMAND_TOOLS,
	.summary = "answer reports one by one, in a pipeline",
	.description =
	        "Reads frames from standard input, each with a report or an "
	        "envelope around one, and writes exactly one answer for each "
	        "to standard output, in order and at once: a JSON object "
	        "(apmtool.answer/1). A separate process reads reports. If a "
	        "report crashes it, the answer to that frame is 'failed', and "
	        "other frames are not affected.\n\nAn envelope is "
	        "{\"apm\":1,\"id\":…,\"meta\":…,\"report\":…}; the answer has "
	        "the same id and meta. The report is an object, a string, or "
	        "{\"base64\":\"…\"}. With netstring and u32, a frame may be "
	        "any file that 'symbolicate' reads.\n\nOnce frames are read, "
	        "nothing is printed on standard error. See apmtool-filter(1) "
	        "for statuses, brokers and stream processors.",
	.options = options,
	.examples = examples,
	.defaults =
	        &(const struct filter_settings){ .time_limit_s = TIME_LIMIT_S },
	.settings_size = sizeof(struct filter_settings),
	.uses_config = true,
	.is_filter = true,
	.run = filter_run,
};

// SPDX-License-Identifier: MIT
/**
 * Shared by commands that read inputs: operands, decoding, counting, exit
 * status.
 *
 *     operands → inputs → source (bytes, decoded) → pipeline → the command
 *
 * Commands for reports use reports.h, those that fold samples use samples.h;
 * both use the pipeline (pipeline.h), with several jobs. Commands for other
 * inputs use run_each_whole(). The number of jobs never changes the output.
 *
 *     SCOPED(run_release) struct run run = { 0 };
 *
 *     status = run_init(&run, line, &settings->run);
 *     if (status != EXIT_DONE)
 *             return status;
 *     run_each_whole(&run, take, context);
 *     …
 *     return run_finish(&run, run_status(&run));
 */
#ifndef APMTOOL_CMD_RUN_RUN_H
#define APMTOOL_CMD_RUN_RUN_H

#include "cmd/run/inputs.h"
#include "cmd/run/notices.h"
#include "cmd/run/options.h"
#include "cmd/run/redaction.h"
#include "cmd/run/source_paths.h"
#include "formatters/formatter.h"
#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/base/error.h"
#include "lib/base/out.h"
#include "lib/cli/command.h"
#include "lib/config/config.h"

#include <stdbool.h>
#include <stddef.h>

/** Choices of `--bulk-op`, in the order of enum bulk_op. */
#define BULK_OPS "index|create"

/** User settings; part of the settings of each such command. */
struct run_settings {
	const char *output;
	unsigned jobs; ///< 0: the config's
	bool quiet;
	struct redact_settings redact;
	struct option_list path_map; ///< only for source_paths_begin()
	struct text_width width;     ///< of text other than crash reports
	struct selection_settings selection;
	unsigned bulk_op; ///< enum bulk_op
	bool has_bulk_op;
};

/** Their options. */
#define OPT_OUTPUT(type, member)                               \
	OPT_TEXT('o', "output", type, member.output, "<file>", \
	         "write to <file> instead of standard output")
/** As OPT_OUTPUT, for commands that can write a file per report. */
#define OPT_OUTPUT_REPORTS(type, member)                              \
	OPT_TEXT('o', "output", type, member.output, "<path>",        \
	         "write to the file <path>; if it is a directory, a " \
	         "file per report")
/** For commands with a format that has operations (`es-bulk`). */
#define OPT_BULK(type, member)                                          \
	OPT_CHOICE_HAS(                                                 \
	        0, "bulk-op", type, member.bulk_op, member.has_bulk_op, \
	        BULK_OPS,                                               \
	        "with es-bulk, replace an existing document, or keep it")
#define OPT_JOBS(type, member)                                       \
	OPT_UINT('j', "jobs", type, member.jobs, 1, CONFIG_JOBS_MAX, \
	         "<count>", "use <count> processors instead of all")
#define OPT_QUIET(type, member)                    \
	OPT_FLAG('q', "quiet", type, member.quiet, \
	         "print errors only, no warnings or notes")

/** Max kinds listed if a directory has no usable file. */
#define RUN_OTHER_KINDS 4

/** Unusable files of directories, by kind. */
struct run_others {
	struct {
		const char *why;
		size_t count;
	} kinds[RUN_OTHER_KINDS]; ///< in order of occurrence
	size_t kind_count;
	size_t count; ///< of all kinds
	struct arena arena;
};

struct run {
	const struct run_settings *settings;
	const struct config *config;
	unsigned jobs; ///< at least 1
	struct inputs inputs;
	bool no_output; ///< set before run_init(): outputs are opened later
	struct out *out;
	const struct notices *notices; ///< of the command line

	/** Selection of reports, and counts of selected and other ones. */
	struct selection selection;
	struct arena selection_arena;
	size_t selected;
	size_t skipped;
	size_t undated; ///< of these, for lack of a date

	bool may_be_empty; ///< having no report is not a failure
	size_t tried;      ///< inputs, without skipped files of directories
	size_t failed;
	bool has_failed_part; ///< part of an input failed
	bool is_stream;       ///< between run_begin_stream() and its end
	size_t messages;      ///< of this stream
	struct run_others others;
	const char *operand; ///< the first, borrowed; or NULL
	size_t operand_count;
};

/** The command line with one of its operands only. */
struct command_line run_one_operand(const struct command_line *line,
                                    size_t index);

/** Show progress unless quiet; see struct notices. */
void run_progress(const struct run *run, size_t done, size_t total,
                  const char *what);

/** Number of jobs, at least 1. */
unsigned run_jobs(const struct command_line *line,
                  const struct run_settings *settings);

/**
 * List the inputs and open the output.
 *
 * @return EXIT_DONE, or another status after a message. Release in any case.
 */
enum exit_status run_init(struct run *run, const struct command_line *line,
                          const struct run_settings *settings);

/** Continue with other operands and the same output. */
enum exit_status run_again(struct run *run, const struct command_line *line);

/**
 * Pass the operands on unchanged, for commands that search directories in their
 * own way; prints a message for each that fails.
 *
 * @return The number of failed operands.
 */
size_t run_each_operand(const struct command_line *line,
                        struct error *(*take)(const char *operand,
                                              void *context),
                        void *context);

/** Pass the inputs on in order; the callee counts them. */
void run_each(struct run *run,
              void (*take)(const struct input *input, void *context),
              void *context);

/** Takes the decoded bytes of an input (parsers/input/decode.h). */
typedef struct error *(*run_take_whole)(struct bytes in, const char *name,
                                        void *context);

/** Read and decode each input as a whole, pass it on, and count it. */
void run_each_whole(struct run *run, run_take_whole take, void *context);

/**
 * Is this a file of a directory, and @p err only means that it is of another
 * kind?
 */
bool run_passes_over(bool from_directory, const struct error *err);

/** Record the kind of a skipped file. */
void run_pass_over(struct run *run, const char *name, const struct error *err);

/** Max messages about one stream, file or archive of reports. */
#define RUN_STREAM_MESSAGES 100

/**
 * Between these, messages are about reports of one input, which may repeat a
 * fault a million times: only the first are printed, the rest is counted.
 */
void run_begin_stream(struct run *run);
void run_end_stream(struct run *run, const char *name);

/** Count an input; @p err: print why it failed. */
void run_count(struct run *run, const char *name, const struct error *err);

/** Part of a counted input failed: print why. */
void run_fail_part(struct run *run, const char *name, const struct error *err);

/**
 * Print the notes of an input: `name: place: text`. A note that is a failure
 * counts as in run_fail_part().
 *
 * @param quiet  Only failures.
 */
void run_print_notes(struct run *run, const char *name,
                     const struct notice *notes, size_t count, bool quiet);

/**
 * EXIT_DONE, EXIT_SOME_FAILED or EXIT_ALL_FAILED, by the counts; prints a
 * message if there was nothing to read.
 */
enum exit_status run_status(const struct run *run);

/**
 * Returns @p status; if reports were read and none was selected, prints a
 * message and returns a failure.
 */
enum exit_status run_check_selection(const struct run *run,
                                     enum exit_status status);

/**
 * Put the output in place; returns @p status, or that of a failure. If there is
 * nothing to show, an older output file stays.
 */
enum exit_status run_finish(struct run *run, enum exit_status status);

/** Reject `--bulk-op` for a format without operations. */
enum exit_status run_check_bulk_op(const struct notices *notices,
                                   const struct run_settings *settings,
                                   const struct formatter *formatter);

/** Reject a format that only sums; @p option lists @p what. */
enum exit_status run_check_counts(const struct notices *notices,
                                  const struct formatter *formatter,
                                  const char *option, const char *what);

/** Print a table, redacted if requested, and release it. */
void run_print_table(const struct formatter *formatter,
                     const struct table *table,
                     const struct format_options *options, struct out *out);

void run_release(struct run *run);

#endif

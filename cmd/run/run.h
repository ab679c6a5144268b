// SPDX-License-Identifier: MIT
/**
 * Shared by commands that read inputs: operands, decoding, counting, exit
 * status.
 *
 *     operands → inputs → source (bytes, decoded) → pipeline → the command
 *
 * Commands that work on reports use reports.h, those that fold samples use
 * samples.h: in both, inputs go through the pipeline (pipeline.h), by several
 * jobs. Commands whose inputs are neither use run_each_whole(). The number of
 * jobs never changes the output.
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

/** What the user can choose; part of the settings of each such command. */
struct run_settings {
	const char *output;
	unsigned jobs; ///< 0: the config's
	bool quiet;
	struct redact_settings redact;
	struct option_list path_map; ///< for source_paths_begin() alone
	struct text_width width;     ///< of text that is no crash report
	struct selection_settings selection;
	unsigned bulk_op; ///< enum bulk_op
	bool has_bulk_op;
};

/** The options that fill it, for an option table. */
#define OPT_OUTPUT(type, member)                               \
	OPT_TEXT('o', "output", type, member.output, "<file>", \
	         "write to <file> instead of standard output")
/** The same for commands that can write a file per report. */
#define OPT_OUTPUT_REPORTS(type, member)                              \
	OPT_TEXT('o', "output", type, member.output, "<path>",        \
	         "write to the file <path>; if it is a directory, a " \
	         "file per report")
/** Of commands that offer a format with operations (`es-bulk`). */
#define OPT_BULK(type, member)                                                 \
	OPT_CHOICE_HAS(0, "bulk-op", type, member.bulk_op, member.has_bulk_op, \
	               BULK_OPS,                                               \
	               "with es-bulk, replace a document that is there, "      \
	               "or keep it")
#define OPT_JOBS(type, member)                                       \
	OPT_UINT('j', "jobs", type, member.jobs, 1, CONFIG_JOBS_MAX, \
	         "<count>", "use <count> processors instead of all")
#define OPT_QUIET(type, member)                    \
	OPT_FLAG('q', "quiet", type, member.quiet, \
	         "print errors only, no warnings or notes")

/** Kinds of files that are named where a directory holds nothing else. */
#define RUN_OTHER_KINDS 4

/** What files of directories are instead of ours, by what is said of them. */
struct run_others {
	struct {
		const char *why;
		size_t count;
	} kinds[RUN_OTHER_KINDS]; ///< in the order they came
	size_t kind_count;
	size_t count; ///< of all
	struct arena arena;
};

struct run {
	const struct run_settings *settings;
	const struct config *config;
	unsigned jobs; ///< at least 1
	struct inputs inputs;
	bool no_output; ///< set before run_init(): files are opened later
	struct out *out;
	const struct notices *notices; ///< of the command line

	/** Which reports are meant, and how many are, or are not. */
	struct selection selection;
	struct arena selection_arena;
	size_t selected;
	size_t left_out;
	size_t undated; ///< of those, left out since they have no date

	bool may_be_empty; ///< that there is no report is no failure
	size_t tried; ///< inputs, but for what directories hold besides ours
	size_t failed;
	bool has_failed_part; ///< an input failed in part
	bool is_stream;       ///< between run_begin_stream() and its end
	size_t messages;      ///< about this stream
	struct run_others others;
	const char *operand; ///< the first, borrowed; NULL: none
	size_t operand_count;
};

/** The command line with one of its operands alone. */
struct command_line run_one_operand(const struct command_line *line,
                                    size_t index);

/** Show how far it is, unless it is to be quiet; see struct notices. */
void run_progress(const struct run *run, size_t done, size_t total,
                  const char *what);

/** How many jobs these settings ask for, at least 1. */
unsigned run_jobs(const struct command_line *line,
                  const struct run_settings *settings);

/**
 * Gather the inputs and open the output.
 *
 * @return EXIT_DONE, or another status after a message. To be released in any
 *         case.
 */
enum exit_status run_init(struct run *run, const struct command_line *line,
                          const struct run_settings *settings);

/** Begin again with other operands and the same output. */
enum exit_status run_again(struct run *run, const struct command_line *line);

/**
 * Hand out the operands as they are, for a command that searches directories
 * in its own way; a message is printed for each that fails.
 *
 * @return How many failed.
 */
size_t run_each_operand(const struct command_line *line,
                        struct error *(*take)(const char *operand,
                                              void *context),
                        void *context);

/** Hand out the inputs in their order; who takes one counts it. */
void run_each(struct run *run,
              void (*take)(const struct input *input, void *context),
              void *context);

/** Takes the bytes of an input, decoded (parsers/input/decode.h). */
typedef struct error *(*run_take_whole)(struct bytes in, const char *name,
                                        void *context);

/** Read and decode inputs, hand out each as a whole, and count it. */
void run_each_whole(struct run *run, run_take_whole take, void *context);

/** A directory may hold other files than ours: does @p err say no more? */
bool run_passes_over(bool from_directory, const struct error *err);

/** Remember what an input that is passed over is instead. */
void run_pass_over(struct run *run, const char *name, const struct error *err);

/** Messages that are printed about one stream, file or archive of reports. */
#define RUN_STREAM_MESSAGES 100

/**
 * From here to the end, messages are about the reports of one input, which may
 * make the same mistake a million times: those beyond the first are counted
 * only.
 */
void run_begin_stream(struct run *run);
void run_end_stream(struct run *run, const char *name);

/** Count an input; @p err: say why it failed. */
void run_count(struct run *run, const char *name, const struct error *err);

/** An input was read, but for a part: say why. It is counted besides. */
void run_fail_part(struct run *run, const char *name, const struct error *err);

/**
 * Give the notes of what was read of an input: `name: place: text`. One that
 * is a failure counts as run_fail_part() does.
 *
 * @param quiet  Only failures.
 */
void run_print_notes(struct run *run, const char *name,
                     const struct notice *notes, size_t count, bool quiet);

/**
 * EXIT_DONE, EXIT_SOME_FAILED or EXIT_ALL_FAILED, by what was counted; says
 * so where there was nothing to read.
 */
enum exit_status run_status(const struct run *run);

/**
 * @p status, unless reports were read and none of them is selected: that is
 * said, and is no answer.
 */
enum exit_status run_check_selection(const struct run *run,
                                     enum exit_status status);

/**
 * Put the output in place; @p status, or why that could not be done. With
 * nothing to show, an older output file stays as it was.
 */
enum exit_status run_finish(struct run *run, enum exit_status status);

/** Refuse `--bulk-op` where the format has no operations. */
enum exit_status run_check_bulk_op(const struct notices *notices,
                                   const struct run_settings *settings,
                                   const struct formatter *formatter);

/** Refuse a format that only adds up, where @p option lists @p what. */
enum exit_status run_check_counts(const struct notices *notices,
                                  const struct formatter *formatter,
                                  const char *option, const char *what);

/** Print a table, with --redact redacted, and release it. */
void run_print_table(const struct formatter *formatter,
                     const struct table *table,
                     const struct format_options *options, struct out *out);

void run_release(struct run *run);

#endif

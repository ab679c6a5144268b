// SPDX-License-Identifier: MIT
/**
 * Reads and writes reports, for all commands that work on reports. A block of
 * the pipeline (pipeline.h) is a batch of inputs. The command's hook gets a
 * whole batch, whose reports are then written in input order. Other jobs
 * meanwhile parse the next batch and format reports. Standard input and large
 * files are streams: JSON Lines are handled as they arrive, in constant memory.
 *
 *     SCOPED(report_run_release)
 *     struct report_run run = { .hook = name_frames };
 *
 *     status = report_run_init(&run, line, &settings->reports);
 *     if (status != EXIT_DONE)
 *             return status;
 *     return report_run_finish(&run, report_run_all(&run));
 */
#ifndef APMTOOL_CMD_RUN_REPORTS_H
#define APMTOOL_CMD_RUN_REPORTS_H

#include "cmd/run/batch.h"
#include "cmd/run/documents.h"
#include "cmd/run/pipeline.h"
#include "cmd/run/report_input.h"
#include "cmd/run/run.h"
#include "cmd/run/source.h"
#include "cmd/run/source_lines.h"
#include "lib/analysis/crash/signature/signer.h"
#include "lib/config/lag_rules.h"
#include "lib/model/thread_choice.h"
#include "parsers/reader.h"

#include <stdbool.h>
#include <stddef.h>

/** In the order of enum text_style. */
#define REPORT_STYLES "full|partial|side-by-side|raw"

/** User settings; part of the settings of each such command. */
struct report_settings {
	struct run_settings run;
	const char *format;      ///< of OPT_FORMAT
	unsigned style;          ///< enum text_style
	bool has_style;          ///< else from the config
	bool array;              ///< write an array even for one report
	const char *source_root; ///< for source_lines_open()
	const char *threads;     ///< for thread_choice_parse(); NULL: all
};

/** The option to show sources in pages, of reports or explanations. */
#define OPT_SOURCE_ROOT(type, member)                                 \
	OPT_TEXT(0, "source-root", type, member.source_root, "<dir>", \
	         "with html, show lines of the sources below <dir>")

/** The options of commands that print reports. */
#define OPT_REPORTS(type, member)                                          \
	OPT_CHOICE_HAS(0, "style", type, member.style, member.has_style,   \
	               REPORT_STYLES,                                      \
	               "how text output shows symbolicated frames"),       \
	        OPT_FLAG(0, "array", type, member.array,                   \
	                 "with json, write an array even for one report"), \
	        OPT_TEXT(0, "threads", type, member.threads,               \
	                 "crashed|all|<number>",                           \
	                 "print only the thread that crashed, or the one " \
	                 "with this number"),                              \
	        OPT_SOURCE_ROOT(type, member),                             \
	        OPT_SELECTION(type, member.run.selection),                 \
	        OPT_REDACT(type, member.run.redact),                       \
	        OPT_PATH_MAP(type, member.run.path_map),                   \
	        OPT_BULK(type, member.run),                                \
	        OPT_OUTPUT_REPORTS(type, member.run)

/**
 * Zero-initialise, then set the first members and `run.no_output`, before
 * report_run_init().
 */
struct report_run {
	/**
	 * Works on the reports of a batch before they are written. New data
	 * must stay valid until the next call. Or NULL.
	 */
	void (*hook)(struct report *const *reports, size_t count,
	             struct arena *arena, void *context);
	/** Makes a page to write instead of the report; or NULL. */
	const struct page *(*page)(const struct report *report,
	                           struct arena *arena, void *context);
	void *context; ///< of all functions here
	/**
	 * Returns why the command cannot use a report; NULL: it can. Without
	 * this function, reports without stacks are refused.
	 */
	struct error *(*refuse)(const struct report *report,
	                        struct arena *arena);
	/** enum yields: accepted inputs; 0: all reports. */
	unsigned takes;
	/** enum yields: subject of the command; 0: crashes. */
	unsigned wants;
	/**
	 * Takes a row of an operand that is a table of groups; an ERROR_USAGE
	 * sets `is_unfit`. NULL: all operands are reports.
	 */
	struct error *(*group)(const struct group_row *row, void *context);
	/** As `refuse`, for all reports of an input, linked by next. */
	struct error *(*refuse_all)(const struct report *first);
	/**
	 * Adds inputs to a batch, instead of those of the command line, until
	 * the batch is full or the next input is not available yet; none at the
	 * end.
	 *
	 * @param ret_more  Set to true if the next input is available.
	 */
	void (*feed)(struct batch *batch, bool *ret_more, void *context);
	/**
	 * Makes the answer to an input from its reports or its error; called on
	 * any job. NULL: reports are written as usual.
	 */
	void (*answer)(const struct report_run *run,
	               const struct batch_entry *entry, struct str *out,
	               void *context);
	/** Takes the answer to each input, in input order. */
	void (*deliver)(struct text answer, void *context);
	/** The output may be a directory: a file per report. */
	bool can_use_directory;
	/** Reports are not written; the hook copies what it needs. */
	bool hook_only;
	/** The same, if there are several documents. */
	bool hook_only_several;

	struct run run;
	const struct report_settings *settings;
	struct thread_choice threads;
	struct documents documents;
	struct report_input input;
	struct report_block *blocks; ///< as many as the pipeline has
	struct pipeline pipeline;
	size_t count; ///< reports so far
	struct source_lines sources;
	struct lag_rules rules; ///< for explanations
	struct signer signer;
	bool is_unfit; ///< a table was made with other options
	// The stream whose lines are being written:
	bool in_lines;
	struct run_others others_before;
	size_t tried_before;
};

/**
 * Check settings, list inputs, open the output.
 *
 * @return EXIT_DONE, or another status after a message. Release in any case.
 */
enum exit_status report_run_init(struct report_run *run,
                                 const struct command_line *line,
                                 const struct report_settings *settings);

/** A `refuse` function: records of memory limits do not describe a crash. */
struct error *report_run_refuse_records(const struct report *report,
                                        struct arena *arena);

/** Process all inputs; EXIT_DONE, EXIT_SOME_FAILED or EXIT_ALL_FAILED. */
enum exit_status report_run_all(struct report_run *run);

/** Put the output in place; returns @p status, or that of a failure. */
enum exit_status report_run_finish(struct report_run *run,
                                   enum exit_status status);

void report_run_release(struct report_run *run);

#endif

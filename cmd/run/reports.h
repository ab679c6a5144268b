// SPDX-License-Identifier: MIT
/**
 * Reports in, reports out: shared by all commands that work on reports. A block
 * of the pipeline (pipeline.h) is a batch of inputs: it goes through the
 * command's hook at once, and is written in input order. Other jobs parse the
 * next batch meanwhile, and format. Standard input and large files are streams:
 * JSON Lines are handled as they come, in constant memory.
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

/** What the user can choose; part of the settings of each such command. */
struct report_settings {
	struct run_settings run;
	const char *format;      ///< of OPT_FORMAT
	unsigned style;          ///< enum text_style
	bool has_style;          ///< else the config's
	bool array;              ///< one report, too, is an array of them
	const char *source_root; ///< for source_lines_open()
	const char *threads;     ///< for thread_choice_parse(); NULL: all
};

/** The option that shows sources in pages, of reports and of what they mean. */
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
 * All zeros but for the first members, and `run.no_output`, before
 * report_run_init().
 */
struct report_run {
	/**
	 * A batch is complete: work on its reports before they are written;
	 * what is new must last until the next call. NULL: nothing to do.
	 */
	void (*hook)(struct report *const *reports, size_t count,
	             struct arena *arena, void *context);
	/** The page to write of a report; NULL: the report itself is. */
	const struct page *(*page)(const struct report *report,
	                           struct arena *arena, void *context);
	void *context; ///< of these functions
	/**
	 * Why the command has no use for a report; NULL: it has. Without this
	 * function, it is those that hold no stacks.
	 */
	struct error *(*refuse)(const struct report *report,
	                        struct arena *arena);
	/** enum yields: what it takes; 0: all that are reports. */
	unsigned takes;
	/** enum yields: what it is about; 0: crashes. */
	unsigned wants;
	/**
	 * Takes a row of an operand that is a table of groups; an ERROR_USAGE
	 * sets `is_unfit`. NULL: all operands are reports.
	 */
	struct error *(*group)(const struct group_row *row, void *context);
	/** As `refuse`, of all that an input holds, linked by next. */
	struct error *(*refuse_all)(const struct report *first);
	/**
	 * Adds inputs to a batch, in place of those of the command line, until
	 * it is full or the next would have to be waited for; none at the end.
	 *
	 * @param ret_more  Set this if the next would not.
	 */
	void (*feed)(struct batch *batch, bool *ret_more, void *context);
	/**
	 * What to deliver of an input that was worked on, its reports or why it
	 * has none; called by any job. NULL: it is written as usual.
	 */
	void (*answer)(const struct report_run *run,
	               const struct batch_entry *entry, struct str *out,
	               void *context);
	/** Takes what @c answer made of each input, in their order. */
	void (*deliver)(struct text answer, void *context);
	/** The output may be a directory, for a file per report. */
	bool can_use_directory;
	/** The hook keeps what it needs: the reports are not written. */
	bool hook_only;
	/** That is so from when there is more than one document. */
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
	struct lag_rules rules; ///< for explanations beside the reports
	struct signer signer;
	bool is_unfit; ///< a table was made with other options
	// Of the stream whose lines are written:
	bool in_lines;
	struct run_others others_before;
	size_t tried_before;
};

/**
 * Check the settings, gather the inputs, open the output.
 *
 * @return EXIT_DONE, or another status after a message. To be released in any
 *         case.
 */
enum exit_status report_run_init(struct report_run *run,
                                 const struct command_line *line,
                                 const struct report_settings *settings);

/** For `refuse`: records of memory limits are not about a crash. */
struct error *report_run_refuse_records(const struct report *report,
                                        struct arena *arena);

/** Handle all inputs; EXIT_DONE, EXIT_SOME_FAILED or EXIT_ALL_FAILED. */
enum exit_status report_run_all(struct report_run *run);

/** Put the output in place; @p status, or why that could not be done. */
enum exit_status report_run_finish(struct report_run *run,
                                   enum exit_status status);

void report_run_release(struct report_run *run);

#endif

/**
 * Reports in, reports out: the loop of all commands that print the reports
 * they read. Inputs are read in batches; what is read goes through the
 * command's hook, a batch at once, and is written in the order of the inputs.
 *
 *     SCOPED(report_run_release) struct report_run run = { .hook = name_frames
 * };
 *
 *     status = report_run_init(&run, line, &settings->reports);
 *     if (status != EXIT_DONE)
 *             return status;
 *     return report_run_finish(&run, report_run_all(&run));
 */
#ifndef APMTOOL_CMD_RUN_REPORTS_H
#define APMTOOL_CMD_RUN_REPORTS_H

#include "cmd/command.h"
#include "cmd/run/batch.h"
#include "cmd/run/inputs.h"
#include "cmd/run/progress.h"
#include "formatters/formatter.h"

#include <stdbool.h>
#include <stddef.h>

/** In the order of enum text_style. */
#define REPORT_STYLES "full|partial|side-by-side|raw"

/** What the user can choose; part of the settings of each such command. */
struct report_settings {
	const char *format; ///< of OPT_FORMAT
	unsigned style;     ///< enum text_style
	bool has_style;     ///< else the config's
	const char *output;
	unsigned jobs; ///< 0: the config's
	bool quiet;
};

/** How many processors to use; 0: all. */
unsigned report_jobs(const struct command_line *line,
                     const struct report_settings *settings);

/** All zeros but for the hook, before report_run_init(). */
struct report_run {
	/**
	 * Work on the reports of a batch before they are written; what is new
	 * must last until the next call. NULL: there is nothing to do.
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
	/** The hook keeps what it needs: the reports are not written. */
	bool hook_only;
	/** That is so from when there is more than one document. */
	bool hook_only_several;

	const struct report_settings *settings;
	const struct formatter *formatter;
	struct format_options options;
	unsigned jobs; ///< at least 1
	struct inputs inputs;
	struct out *out;
	struct batch *batch;
	struct progress progress;

	size_t tried; ///< inputs, but for what folders hold besides reports
	size_t failed;
	size_t written; ///< reports and failures
	bool several;   ///< more than one document: formatter.begin was called
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

/** Handle all inputs; EXIT_DONE, EXIT_SOME_FAILED or EXIT_ALL_FAILED. */
enum exit_status report_run_all(struct report_run *run);

/** Put the output in place; @p status, or why that could not be done. */
enum exit_status report_run_finish(struct report_run *run,
                                   enum exit_status status);

void report_run_release(struct report_run *run);

#endif

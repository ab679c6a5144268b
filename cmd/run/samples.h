/**
 * Samples in, whatever their form: the loop of the commands that fold them.
 * Inputs are read in pieces, several pieces at once; what comes of them is
 * handed on in the order of the input, whatever the number of jobs.
 *
 *     SCOPED(sample_run_release) struct sample_run run = { .merge =
 * count_stalls };
 *
 *     status = sample_run_init(&run, line, &settings->samples);
 *     if (status != EXIT_DONE)
 *             return status;
 *     status = sample_run_all(&run);
 *     …
 *     return sample_run_finish(&run, status);
 */
#ifndef APMTOOL_CMD_RUN_SAMPLES_H
#define APMTOOL_CMD_RUN_SAMPLES_H

#include "cmd/command.h"
#include "cmd/run/inputs.h"
#include "cmd/run/progress.h"
#include "lib/analysis/lag/fold.h"
#include "lib/model/calltree.h"
#include "parsers/lag/lag.h"

#include <stdbool.h>
#include <stddef.h>

/** In the order of enum sample_threads. */
#define SAMPLE_THREADS "main|all"

enum sample_threads { SAMPLE_THREADS_MAIN, SAMPLE_THREADS_ALL };

/** What the user can choose; part of the settings of each such command. */
struct sample_settings {
	struct symbol_paths paths;
	const char *images;
	const char *rules;
	unsigned threads;
	const char *output;
	unsigned jobs;
	unsigned max_nodes;
	bool quiet;
};

/** The options that fill it, but for the format. */
#define OPT_SAMPLES(type, member)                                              \
	OPT_SYMBOL_PATHS(type, member.paths),                                  \
	        OPT_TEXT(0, "images", type, member.images, "<file>",           \
	                 "image list for reports that have none"),             \
	        OPT_TEXT(0, "rules", type, member.rules, "<file>",             \
	                 "rules: which code is the app's, and which frames "   \
	                 "to leave out"),                                      \
	        OPT_CHOICE(0, "threads", type, member.threads, SAMPLE_THREADS, \
	                   "which threads to use of a report that samples "    \
	                   "several"),                                         \
	        OPT_UINT(                                                      \
	                0, "max-nodes", type, member.max_nodes, "<count>",     \
	                "trim the call tree of each report to <count> nodes"), \
	        OPT_TEXT('o', "output", type, member.output, "<file>",         \
	                 "write to <file> instead of standard output"),        \
	        OPT_UINT('j', "jobs", type, member.jobs, "<count>",            \
	                 "use <count> processors instead of all"),             \
	        OPT_FLAG('q', "quiet", type, member.quiet,                     \
	                 "print errors only, no warnings or notes")

/** All zeros but for the first members, before sample_run_init(). */
struct sample_run {
	/** Takes the stalls of a folder; NULL: nobody wants them. */
	void (*merge)(const struct lag_folder *folder, void *context);
	void *context;
	struct lag_fold_options options; ///< what the command wants of them

	const struct sample_settings *settings;
	const struct config *config;
	unsigned jobs; ///< at least 1
	struct inputs inputs;
	struct out *out;
	struct symbol_store *store; ///< NULL: no symbols were named
	struct lag_rules rules;
	struct arena arena;
	struct lag_images images;
	struct sample_slot *slots; ///< one a job
	struct progress progress;

	size_t tried; ///< inputs, but for what folders hold besides reports
	size_t failed;
	size_t reports;        ///< that were read
	size_t failed_reports; ///< that could not be
	// Of the input that is being read:
	size_t reports_noted; ///< reports with notes so far
	size_t failures_told;
	size_t failures_of_input;
	bool in_parts;    ///< jobs may have shared a report
	bool reads_parts; ///< of the input at hand, they do
};

/**
 * Check the settings, gather the inputs, read rules and images, open the
 * output.
 *
 * @return EXIT_DONE, or another status after a message. To be released in any
 *         case.
 */
enum exit_status sample_run_init(struct sample_run *run,
                                 const struct command_line *line,
                                 const struct sample_settings *settings);

/** Read all inputs; EXIT_DONE, EXIT_SOME_FAILED or EXIT_ALL_FAILED. */
enum exit_status sample_run_all(struct sample_run *run);

/** Take other operands for the next sample_run_all(). */
enum exit_status sample_run_again(struct sample_run *run,
                                  const struct command_line *line);

/**
 * Join all functions that were met to @p functions: what is told of them then
 * does not depend on which job met them in which of their images.
 */
void sample_run_functions(struct sample_run *run,
                          struct profile_functions *functions);

/**
 * The tree of all that was read, summed up; the folders forget theirs. The
 * order of its nodes does not depend on the jobs: that of the one report there
 * is, or of lag_total_sort().
 *
 * @param functions  All zeros; holds what the tree's frames point to.
 */
void sample_run_total(struct sample_run *run, struct calltree *tree,
                      struct profile_functions *functions);

/** Put the output in place; @p status, or why that could not be done. */
enum exit_status sample_run_finish(struct sample_run *run,
                                   enum exit_status status);

void sample_run_release(struct sample_run *run);

#endif

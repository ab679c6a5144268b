// SPDX-License-Identifier: MIT
/**
 * Samples in, whatever their format: the road of the commands that fold them.
 * Inputs are read in pieces, several pieces at once; what comes of them is
 * handed on in the order of the input, whatever the number of jobs.
 *
 *     SCOPED(sample_run_release)
 *     struct sample_run run = { .merge = count_hangs };
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

#include "cmd/run/run.h"
#include "cmd/run/symbol_search.h"
#include "lib/analysis/lag/fold.h"
#include "lib/model/calltree.h"
#include "parsers/lag/lag.h"
#include "parsers/reader.h"

#include <stdbool.h>
#include <stddef.h>

/** In the order of enum lag_threads. */
#define SAMPLE_THREADS "main|all"
/** For commands that show trees: names of threads are no functions. */
#define SAMPLE_THREADS_SPLIT "main|all|split"

/** In the order of enum sample_kind, from the first that is one. */
#define SAMPLE_KIND_NAMES "stall|cpu|disk|launch|wakeups|all"

/** What reports of one moment can be counted as. */
#define SAMPLE_AS_NAMES "hang|cpu"

/** What the user can choose; part of the settings of each such command. */
struct sample_settings {
	struct run_settings run;
	struct symbol_paths paths;
	const char *images;
	const char *rules;
	unsigned threads; ///< enum lag_threads
	unsigned kind;    ///< of SAMPLE_KIND_NAMES
	bool has_kind;    ///< else, all
	unsigned as;      ///< of SAMPLE_AS_NAMES
	bool has_as;      ///< else, reports of one moment are left out
	unsigned form;    ///< enum demangle_form
	unsigned max_nodes;
};

/** The options that fill it, but for the format; @p threads as above. */
#define OPT_SAMPLES(type, member, threads_)                                    \
	OPT_SYMBOL_PATHS(type, member.paths),                                  \
	        OPT_TEXT(0, "images", type, member.images, "<file>",           \
	                 "image list for reports that have none"),             \
	        OPT_TEXT(0, "rules", type, member.rules, "<file>",             \
	                 "rules: which code is the app's, and which frames "   \
	                 "to leave out"),                                      \
	        OPT_CHOICE(0, "threads", type, member.threads, threads_,       \
	                   "which threads to use of a report that samples "    \
	                   "several"),                                         \
	        OPT_CHOICE_HAS('k', "kind", type, member.kind,                 \
	                       member.has_kind, SAMPLE_KIND_NAMES,             \
	                       "what the samples were taken for: hangs, CPU "  \
	                       "use, disk writes, launches"),                  \
	        OPT_CHOICE_HAS(0, "as", type, member.as, member.has_as,        \
	                       SAMPLE_AS_NAMES,                                \
	                       "count crash reports, too, as hangs or as "     \
	                       "reports of CPU use, of unknown cost"),         \
	        OPT_UINT(                                                      \
	                0, "max-nodes", type, member.max_nodes, 1, 0,          \
	                "<count>",                                             \
	                "trim the call tree of each report to <count> nodes"), \
	        OPT_DEMANGLE(type, member.form),                               \
	        OPT_DEBUG_INFO(type, member.paths.debug_info),                 \
	        OPT_SELECTION(type, member.run.selection),                     \
	        OPT_REDACT(type, member.run.redact),                           \
	        OPT_PATH_MAP(type, member.run.path_map),                       \
	        OPT_OUTPUT(type, member.run), OPT_JOBS(type, member.run),      \
	        OPT_QUIET(type, member.run)

/** All zeros but for the first members, before sample_run_init(). */
struct sample_run {
	/** Takes the hangs of a builder; NULL: not needed. */
	void (*merge)(const struct lag_builder *builder, void *context);
	void *context;
	struct lag_fold_options options; ///< what the command wants of them
	/**
	 * Operands of several readings: symbols are looked for beside all of
	 * them, and among them. NULL: there is one reading.
	 */
	const struct command_line *all;
	/**
	 * Of the total, only what ended at each call matters: it is neither
	 * put in order nor summed up. Not where two readings are compared.
	 */
	bool takes_weights;
	/** Of functions, `merge` copies what it needs. */
	bool forgets_functions;
	/** Those that are forgotten are still counted. */
	bool counts_functions;
	/** Of symbols that are missing, those that are damaged are named. */
	bool only_damaged;
	/** The total is shown in colors: say where these are a guess. */
	bool colors_kinds;

	/** Those of the total, once there is one; the command's. */
	const struct profile_functions *functions;
	struct run run;
	const struct sample_settings *settings;
	struct symbol_search search;
	struct command_line inputs; ///< `all`, without places of symbols
	struct lag_rules rules;
	struct lag_rules known; ///< of data/system-symbols.yaml
	struct arena arena;
	struct lag_images images;    ///< of --images
	struct sample_block *blocks; ///< of the pipeline
	unsigned block_count;

	size_t reports;             ///< that were read
	size_t failed_reports;      ///< that could not be
	size_t kinds[SAMPLE_KINDS]; ///< that were read, by kind
	struct fingerprints ids;    ///< of the reports so far
	struct profile_met met;     ///< functions that were forgotten
	bool has_units;             ///< costs are in different units
	size_t same;     ///< reports with an id that was there before
	size_t left_out; ///< of a kind that is not wanted, or not selected
	// Of the input that is being read:
	const struct reader *format; ///< NULL: it is read as reports
	size_t reports_noted;        ///< reports with notes so far
	size_t failures_printed;
	size_t failures_of_input;
	bool in_parts; ///< jobs may have shared a report
	bool is_bushy; ///< one of those had a tree larger than its text
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

/**
 * Take other operands for the next sample_run_all(), which is the last. The
 * total so far becomes the older side of what is compared.
 */
enum exit_status sample_run_again(struct sample_run *run,
                                  const struct command_line *line);

/**
 * Nothing more is read: give back what only that needs, and the functions that
 * were met.
 *
 * @param functions  They are joined to these: what is said of them then does
 *                   not depend on which job met them in which of their images.
 *                   NULL: not needed.
 */
void sample_run_end(struct sample_run *run,
                    struct profile_functions *functions);

/**
 * The tree of all that was read, summed up; nothing more is read, and the
 * builders forget theirs, and their functions.
 * The order of its nodes does not depend on the jobs: that of the one report
 * there is, or of lag_total_sort().
 *
 * @param tree       Released before the run.
 * @param functions  All zeros; holds what the tree's frames point to, and
 *                   outlives the run.
 */
void sample_run_total(struct sample_run *run, struct calltree *tree,
                      struct profile_functions *functions);

/**
 * Decide whether a tree shows costs: those of calls are, unless the user says
 * otherwise. Costs that are asked for must be known.
 *
 * @return @p status, or that of a failure.
 */
enum exit_status sample_run_weigh(const struct sample_run *run,
                                  struct calltree *tree, bool has_weight,
                                  bool by_cost, enum exit_status status);

/** Warn if sums have reached what 64 bits hold: they end there. */
void sample_run_warn_of_sums(const struct sample_run *run, uint64_t samples,
                             uint64_t cost_us);

/**
 * Say which images of the app have no usable dSYM, and what else is wrong with
 * symbols; then as run_finish().
 */
enum exit_status sample_run_finish(struct sample_run *run,
                                   enum exit_status status);

void sample_run_release(struct sample_run *run);

#endif

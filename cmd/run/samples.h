// SPDX-License-Identifier: MIT
/**
 * Reads samples of any format, for the commands that fold them. Reads several
 * pieces of input in parallel; results are delivered in input order, with any
 * number of jobs.
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
/** For commands that show trees, which can have thread names as roots. */
#define SAMPLE_THREADS_SPLIT "main|all|split"

/** In the order of enum sample_kind, without the unknown kind. */
#define SAMPLE_KIND_NAMES "stall|cpu|disk|launch|wakeups|all"

/** How to count reports without samples. */
#define SAMPLE_AS_NAMES "hang|cpu"

/** User settings; part of the settings of each such command. */
struct sample_settings {
	struct run_settings run;
	struct symbol_paths paths;
	const char *images;
	const char *rules;
	unsigned threads; ///< enum lag_threads
	unsigned kind;    ///< of SAMPLE_KIND_NAMES
	bool has_kind;    ///< else all
	unsigned as;      ///< of SAMPLE_AS_NAMES
	bool has_as;      ///< else reports without samples are skipped
	unsigned form;    ///< enum demangle_form
	unsigned max_nodes;
};

/** Their options, except the format; @p threads_ as above. */
#define OPT_SAMPLES(type, member, threads_)                                    \
	OPT_SYMBOL_PATHS(type, member.paths),                                  \
	        OPT_TEXT(0, "images", type, member.images, "<file>",           \
	                 "image list for reports without one"),                \
	        OPT_TEXT(0, "rules", type, member.rules, "<file>",             \
	                 "rules for app code, and for frames to drop"),        \
	        OPT_CHOICE(0, "threads", type, member.threads, threads_,       \
	                   "threads to use of a report with several"),         \
	        OPT_CHOICE_HAS('k', "kind", type, member.kind,                 \
	                       member.has_kind, SAMPLE_KIND_NAMES,             \
	                       "kind of samples: hangs, CPU use, disk "        \
	                       "writes, launches"),                            \
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

/** Zero-initialise, then set the first members, before sample_run_init(). */
struct sample_run {
	/** Takes the hangs of a builder; or NULL. */
	void (*merge)(const struct lag_builder *builder, void *context);
	void *context;
	struct lag_fold_options options; ///< results that the command needs
	/**
	 * All operands, if there are several readings: symbols may be among
	 * them all, or near them. NULL: one reading.
	 */
	const struct command_line *all;
	/**
	 * Only the samples that ended at each call are needed: the total is
	 * neither sorted nor summed up. Not for two readings.
	 */
	bool takes_weights;
	/** Builders may forget functions; `merge` copies them. */
	bool forgets_functions;
	bool counts_functions;
	/** Of missing symbols, report only damaged ones. */
	bool only_damaged;
	/** Colors show kinds: report where these are a guess. */
	bool colors_kinds;

	/** The command's functions of the total, if there is one. */
	const struct profile_functions *functions;
	struct run run;
	const struct sample_settings *settings;
	struct symbol_search search;
	struct command_line inputs; ///< `all`, without symbol files
	struct lag_rules rules;
	struct lag_rules known; ///< of data/system-symbols.yaml
	struct arena arena;
	struct lag_images images;    ///< of --images
	struct sample_block *blocks; ///< by block of the pipeline
	unsigned block_count;

	size_t reports;             ///< read
	size_t failed_reports;      ///< unreadable
	size_t kinds[SAMPLE_KINDS]; ///< reports read, by kind
	struct fingerprints ids;    ///< of reports so far
	struct profile_met met;     ///< forgotten functions
	bool has_units;             ///< costs have different units
	size_t same;                ///< duplicate reports
	size_t skipped;             ///< not selected, or of another kind
	// The current input:
	const struct reader *format; ///< NULL: read as reports
	size_t reports_noted;        ///< reports whose notes were printed
	size_t failures_printed;
	size_t failures_of_input;
	bool in_parts; ///< jobs may have shared a report
	bool is_bushy; ///< such a report had a tree larger than its text
};

/**
 * Check settings, list inputs, read rules and images, open the output.
 *
 * @return EXIT_DONE, or another status after a message. Release in any case.
 */
enum exit_status sample_run_init(struct sample_run *run,
                                 const struct command_line *line,
                                 const struct sample_settings *settings);

/** Read all inputs; EXIT_DONE, EXIT_SOME_FAILED or EXIT_ALL_FAILED. */
enum exit_status sample_run_all(struct sample_run *run);

/**
 * Use other operands for the next sample_run_all(), which is the last. The
 * total so far becomes the older side of a comparison.
 */
enum exit_status sample_run_again(struct sample_run *run,
                                  const struct command_line *line);

/**
 * End of reading: free what only reading needs, and all functions.
 *
 * @param functions  Functions are joined to these, so their evidence does not
 *                   depend on the distribution of reports over jobs. Or NULL.
 */
void sample_run_end(struct sample_run *run,
                    struct profile_functions *functions);

/**
 * Get the tree of all input, summed up. Ends reading; the builders lose their
 * trees and functions. The order of nodes does not depend on the jobs: it is
 * that of the only report, or of lag_total_sort().
 *
 * @param tree  Release it before the run.
 * @param functions  All zeros; gets the strings of the tree's frames, and must
 *                   outlive the run.
 */
void sample_run_total(struct sample_run *run, struct calltree *tree,
                      struct profile_functions *functions);

/**
 * Decide whether a tree shows costs: by default, if its samples are calls. It
 * fails if the user requests unknown costs.
 *
 * @return @p status, or that of a failure.
 */
enum exit_status sample_run_weigh(const struct sample_run *run,
                                  struct calltree *tree, bool has_weight,
                                  bool by_cost, enum exit_status status);

/** Warn if a sum was saturated at 64 bits. */
void sample_run_warn_of_sums(const struct sample_run *run, uint64_t samples,
                             uint64_t cost_us);

/**
 * Report the app's images without a usable dSYM and other problems with
 * symbols; then as run_finish().
 */
enum exit_status sample_run_finish(struct sample_run *run,
                                   enum exit_status status);

void sample_run_release(struct sample_run *run);

#endif

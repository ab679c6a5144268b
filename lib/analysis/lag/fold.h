// SPDX-License-Identifier: MIT
/**
 * Folds lag reports into hangs, each with its key, and into one call tree.
 *
 * A builder collects the reports of a block of input. It finds the image of
 * each frame, and names all new places together. The samples of each report
 * then become a tree of functions, from which the key, the heaviest stack and
 * the classes are derived. A builder belongs to one thread at a time; several
 * can be filled in parallel and joined in input order.
 *
 *     lag_builder_init(&builder, &options);
 *     lag_builder_add(&builder, report); // each report of a block
 *     lag_builder_drop_repeated(&builder, &ids); // in input order
 *     lag_builder_name(&builder, store);
 *     lag_builder_finish(&builder);
 *     for (i = 0; i < builder.hang_count; i++) // the hangs
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_FOLD_H
#define APMTOOL_LIB_ANALYSIS_LAG_FOLD_H

#include "lib/analysis/lag/heaviest.h"
#include "lib/analysis/lag/key.h"
#include "lib/analysis/symbolicate/missing_symbols.h"
#include "lib/base/fingerprint.h"
#include "lib/config/config.h"
#include "lib/config/lag_rules.h"
#include "lib/model/calltree_before.h"
#include "lib/model/origins.h"
#include "lib/model/profile/functions.h"
#include "lib/model/profile/lag.h"
#include "lib/model/timeline.h"
#include "lib/symbols/demangle/demangle.h"
#include "lib/symbols/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Min nodes of pending reports at which to finish them. */
#define LAG_FOLD_PENDING_NODES ((size_t)1 << 20)

struct hang_allowance;

struct lag_fold_options {
	const struct config *config;   ///< in-app rules; or NULL
	const struct lag_rules *rules; ///< or NULL
	/** Rules for frames in no image; or NULL. */
	const struct lag_rules *known;
	bool has_store;   ///< addresses will be named
	bool wants_hangs; ///< key, classes and so on of each report
	bool wants_total; ///< the tree of all reports
	/** With the total, but no hangs: keep the order of its samples. */
	bool wants_order;
	bool lists_samples; ///< with the order: also samples without a time
	/** With the total: keep the devices and builds of its reports. */
	bool wants_origins;
	bool explain; ///< keep the steps of each walk
	enum lag_heaviest_rule heaviest;
	enum lag_siblings siblings;
	enum demangle_form form; ///< of printed names
	uint64_t threshold_us;   ///< of reports that give none; 0: none
	size_t max_nodes;        ///< max nodes of each tree; 0: no limit
	uint64_t seeds[2];       ///< of fingerprints; equal in all builders
	/** Inputs are parts of one report, so nodes do not count reports. */
	bool takes_parts;
};

/** Max steps of a walk to explain, not counting the taken ones. */
#define LAG_STEPS 10000

/** A node that the walk to the key visited. */
struct lag_explained {
	const char *name;
	uint32_t depth;
	uint64_t samples;
	uint64_t cost_us;
	struct lag_step step;
	bool is_app;
	bool is_key;
};

/** The result of one report. Functions are numbers of the builder. */
struct lag_hang {
	const char *input;
	size_t line;
	const char *origin; ///< lag_report.origin
	enum sample_kind kind;
	const char *id;      ///< or NULL, as the next ones
	const char *session; ///< repeats of a hang are joined within a session
	const char *app;
	const char *os;
	const char *device;
	const char *event; ///< the system's name for it
	/** Owner of the resource that the main thread waited for; or NULL. */
	const char *blocker;
	/** The watchdog's, if the cost is time; or NULL. */
	const struct hang_allowance *allowance;
	uint32_t key;         ///< INTERN_NONE: no key
	uint64_t key_samples; ///< samples that contain it
	bool is_app;          ///< the key is app code
	/** The heaviest stack, outermost first. */
	const uint32_t *stack;
	size_t stack_count;
	uint64_t heaviest_samples;
	uint64_t samples;
	uint64_t cost_us; ///< in the unit of the kind; 0: unknown
	enum cost_origin cost_origin;
	/**
	 * Duration of the hang when the report was written; 0: unknown, or the
	 * report has no time.
	 */
	uint64_t threshold_us;
	int64_t taken_ms;  ///< since 1970
	size_t node_count; ///< of its tree, trimmed
	/** Of the heaviest stack's addresses; equal for equal hangs. */
	struct fingerprint stack_print;
	size_t frame_count; ///< of the heaviest stack as sampled
	const struct lag_explained *steps;
	size_t step_count;
	size_t more_steps; ///< skipped past LAG_STEPS, where the walk did not
	                   ///< continue
	const struct notice *notes;
	size_t note_count; ///< listed
	size_t more_notes; ///< not listed
};

/** Units and origins of the costs of several reports. */
struct lag_costs {
	unsigned units; ///< of the known costs: 1 << enum cost_unit
	enum cost_origin origin;
	bool has_any;   ///< a report was added
	bool has_calls; ///< of a report whose samples are calls
	bool has_samples;
};

/** Add @p other to @p costs. */
void lag_costs_join(struct lag_costs *costs, const struct lag_costs *other);

struct lag_builder {
	const struct lag_fold_options *options;
	struct intern names; ///< of the reports' frames
	struct profile_functions functions;
	struct lag_hang *hangs; ///< in the order of the input
	size_t hang_count;
	size_t hang_cap;
	struct arena hang_arena;
	struct calltree total;    ///< of functions
	struct timeline timeline; ///< by node of the total
	struct origins origins;   ///< by node of the total
	/** Older side of the total, after lag_builder_turn(). */
	struct calltree_before before;
	size_t report_count;          ///< in the total
	struct lag_costs costs;       ///< of the total
	size_t pending_count;         ///< reports to finish
	size_t pending_nodes;         ///< of their trees
	struct lag_fold_state *state; ///< lib/analysis/lag/fold_state.h
};

void lag_builder_init(struct lag_builder *builder,
                      const struct lag_fold_options *options);
void lag_builder_release(struct lag_builder *builder);

/**
 * Take a report. It is left empty and can be cleared and reused. Its names must
 * be the builder's.
 */
void lag_builder_add(struct lag_builder *builder, struct lag_report *report);

/** Are there addresses for lag_builder_name()? Symbols need no lookup. */
bool lag_builder_wants_names(const struct lag_builder *builder);

/** Visit the app's images that have not been looked up in a store. */
void lag_builder_each_wanted(const struct lag_builder *builder,
                             void (*visit)(const struct uuid *uuid,
                                           void *context),
                             void *context);

/** Name all new places; each image is looked up once. */
void lag_builder_name(struct lag_builder *builder, struct symbol_store *store);

/**
 * Drop pending reports with the id of an earlier one: duplicates.
 *
 * @param seen  Ids so far; new ones are added.
 * @return Their number.
 */
size_t lag_builder_drop_repeated(struct lag_builder *builder,
                                 struct fingerprints *seen);

/** Turn the pending reports into hangs, or add them to the total. */
void lag_builder_finish(struct lag_builder *builder);

/**
 * The total so far becomes the older of two sides; later reports are the newer
 * (calltree_turn()).
 */
void lag_builder_turn(struct lag_builder *builder);

/** No more reports: free all but hangs, functions, total and images. */
void lag_builder_end(struct lag_builder *builder);

/**
 * Add the app's images with places without file and line, whose symbols are
 * missing. The sum over several builders does not depend on which of them
 * read a report.
 *
 * @param scope  MISSING_LINES or MISSING_DAMAGED.
 * @param seen  Of earlier builders; all zeros for the first.
 */
void lag_builder_missing(const struct lag_builder *builder,
                         enum missing_scope scope, struct fingerprints *seen,
                         struct missing_symbols *missing);

/** Append the report's name: its id, its file and line, or its place. */
void lag_hang_name(const struct lag_hang *hang, struct str *out);

/**
 * Forget functions and names if no place was looked up in a file. There must be
 * no hangs and no total.
 *
 * @param met  Records the functions; or NULL.
 */
void lag_builder_forget_functions(struct lag_builder *builder,
                                  struct profile_met *met);

/** Forget the hangs and all that they point to. */
void lag_builder_clear_hangs(struct lag_builder *builder);

/** The first rule that exceeded its budget; or NULL. */
const struct lag_rule *lag_builder_undecided(const struct lag_builder *builder);

/** The budget of rules is exhausted; they are no longer applied. */
bool lag_builder_rules_spent(const struct lag_builder *builder);

/**
 * Move the tree of @p from to @p into, joining functions. The timeline of
 * @p from then refers to nodes of @p into. Origins and the older side are those
 * of the first builder, which must stay alive. Children keep their order. The
 * first tree is moved, not copied.
 */
void lag_total_join(struct calltree *into, struct profile_functions *functions,
                    struct lag_builder *from);

/**
 * As lag_total_join(), for an ended builder and an empty @p into: moves the
 * functions, too, if they are distinct.
 *
 * @return false: not possible, nothing was done.
 */
bool lag_total_take(struct calltree *into, struct profile_functions *functions,
                    struct lag_builder *from);

/**
 * Sort the children of each node by function (profile_functions_rank()), so the
 * result does not depend on the order of reading.
 */
void lag_total_sort(struct calltree *tree,
                    const struct profile_functions *functions);

#endif

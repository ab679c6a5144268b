// SPDX-License-Identifier: MIT
/**
 * Folding lag reports: from what a device sampled to hangs under their keys,
 * and to one call tree of all.
 *
 * A builder collects the reports of a block of input. Their frames are placed
 * in images, and the places that were not seen before are named together. Then
 * the samples of each report become a tree of functions, which gives the key,
 * the heaviest stack and the classes. A builder belongs to one thread at a
 * time; several can be filled in parallel and joined in input order.
 *
 *     lag_builder_init(&builder, &options);
 *     lag_builder_add(&builder, report);            // each report of a block
 *     lag_builder_drop_repeated(&builder, &ids);    // in input order
 *     lag_builder_name(&builder, store);
 *     lag_builder_finish(&builder);
 *     for (i = 0; i < builder.hang_count; i++)      // the hangs
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

/** Nodes of pending reports beyond which they should be finished. */
#define LAG_FOLD_PENDING_NODES ((size_t)1 << 20)

struct hang_allowance;

struct lag_fold_options {
	const struct config *config;   ///< in-app rules; NULL: none
	const struct lag_rules *rules; ///< NULL: none
	/** For frames that lie in no image; NULL: none. */
	const struct lag_rules *known;
	bool has_store;   ///< addresses will be named
	bool wants_hangs; ///< a key and so on for each report
	bool wants_total; ///< the tree of all reports
	/** With the total alone: the order of its samples. */
	bool wants_order;
	bool lists_samples; ///< with the order: those that have none, too
	/** With the total: from which devices and builds its reports are. */
	bool wants_origins;
	bool explain; ///< keep the steps of each walk
	enum lag_heaviest_rule heaviest;
	enum lag_siblings siblings;
	enum demangle_form form; ///< how names are printed
	uint64_t threshold_us;   ///< of reports that say none; 0: none
	size_t max_nodes;        ///< trim each tree to so many; 0: do not
	uint64_t seeds[2];       ///< of fingerprints, equal in all builders
	/**
	 * What comes is parts of one report: nobody can say how many reports
	 * pass a node.
	 */
	bool takes_parts;
};

/** So many steps of a walk are explained, and all that were taken. */
#define LAG_STEPS 10000

/** A node that the walk to the key looked at. */
struct lag_explained {
	const char *name;
	uint32_t depth;
	uint64_t samples;
	uint64_t cost_us;
	struct lag_step step;
	bool is_app;
	bool is_key;
};

/** What came of one report. Functions are numbers of the builder. */
struct lag_hang {
	const char *input;
	size_t line;
	const char *origin; ///< lag_report.origin
	enum sample_kind kind;
	const char *id;      ///< NULL where the report says none, as below
	const char *session; ///< with two of them, equal hangs are one
	const char *app;
	const char *os;
	const char *device;
	const char *event; ///< what the system calls it
	/** Who held what the main thread waited for; NULL: not known. */
	const char *blocker;
	/** Of its scenario, for times; NULL: not known. */
	const struct hang_allowance *allowance;
	uint32_t key;         ///< INTERN_NONE: it has no key
	uint64_t key_samples; ///< in which it was seen
	bool is_app;          ///< the key is the app's own code
	/** The heaviest stack, outermost first. */
	const uint32_t *stack;
	size_t stack_count;
	uint64_t heaviest_samples;
	uint64_t samples;
	uint64_t cost_us; ///< in the unit of its kind; 0 if it is unknown
	enum cost_origin cost_origin;
	/**
	 * It was going on for so long when it was written; 0: not known, or not
	 * when it was.
	 */
	uint64_t threshold_us;
	int64_t taken_ms;  ///< since 1970
	size_t node_count; ///< of its tree, trimmed
	/** Of the heaviest stack's addresses: equal for equal hangs. */
	struct fingerprint stack_print;
	size_t frame_count; ///< of the heaviest stack as sampled
	const struct lag_explained *steps;
	size_t step_count;
	size_t more_steps; ///< past LAG_STEPS, where the walk did not go on
	const struct notice *notes;
	size_t note_count; ///< reported
	size_t more_notes; ///< not reported
};

/** How the costs of reports are known that are added up. */
struct lag_costs {
	unsigned units; ///< of those that are known: 1 << enum cost_unit
	enum cost_origin origin;
	bool has_any;   ///< a report was added
	bool has_calls; ///< of one whose samples are calls
	bool has_samples;
};

/** Add those of other reports. */
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
	/** Of the total, after lag_builder_turn(). */
	struct calltree_before before;
	size_t report_count;          ///< that went into it
	struct lag_costs costs;       ///< of these
	size_t pending_count;         ///< reports that are not finished
	size_t pending_nodes;         ///< of their trees
	struct lag_fold_state *state; ///< lib/analysis/lag/fold_state.h
};

void lag_builder_init(struct lag_builder *builder,
                      const struct lag_fold_options *options);
void lag_builder_release(struct lag_builder *builder);

/**
 * Take a report. It is left empty, to be cleared and used again; its names
 * must be the builder's.
 */
void lag_builder_add(struct lag_builder *builder, struct lag_report *report);

/** Do any frames wait for lag_builder_name()? Symbols do not. */
bool lag_builder_wants_names(const struct lag_builder *builder);

/** Visit the images of the app that no store was asked for yet. */
void lag_builder_each_wanted(const struct lag_builder *builder,
                             void (*visit)(const struct uuid *uuid,
                                           void *context),
                             void *context);

/** Name the frames that wait; each image is asked once. */
void lag_builder_name(struct lag_builder *builder, struct symbol_store *store);

/**
 * Drop the pending reports that have the id of an earlier one: they were sent
 * twice.
 *
 * @param seen  Ids so far; new ones are added.
 * @return How many.
 */
size_t lag_builder_drop_repeated(struct lag_builder *builder,
                                 struct fingerprints *seen);

/** Turn the pending reports into hangs, or a part of the total. */
void lag_builder_finish(struct lag_builder *builder);

/**
 * What is in the total becomes the older of two sides, and what is taken from
 * here on the newer (calltree_turn()).
 */
void lag_builder_turn(struct lag_builder *builder);

/**
 * It takes no more reports: give back what only that needs. The hangs, the
 * functions, the total and the images stay.
 */
void lag_builder_end(struct lag_builder *builder);

/**
 * Add the images of the app in which places have no file and line, as their
 * symbols are missing. Of several builders, the answer does not depend on who
 * read what.
 *
 * @param scope  MISSING_LINES or MISSING_DAMAGED.
 * @param seen   Of the builders before; all zeros for the first.
 */
void lag_builder_missing(const struct lag_builder *builder,
                         enum missing_scope scope, struct fingerprints *seen,
                         struct missing_symbols *missing);

/** Append how a report is called: its id, or file and line or place. */
void lag_hang_name(const struct lag_hang *hang, struct str *out);

/**
 * Forget the functions and names that were met, after the hangs, where none
 * was looked up in a file. There is no total.
 *
 * @param met  Remembers the functions; NULL: nobody asks.
 */
void lag_builder_forget_functions(struct lag_builder *builder,
                                  struct profile_met *met);

/** Forget the hangs; what they point to goes with them. */
void lag_builder_clear_hangs(struct lag_builder *builder);

/**
 * The first of the rules that were too costly to decide for a function; NULL:
 * none was.
 */
const struct lag_rule *lag_builder_undecided(const struct lag_builder *builder);

/** Rules took so long that they are asked no more. */
bool lag_builder_rules_spent(const struct lag_builder *builder);

/**
 * Move the tree of @p from to @p into, joining functions; @p from has none
 * left, and the nodes of its timeline are those of @p into. The origins, and
 * what was before, are those of the first, which must stay. Children keep the
 * order in which they came. What comes first is not copied.
 */
void lag_total_join(struct calltree *into, struct profile_functions *functions,
                    struct lag_builder *from);

/**
 * The same of a builder that takes no more reports, where nothing was joined
 * yet: its functions are not copied either, if each stays one of its own.
 *
 * @return false: nothing was done.
 */
bool lag_total_take(struct calltree *into, struct profile_functions *functions,
                    struct lag_builder *from);

/**
 * Order the children of each node by function (profile_functions_rank()): the
 * same, whoever read what first.
 */
void lag_total_sort(struct calltree *tree,
                    const struct profile_functions *functions);

#endif

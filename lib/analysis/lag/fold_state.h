// SPDX-License-Identifier: MIT
/**
 * Internals of lag_builder, shared by folding (fold.c), its trees
 * (fold_tree.c), hangs (hang.c) and total (total.c).
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_FOLD_STATE_H
#define APMTOOL_LIB_ANALYSIS_LAG_FOLD_STATE_H

#include "lib/analysis/lag/heaviest.h"
#include "lib/analysis/lag/places.h"
#include "lib/base/fingerprint.h"
#include "lib/model/origins.h"

struct lag_builder;

/** A report to fold, and the places of its frames. */
struct lag_pending {
	struct lag_report report;
	uint32_t *place_of; ///< by frame with an address
	size_t place_cap;
	bool is_repeated; ///< an earlier one has its id
};

/** Counts each report once per node of a tree. */
struct lag_passing {
	uint32_t number;   ///< from 1
	uint32_t *by_node; ///< of the tree: the last report that passed
	size_t cap;
};

/** Working memory of a builder. */
struct lag_fold_state {
	struct lag_places places;
	struct lag_pending *reports; ///< pending_count, then spare ones
	size_t report_cap;

	struct lag_passing passing; ///< through the total
	// For the current report:
	struct calltree tree; ///< of functions
	struct calltree trimmed;
	const uint32_t *place_of; ///< by frame with an address
	uint32_t *node_of; ///< by node of the report's tree: its node in `tree`
	bool is_moved;     ///< nodes are numbered as in the report's tree
	bool *cut;         ///< drop the callees
	size_t node_cap;
	size_t cut_cap;
	uint32_t *frame_of; ///< by function: its only frame + 1
	size_t frame_cap;
	struct lag_heaviest heaviest; ///< of the samples
	size_t heaviest_frames;
	struct fingerprint heaviest_print;
	uint32_t *path;
	size_t path_cap;
	struct str print;
};

/** Count the current report at a node, once. */
void lag_fold_pass(struct lag_passing *passing, struct calltree *total,
                   uint32_t node);

/**
 * Fold the tree of a report into a tree of functions, and set the new node of
 * each of its nodes.
 *
 * The nodes of a large report are moved, not copied, if the tree is empty and
 * each frame is a distinct function. The report's stacks are then gone.
 *
 * @param passing  NULL: do not count reports.
 */
void lag_fold_tree(struct lag_fold_state *state, struct lag_report *report,
                   struct lag_passing *passing, struct calltree *tree);

/** The folded node of a node of the report's tree. */
static inline uint32_t lag_fold_node(const struct lag_fold_state *state,
                                     uint32_t node)
{
	return state->is_moved ? node : state->node_of[node];
}

/** Functions of a frame of the current report. */
struct lag_calls lag_fold_calls(struct lag_fold_state *state, uint32_t frame,
                                enum calltree_kind bare_kind);

/** Find the heaviest stack of a report before it is folded. */
void lag_fold_heaviest(struct lag_builder *builder,
                       const struct lag_report *report);

/**
 * Add a hang with key, heaviest stack and so on.
 *
 * @param tree  Its own; NULL: add only its notes.
 */
void lag_fold_hang(struct lag_builder *builder, const struct lag_report *report,
                   const struct calltree *tree);

/**
 * Add a tree of functions to the total.
 *
 * @param functions  By frame of @p tree: its number in @p total; NULL: equal
 *                   numbers.
 * @param passing  The report of @p tree; NULL: it has several.
 * @param node_of  Room for one more than the nodes of @p tree.
 */
void lag_fold_join(struct calltree *total, const struct calltree *tree,
                   const uint32_t *functions, struct lag_passing *passing,
                   uint32_t *node_of);

#endif

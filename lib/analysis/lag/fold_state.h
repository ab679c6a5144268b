// SPDX-License-Identifier: MIT
/**
 * The inside of lag_builder: what folding (fold.c), its trees (fold_tree.c),
 * its hangs (hang.c) and its total (total.c) share.
 */
#ifndef APMTOOL_LIB_ANALYSIS_LAG_FOLD_STATE_H
#define APMTOOL_LIB_ANALYSIS_LAG_FOLD_STATE_H

#include "lib/analysis/lag/heaviest.h"
#include "lib/analysis/lag/sites.h"
#include "lib/base/fingerprint.h"
#include "lib/model/origins.h"

struct lag_builder;

/** A report that is to be folded, and the sites of its frames. */
struct lag_pending {
	struct lag_report report;
	uint32_t *site_of; ///< by frame that has an address
	size_t site_cap;
	bool is_repeated; ///< an earlier one has its id
};

/** Of the reports that a tree is of, the one that is being added. */
struct lag_passing {
	uint32_t number;   ///< from 1
	uint32_t *by_node; ///< of the tree: the newest that passed
	size_t cap;
};

/** What a builder needs besides its results. */
struct lag_fold_state {
	struct lag_sites sites;
	struct lag_pending *reports; ///< pending_count of them, and spare ones
	size_t report_cap;

	struct lag_passing passing; ///< through the total
	// Of one report:
	struct calltree tree; ///< of functions
	struct calltree trimmed;
	const uint32_t *site_of; ///< by frame that has an address
	uint32_t *node_of;       ///< by node of the report's tree, in the tree
	bool is_moved; ///< nodes are those of the report's tree instead
	bool *cut;     ///< what is below it is left out
	size_t node_cap;
	size_t cut_cap;
	uint32_t *frame_of; ///< by function: the frame that is it, + 1
	size_t frame_cap;
	struct lag_heaviest heaviest; ///< of what was sampled
	size_t heaviest_frames;
	struct fingerprint heaviest_print;
	uint32_t *path;
	size_t path_cap;
	struct str print;
};

/** Count the report at a node where it passes; once. */
void lag_fold_pass(struct lag_passing *passing, struct calltree *total,
                   uint32_t node);

/**
 * Fold the tree of a report into a tree of functions. Sets where each of its
 * nodes ended up.
 *
 * A large report's nodes are moved, not copied, where the tree has none yet and
 * each frame is a function of its own: the report then has no stacks.
 *
 * @param passing  NULL: the tree is of this report alone, or nobody knows.
 */
void lag_fold_tree(struct lag_fold_state *state, struct lag_report *report,
                   struct lag_passing *passing, struct calltree *tree);

/** Where a node of the report's tree is in the tree it was folded into. */
static inline uint32_t lag_fold_node(const struct lag_fold_state *state,
                                     uint32_t node)
{
	return state->is_moved ? node : state->node_of[node];
}

/** What a frame of the current report stands for. */
struct lag_calls lag_fold_calls(struct lag_fold_state *state, uint32_t frame,
                                enum calltree_kind bare_kind);

/** Find the heaviest stack of a report that has any, before it is folded. */
void lag_fold_heaviest(struct lag_builder *builder,
                       const struct lag_report *report);

/**
 * Key, heaviest stack and all else that is known of one report.
 *
 * @param tree  Its own; NULL: nobody wants more than its notes.
 */
void lag_fold_hang(struct lag_builder *builder, const struct lag_report *report,
                   const struct calltree *tree);

/**
 * Add a tree of functions to the total.
 *
 * @param functions  By frame of @p tree: its number in @p total; NULL: the
 *                   same.
 * @param passing    The report that @p tree is; NULL: it is of several.
 * @param node_of    For one more than the nodes of @p tree.
 */
void lag_fold_join(struct calltree *total, const struct calltree *tree,
                   const uint32_t *functions, struct lag_passing *passing,
                   uint32_t *node_of);

#endif

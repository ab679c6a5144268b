// SPDX-License-Identifier: MIT
/**
 * A call tree: stacks that begin alike share what they have in common.
 *
 * Nodes are in one array, a caller always before what it calls; node 0 is
 * a virtual root above all outermost frames and has no frame. What a node
 * stands for is a number of the caller's choice (`frame`). Samples count where
 * they end; calltree_sum() adds them up towards the root.
 *
 *     struct calltree tree = { 0 };
 *
 *     leaf = calltree_add(&tree, frames, count);
 *     tree.nodes[leaf].self_samples++;
 *     …
 *     calltree_sum(&tree);
 *     for (child = tree.nodes[CALLTREE_ROOT].first_child; child;
 *          child = tree.nodes[child].next_sibling)
 *
 * A tree is one of the three shapes that formatters show; for those, `frames`
 * says what the numbers mean.
 */
#ifndef APMTOOL_LIB_MODEL_CALLTREE_H
#define APMTOOL_LIB_MODEL_CALLTREE_H

#include "lib/base/arena.h"
#include "lib/base/fingerprint.h"
#include "lib/base/map.h"
#include "lib/model/cost.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct calltree_before;
struct origins;
struct timeline;
struct uuid;

/** The virtual root; as a child or sibling: there is none. */
#define CALLTREE_ROOT 0

/** Most nodes: 4 GB of them. What comes beyond ends at its parent. */
#define CALLTREE_NODES_MAX ((uint32_t)1 << 26)

struct calltree_node {
	uint32_t frame;
	uint32_t parent;
	uint32_t first_child; ///< in the order in which they were added
	uint32_t next_sibling;
	uint32_t depth; ///< 0: the virtual root; 1: an outermost frame
	/**
	 * Number of the newest sample that ended here, from 1; 0: none did. In
	 * a tree of several reports: how many of them passed here; 0: not
	 * known.
	 */
	union {
		uint32_t newest;
		uint32_t reports;
	};
	uint64_t self_samples; ///< that ended here
	uint64_t self_cost_us;
	uint64_t samples; ///< with all below; set by calltree_sum()
	uint64_t cost_us;
};

/** Whose code a frame is. */
enum calltree_kind {
	CALLTREE_APP,    ///< business code: the app's own, or by a rule
	CALLTREE_SYSTEM, ///< anything else
};

/** How it is known whose code a frame is, the weakest evidence first. */
enum calltree_evidence {
	CALLTREE_BY_DEFAULT, ///< nothing says it
	CALLTREE_BY_SYMBOL,  ///< its name is one of Apple's systems
	CALLTREE_BY_IMAGE,   ///< where its image lies
	CALLTREE_BY_RULE,    ///< the user's
};

#define CALLTREE_EVIDENCES 4

/** What a frame number stands for, for formatters. */
struct calltree_frame {
	const char *name;  ///< symbol, or `Demo + 51500`, or `0x104d0c92c`
	const char *image; ///< name of its image; NULL if unknown
	const char *file;  ///< base name; NULL if unknown
	/** The same with its directory, by base/source_path.h; NULL too. */
	const char *path;
	/** Run-time address, where all nodes share one; has_address says. */
	uint64_t address;
	/** Of the image of a place without a symbol; NULL: not known. */
	const struct uuid *uuid;
	uint32_t line; ///< 0: unknown
	enum calltree_kind kind : 8;
	enum calltree_evidence evidence : 8; ///< for the kind
	bool line_borrowed : 1;              ///< see struct report_call
	bool is_symbol : 1;                  ///< the name is that of a function
	bool has_address : 1;
};

/** What a node weighed in the older of two trees that are compared. */
struct calltree_weight {
	uint64_t samples;
	uint64_t cost_us;
	uint64_t self_samples;
	uint64_t self_cost_us;
};

/** All zeros is a tree without nodes; the root comes with the first use. */
struct calltree {
	struct calltree_node *nodes;
	uint32_t node_count;
	size_t node_cap;
	/** Most nodes, the root included; 0: CALLTREE_NODES_MAX. */
	uint32_t node_limit;
	bool full; ///< it was reached

	// For calltree_add() alone:
	/**
	 * From a node and a frame to the child, unless that is the first:
	 * most nodes have one child.
	 */
	struct map edges;
	uint32_t *last_children; ///< by node
	size_t last_cap;
	bool edges_gone; ///< both are to be made again before a call is added
	bool in_arena;   ///< see calltree_append()
	uint32_t *path;  ///< nodes of the stack that was added last
	size_t path_count;
	size_t path_cap;
	struct fingerprints known; ///< whole stacks, of a large tree

	// For formatters; borrowed from who made the tree:
	const struct calltree_frame *frames;
	size_t frame_count;
	const char *title; ///< what was sampled; NULL: unknown
	bool by_cost;      ///< show costs, not numbers of samples
	bool counts_calls; ///< its samples are calls
	enum cost_unit cost_unit;
	/** COST_UNKNOWN: its costs are 0, and say nothing. */
	enum cost_origin cost_origin;
	/** In which order its samples came; NULL: unknown, or not needed. */
	struct timeline *timeline;
	/** From which devices and builds; NULL: unknown, or not needed. */
	struct origins *origins;
	/** What the nodes weighed before; NULL: nothing is compared. */
	struct calltree_before *before;
};

/**
 * Find or add a stack, outermost frame first.
 *
 * @return The node of its innermost frame; CALLTREE_ROOT for an empty stack.
 *         Where the tree is full, the deepest node that is there.
 */
uint32_t calltree_add(struct calltree *tree, const uint32_t *frames,
                      size_t count);

/** Find or add one call below @p parent, which is returned if it is full. */
uint32_t calltree_child(struct calltree *tree, uint32_t parent, uint32_t frame);

/**
 * Add a call below @p parent, whatever is there already. All nodes of such a
 * tree are added so.
 *
 * @param arena  Where the nodes are: the tree is never released. NULL: it is,
 *               as any other.
 */
uint32_t calltree_append(struct calltree *tree, struct arena *arena,
                         uint32_t parent, uint32_t frame);

/** Has a node several children? Most have one. */
bool calltree_branches(const struct calltree *tree, uint32_t node);

/** Does any frame call another? */
bool calltree_has_calls(const struct calltree *tree);

/**
 * Leave each node what it has more than its callees: what ended in itself. A
 * callee that has more than its caller has left is reduced to that.
 *
 * @param samples  By node: with those of its callees; becomes what is its own.
 * @return How many nodes were reduced.
 */
size_t calltree_own_samples(const struct calltree *tree, uint64_t *samples);

/** Set the inclusive numbers of all nodes from what ended at each. */
void calltree_sum(struct calltree *tree);

/** How many frames its stack has: none the root's, which may not exist yet. */
uint32_t calltree_depth(const struct calltree *tree, uint32_t node);

/** Write the frames from the outermost to @p node; room for its depth. */
void calltree_stack(const struct calltree *tree, uint32_t node,
                    uint32_t *frames);

/**
 * Order the children of each node; nodes keep their numbers. O(n log n).
 *
 * @param ranks  By frame: the least comes first.
 */
void calltree_sort(struct calltree *tree, const uint32_t *ranks);

/** The same with ranks by node; those of one rank keep their order. */
void calltree_sort_nodes(struct calltree *tree, const uint32_t *ranks);

/**
 * No call is added any more, until calltree_clear(): of a large tree, give back
 * the memory that only adding needs, half as much as its nodes. Not for a tree
 * in an arena.
 */
void calltree_end(struct calltree *tree);

/**
 * Nodes were linked by others than calltree_child(), or are about to be: what
 * it finds them by is made again when it is called.
 */
void calltree_forget_edges(struct calltree *tree);

/**
 * Give the nodes of @p from to @p into, which has none or its root alone, and
 * gets nothing else; @p from is left without, and with little memory. Their
 * frames may be renumbered then, as long as equal ones stay equal and others do
 * not become so.
 */
void calltree_move(struct calltree *into, struct calltree *from);

/** Give each frame the number that it has in @p numbers; no two the same. */
void calltree_renumber(struct calltree *tree, const uint32_t *numbers);

/** Forget all nodes and what is for formatters, keep memory and limit. */
void calltree_clear(struct calltree *tree);
void calltree_release(struct calltree *tree);

/**
 * The call below @p parent with the most samples, the first of several;
 * CALLTREE_ROOT: there is none.
 */
uint32_t calltree_heaviest(const struct calltree *tree, uint32_t parent);

#endif

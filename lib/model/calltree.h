// SPDX-License-Identifier: MIT
/**
 * A call tree: stacks with a common beginning share nodes.
 *
 * Nodes are in one array, callers before their callees. Node 0 is a virtual
 * root above all outermost frames and has no frame. `frame` is a number of the
 * caller's choice. Samples count at the innermost frame; calltree_sum() adds
 * them up towards the root.
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
 * A tree is one of the shapes that formatters show; for them, `frames`
 * describes the numbers.
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

/** The virtual root; as a child or sibling: none. */
#define CALLTREE_ROOT 0

/** Max nodes, 4 GB. Further calls are counted at their parent. */
#define CALLTREE_NODES_MAX ((uint32_t)1 << 26)

struct calltree_node {
	uint32_t frame;
	uint32_t parent;
	uint32_t first_child; ///< in order of addition
	uint32_t next_sibling;
	uint32_t depth; ///< 0 for the virtual root, 1 for an outermost frame
	/**
	 * Number of the last sample that ended here, from 1; or 0. In a tree of
	 * several reports: number of reports with this node; 0: unknown.
	 */
	union {
		uint32_t newest;
		uint32_t reports;
	};
	uint64_t self_samples; ///< that ended here
	uint64_t self_cost_us;
	uint64_t samples; ///< including callees; set by calltree_sum()
	uint64_t cost_us;
};

/** Owner of a frame's code. */
enum calltree_kind {
	CALLTREE_APP,    ///< business code: the app's, or according to a rule
	CALLTREE_SYSTEM, ///< all other code
};

/** Evidence for the owner, weakest first. */
enum calltree_evidence {
	CALLTREE_BY_DEFAULT, ///< no evidence
	CALLTREE_BY_SYMBOL,  ///< a symbol of Apple's systems
	CALLTREE_BY_IMAGE,   ///< the path of its image
	CALLTREE_BY_RULE,    ///< a rule of the user
};

#define CALLTREE_EVIDENCES 4

/** Description of a frame number, for formatters. */
struct calltree_frame {
	const char *name;  ///< symbol, or `Demo + 51500`, or `0x104d0c92c`
	const char *image; ///< name of its image; NULL if unknown
	const char *file;  ///< base name; NULL if unknown
	/**
	 * With its directory, mapped by base/source_path.h; NULL if unknown.
	 */
	const char *path;
	/** Runtime address, if all nodes have the same one; see has_address. */
	uint64_t address;
	/** UUID of the image, if there is no symbol; NULL if unknown. */
	const struct uuid *uuid;
	uint32_t line; ///< 0: unknown
	enum calltree_kind kind : 8;
	enum calltree_evidence evidence : 8; ///< for @c kind
	bool line_borrowed : 1;              ///< see struct report_call
	bool is_symbol : 1;                  ///< the name is a function's
	bool has_address : 1;
};

/** Weight of a node in the older of two compared trees. */
struct calltree_weight {
	uint64_t samples;
	uint64_t cost_us;
	uint64_t self_samples;
	uint64_t self_cost_us;
};

/** All zeros is a tree without nodes; the root is added at the first use. */
struct calltree {
	struct calltree_node *nodes;
	uint32_t node_count;
	size_t node_cap;
	/** Max nodes, including the root; 0: CALLTREE_NODES_MAX. */
	uint32_t node_limit;
	bool full; ///< the max was reached

	// Private to calltree_add():
	/**
	 * Map from node and frame to the child, except for the first child:
	 * most nodes have only one.
	 */
	struct map edges;
	uint32_t *last_children; ///< by node
	size_t last_cap;
	/** edges and last_children must be rebuilt before adding */
	bool edges_gone;
	bool in_arena;  ///< see calltree_append()
	uint32_t *path; ///< nodes of the last stack added
	size_t path_count;
	size_t path_cap;
	struct fingerprints known; ///< whole stacks, in a large tree

	// For formatters; borrowed from the creator of the tree:
	const struct calltree_frame *frames;
	size_t frame_count;
	const char *title; ///< kind of samples; or NULL
	bool by_cost;      ///< show costs, not samples
	bool counts_calls; ///< its samples are calls
	enum cost_unit cost_unit;
	/** With COST_UNKNOWN all costs are 0. */
	enum cost_origin cost_origin;
	/** Order of the samples; NULL: unknown or not needed. */
	struct timeline *timeline;
	/** Devices and builds; NULL: unknown or not needed. */
	struct origins *origins;
	/** Weights in the older tree; NULL: no comparison. */
	struct calltree_before *before;
};

/**
 * Find or add a stack, outermost frame first.
 *
 * @return The node of its innermost frame; CALLTREE_ROOT for an empty stack. In
 * a full tree, the deepest existing node.
 */
uint32_t calltree_add(struct calltree *tree, const uint32_t *frames,
                      size_t count);

/** Find or add one call below @p parent; returns @p parent in a full tree. */
uint32_t calltree_child(struct calltree *tree, uint32_t parent, uint32_t frame);

/**
 * Add a call below @p parent without looking for an equal one. Use only this
 * function for such a tree.
 *
 * @param arena  Owner of the nodes; the tree is then never released. NULL: the
 *               tree owns them.
 */
uint32_t calltree_append(struct calltree *tree, struct arena *arena,
                         uint32_t parent, uint32_t frame);

/** Does a node have several children? */
bool calltree_branches(const struct calltree *tree, uint32_t node);

/** Does any frame call another? */
bool calltree_has_calls(const struct calltree *tree);

/**
 * Compute each node's own samples by subtracting those of its callees. A callee
 * with more than is left of its caller's is reduced.
 *
 * @param samples  By node: inclusive samples; replaced by own samples.
 * @return Number of reduced nodes.
 */
size_t calltree_own_samples(const struct calltree *tree, uint64_t *samples);

/** Set the inclusive values of all nodes from the own ones. */
void calltree_sum(struct calltree *tree);

/** Number of frames in a node's stack; 0 for the root, which may not exist. */
uint32_t calltree_depth(const struct calltree *tree, uint32_t node);

/**
 * Write the frames from the outermost to @p node; @p frames has room for its
 * depth.
 */
void calltree_stack(const struct calltree *tree, uint32_t node,
                    uint32_t *frames);

/**
 * Sort the children of each node; nodes keep their numbers. O(n log n).
 *
 * @param ranks  By frame, ascending.
 */
void calltree_sort(struct calltree *tree, const uint32_t *ranks);

/** As calltree_sort(), with ranks by node; stable. */
void calltree_sort_nodes(struct calltree *tree, const uint32_t *ranks);

/**
 * Free memory that only adding needs, half as much as the nodes of a large
 * tree. No calls may be added until calltree_clear(). Not for a tree in an
 * arena.
 */
void calltree_end(struct calltree *tree);

/**
 * Announce that nodes are linked without calltree_child(): its lookup tables
 * are rebuilt at the next call.
 */
void calltree_forget_edges(struct calltree *tree);

/**
 * Move the nodes of @p from to @p into, which must be empty or only have a
 * root, and whose other members are kept; @p from becomes empty and keeps
 * little memory. Frames may then be renumbered one to one.
 */
void calltree_move(struct calltree *into, struct calltree *from);

/** Replace each frame by its entry in @p numbers, a one-to-one mapping. */
void calltree_renumber(struct calltree *tree, const uint32_t *numbers);

/** Remove all nodes and data for formatters; keeps memory and limit. */
void calltree_clear(struct calltree *tree);
void calltree_release(struct calltree *tree);

/**
 * The call below @p parent with the most samples, the first of equal ones; or
 * CALLTREE_ROOT.
 */
uint32_t calltree_heaviest(const struct calltree *tree, uint32_t parent);

#endif

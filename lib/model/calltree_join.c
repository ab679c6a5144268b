#include "lib/model/calltree_join.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/parallel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/** Subtrees that each job gets, on average: they differ in size. */
#define SUBTREES_OF_JOB 128
/** Nodes that a job works on at a time. */
#define RANGE_NODES ((uint32_t)4096)
/** Smaller trees are not worth a thread. */
#define SHARED_NODES ((uint32_t)1 << 14)

/**
 * A node that has been found is not CALLTREE_ROOT: only the root itself is
 * there. So that is what new ones are until they have a number.
 */
struct joining {
	struct calltree *into;
	const struct calltree *from;
	const struct calltree_frames *frames;
	uint32_t *node_of;
	uint32_t old_count; ///< of nodes of `into`; the others are new
	/** Of `from`: nodes that were found, and whose callees were not yet. */
	uint32_t *found;
	size_t first;
	size_t end;
	atomic_size_t next; ///< subtree, or range of nodes
};

static uint32_t frame_of(const struct joining *joining, uint32_t node)
{
	return joining->frames->numbers[joining->from->nodes[node].frame];
}

// Finding: what is there already, from the callers to the callees

/** Find the only callee among those of a node of `into`. */
static void find_child(const struct joining *joining, uint32_t child,
                       uint32_t at)
{
	const struct calltree_node *nodes = joining->into->nodes;
	uint32_t frame = frame_of(joining, child);

	at = nodes[at].first_child;
	while (at && nodes[at].frame != frame)
		at = nodes[at].next_sibling;
	joining->node_of[child] = at;
}

/**
 * Find all callees of a node that was found. All together take as long as both
 * trees have nodes.
 *
 * @param child_of  By frame of `into`, all zeros, before and after.
 */
static void find_children(const struct joining *joining, uint32_t node,
                          uint32_t *child_of)
{
	const struct calltree_node *here = joining->from->nodes;
	const struct calltree_node *there = joining->into->nodes;
	uint32_t *node_of = joining->node_of;
	uint32_t first = here[node].first_child;
	uint32_t at = node_of[node];

	if (!first)
		return;
	if (!here[first].next_sibling) {
		find_child(joining, first, at);
		return;
	}
	for (uint32_t i = there[at].first_child; i; i = there[i].next_sibling)
		child_of[there[i].frame] = i;
	for (uint32_t i = first; i; i = here[i].next_sibling)
		node_of[i] = child_of[frame_of(joining, i)];
	for (uint32_t i = there[at].first_child; i; i = there[i].next_sibling)
		child_of[there[i].frame] = CALLTREE_ROOT;
}

/** The node after @p node in the tree below @p top, if it may be below it. */
static uint32_t next_below(const struct joining *joining, uint32_t top,
                           uint32_t node)
{
	const struct calltree_node *nodes = joining->from->nodes;

	// Below one that is new, all are.
	if (joining->node_of[node] && nodes[node].first_child)
		return nodes[node].first_child;
	while (node != top && !nodes[node].next_sibling)
		node = nodes[node].parent;
	return node == top ? CALLTREE_ROOT : nodes[node].next_sibling;
}

static uint32_t *make_child_of(const struct joining *joining)
{
	return mem_zalloc(joining->frames->most, sizeof(uint32_t));
}

static void find_subtrees(size_t index UNUSED, void *context)
{
	struct joining *joining = context;
	SCOPED(mem_drop) uint32_t *child_of = make_child_of(joining);
	size_t at;

	while ((at = atomic_fetch_add(&joining->next, 1)) < joining->end) {
		uint32_t top = joining->found[at];
		uint32_t node = top;

		do {
			if (joining->node_of[node])
				find_children(joining, node, child_of);
			node = next_below(joining, top, node);
		} while (node);
	}
}

/** Find what is near the root, until there are enough subtrees for all. */
static void find_first(struct joining *joining, size_t wanted)
{
	SCOPED(mem_drop) uint32_t *child_of = make_child_of(joining);
	const struct calltree_node *nodes = joining->from->nodes;

	joining->found[joining->end++] = CALLTREE_ROOT;
	while (joining->first < joining->end &&
	       joining->end - joining->first < wanted) {
		uint32_t node = joining->found[joining->first++];

		find_children(joining, node, child_of);
		for (uint32_t i = nodes[node].first_child; i;
		     i = nodes[i].next_sibling)
			if (joining->node_of[i])
				joining->found[joining->end++] = i;
	}
}

static void find(struct joining *joining, unsigned jobs)
{
	memset(joining->node_of, 0,
	       joining->from->node_count * sizeof(*joining->node_of));
	joining->found = mem_alloc((size_t)joining->from->node_count *
	                           sizeof(*joining->found));
	find_first(joining, (size_t)jobs * SUBTREES_OF_JOB);
	atomic_store(&joining->next, joining->first);
	parallel_each(jobs, jobs, find_subtrees, joining);
	free(joining->found);
}

/** Number the new ones in their order; false: they are too many. */
static bool number_new(struct joining *joining)
{
	struct calltree *into = joining->into;
	uint64_t limit = into->node_limit ? into->node_limit
	                                  : CALLTREE_NODES_MAX;
	uint64_t count = into->node_count;

	for (uint32_t i = 1; i < joining->from->node_count; i++)
		if (!joining->node_of[i])
			joining->node_of[i] = (uint32_t)count++;
	if (count > limit)
		return false;
	MEM_ROOM(into->nodes, count, into->node_cap);
	into->node_count = (uint32_t)count;
	return true;
}

// Adding: each node is added with its siblings, by who has their caller

static uint32_t last_child(const struct calltree *tree, uint32_t node)
{
	uint32_t last = tree->nodes[node].first_child;

	while (last && tree->nodes[last].next_sibling)
		last = tree->nodes[last].next_sibling;
	return last;
}

/** All of a new node but its children, which others may be adding. */
static void set_new(const struct joining *joining, uint32_t node)
{
	const struct calltree_node *old = &joining->from->nodes[node];
	struct calltree_node *added =
	        &joining->into->nodes[joining->node_of[node]];

	added->frame = frame_of(joining, node);
	added->parent = joining->node_of[old->parent];
	added->next_sibling = CALLTREE_ROOT;
	added->depth = old->depth;
	added->reports = old->reports;
	added->self_samples = old->self_samples;
	added->self_cost_us = old->self_cost_us;
	added->samples = 0;
	added->cost_us = 0;
}

static void add_weight(struct calltree_node *sum,
                       const struct calltree_node *node)
{
	sum->reports += node->reports;
	sum->self_samples = number_sum(sum->self_samples, node->self_samples);
	sum->self_cost_us = number_sum(sum->self_cost_us, node->self_cost_us);
}

static void add_children(const struct joining *joining, uint32_t node)
{
	const struct calltree_node *from = joining->from->nodes;
	struct calltree_node *nodes = joining->into->nodes;
	uint32_t at = joining->node_of[node];
	uint32_t last = CALLTREE_ROOT;
	bool is_last = at >= joining->old_count;

	if (is_last)
		nodes[at].first_child = CALLTREE_ROOT;
	for (uint32_t i = from[node].first_child; i; i = from[i].next_sibling) {
		uint32_t child = joining->node_of[i];

		if (child < joining->old_count) {
			add_weight(&nodes[child], &from[i]);
			continue;
		}
		if (!is_last)
			last = last_child(joining->into, at);
		is_last = true;
		set_new(joining, i);
		if (last)
			nodes[last].next_sibling = child;
		else
			nodes[at].first_child = child;
		last = child;
	}
}

static void add_ranges(size_t index UNUSED, void *context)
{
	struct joining *joining = context;
	size_t count = joining->from->node_count;
	size_t start;

	while ((start = atomic_fetch_add(&joining->next, RANGE_NODES)) < count)
		for (size_t i = start; i < count && i < start + RANGE_NODES;
		     i++)
			add_children(joining, (uint32_t)i);
}

bool calltree_join(struct calltree *into, const struct calltree *from,
                   const struct calltree_frames *frames, uint32_t *node_of,
                   unsigned jobs)
{
	struct joining joining = {
		.into = into,
		.from = from,
		.frames = frames,
		.node_of = node_of,
		.old_count = into->node_count,
	};

	if (!into->node_count)
		return false;
	if (!from->node_count)
		return true;
	if (from->node_count < SHARED_NODES)
		jobs = 1;
	find(&joining, jobs);
	if (!number_new(&joining))
		return false;
	// These know nothing of what is linked here.
	calltree_forget_edges(into);
	fingerprints_clear(&into->known);
	into->path_count = 0;
	into->nodes[CALLTREE_ROOT].reports += from->nodes->reports;
	atomic_store(&joining.next, 0);
	parallel_each(jobs, jobs, add_ranges, &joining);
	return true;
}

#include "lib/model/calltree_sort.h"

#include "lib/base/mem.h"

#include <stdlib.h>

struct ranked {
	uint32_t rank;
	uint32_t node;
};

struct children {
	struct ranked *items;
	size_t count;
	size_t cap;
};

/** Siblings differ in their frames. */
static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *left = a;
	const struct ranked *right = b;

	return (left->rank > right->rank) - (left->rank < right->rank);
}

static void list_children(const struct calltree *tree, uint32_t parent,
                          const uint32_t *ranks, struct children *ret)
{
	const struct calltree_node *nodes = tree->nodes;

	ret->count = 0;
	for (uint32_t child = nodes[parent].first_child; child;
	     child = nodes[child].next_sibling) {
		MEM_GROW(ret->items, ret->count, ret->cap);
		ret->items[ret->count++] = (struct ranked){
			.rank = ranks[nodes[child].frame],
			.node = child,
		};
	}
}

static void link_children(struct calltree *tree, uint32_t parent,
                          const struct children *children)
{
	uint32_t next = CALLTREE_ROOT;

	tree->nodes[parent].last_child =
	        children->items[children->count - 1].node;
	for (size_t i = children->count; i--;) {
		tree->nodes[children->items[i].node].next_sibling = next;
		next = children->items[i].node;
	}
	tree->nodes[parent].first_child = next;
}

void calltree_sort(struct calltree *tree, const uint32_t *ranks)
{
	struct children children = { 0 };

	for (uint32_t i = 0; i < tree->node_count; i++) {
		// Most nodes have one child.
		if (tree->nodes[i].first_child == tree->nodes[i].last_child)
			continue;
		list_children(tree, i, ranks, &children);
		qsort(children.items, children.count, sizeof(*children.items),
		      compare_ranked);
		link_children(tree, i, &children);
	}
	free(children.items);
}

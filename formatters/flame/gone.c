// SPDX-License-Identifier: MIT
#include "formatters/flame/gone.h"

#include <string.h>

static bool is_before(const struct calltree *tree, uint32_t a, uint32_t b)
{
	uint64_t left = flame_before(tree, a), right = flame_before(tree, b);

	if (left != right)
		return left > right;
	return flame_compare_frames(calltree_frame_of(tree, a),
	                            calltree_frame_of(tree, b)) < 0;
}

static void insert(const struct calltree *tree, uint32_t node,
                   struct flame_gone *ret)
{
	size_t at = ret->count;

	while (at && is_before(tree, node, ret->nodes[at - 1]))
		at--;
	ret->more += ret->count == FLAME_GONE_MOST;
	if (at == FLAME_GONE_MOST)
		return;
	ret->count += ret->count < FLAME_GONE_MOST;
	memmove(&ret->nodes[at + 1], &ret->nodes[at],
	        (ret->count - 1 - at) * sizeof(*ret->nodes));
	ret->nodes[at] = node;
}

void flame_gone_find(const struct flame *flame, struct flame_gone *ret)
{
	const struct calltree *tree = flame->tree;

	ret->count = ret->more = 0;
	if (!tree->before || !tree->node_count)
		return;
	for (uint32_t i = calltree_next(tree, CALLTREE_ROOT); i;
	     i = calltree_next(tree, i)) {
		uint32_t caller = tree->nodes[i].parent;

		if (flame_is_gone(tree, i) &&
		    (caller == CALLTREE_ROOT || !flame_is_gone(tree, caller)))
			insert(tree, i, ret);
	}
}

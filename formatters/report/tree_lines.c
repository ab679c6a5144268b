// SPDX-License-Identifier: MIT
#include "formatters/report/tree_lines.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"

/** The lines of a node; returns the depth of its children. */
static size_t visit_node(const struct report_frame *frame, uint64_t samples,
                         size_t depth, bool inlined, tree_line_visit visit,
                         void *context)
{
	size_t count = frame->call_count;
	size_t lines = inlined && count ? count : 1;

	for (size_t i = 0; i < lines; i++) {
		const struct tree_line line = {
			.depth = depth + i,
			.samples = samples,
			.frame = frame,
			// calls[] begins with the innermost.
			.call = count ? &frame->calls[count - 1 - i] : NULL,
			.inlined = i > 0,
		};

		visit(&line, context);
	}
	return depth + lines;
}

void tree_each_line(const struct report_tree *tree, bool inlined,
                    tree_line_visit visit, void *context)
{
	const struct calltree *calls = &tree->calls;
	// By node: the depth of its callees' lines.
	SCOPED(mem_drop)
	size_t *below =
	        mem_zalloc((size_t)calls->node_count + 1, sizeof(*below));

	for (uint32_t i = 1; i < calls->node_count; i++) {
		const struct calltree_node *node = &calls->nodes[i];

		below[i] = visit_node(&tree->frames.frames[node->frame],
		                      node->samples, below[node->parent],
		                      inlined, visit, context);
	}
}

uint64_t tree_samples(const struct report_tree *tree)
{
	const struct calltree_node *nodes = tree->calls.nodes;
	uint64_t total = 0;

	if (!tree->calls.node_count)
		return 0;
	for (uint32_t i = nodes[CALLTREE_ROOT].first_child; i;
	     i = nodes[i].next_sibling)
		total = number_sum(total, nodes[i].samples);
	return total;
}

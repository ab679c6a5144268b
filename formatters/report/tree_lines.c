#include "formatters/report/tree_lines.h"

#include "lib/base/mem.h"

#include <stdlib.h>

/** Where the children of each level of nodes begin. */
struct levels {
	size_t *depths;
	size_t count;
	size_t cap;
};

static void levels_release(struct levels *levels)
{
	free(levels->depths);
}

static void set_level(struct levels *levels, size_t level, size_t depth)
{
	while (levels->count <= level) {
		MEM_GROW(levels->depths, levels->count, levels->cap);
		levels->depths[levels->count++] = 0;
	}
	levels->depths[level] = depth;
}

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
	SCOPED(levels_release) struct levels levels = { 0 };

	set_level(&levels, 0, 0);
	for (size_t i = 0; i < tree->frames.count; i++) {
		const struct report_tree_node *node = &tree->nodes[i];
		// A level that was left out has no line to stand below.
		size_t level = node->depth < levels.count ? node->depth
		                                          : levels.count - 1;
		size_t below = visit_node(&tree->frames.frames[i],
		                          node->samples, levels.depths[level],
		                          inlined, visit, context);

		set_level(&levels, level + 1, below);
		levels.count = level + 2;
	}
}

uint64_t tree_samples(const struct report_tree *tree)
{
	uint64_t total = 0;

	for (size_t i = 0; i < tree->frames.count; i++)
		if (!tree->nodes[i].depth &&
		    __builtin_add_overflow(total, tree->nodes[i].samples,
		                           &total))
			return UINT64_MAX;
	return total;
}

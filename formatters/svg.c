// SPDX-License-Identifier: MIT
#include "formatters/flame/graph.h"
#include "formatters/formatter.h"

static void svg_calltree(const struct calltree *tree,
                         const struct format_options *options, struct out *out)
{
	SCOPED(flame_release) struct flame flame = { 0 };

	flame_lay_out(&flame, tree, options);
	out_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	flame_write_graph(&flame, options, NULL, out);
}

const struct formatter svg_formatter = {
	.name = "svg",
	.summary = "a flame graph, to open in a browser",
	.shows_origins = true,
	.has_call_orders = true,
	.colors_kinds = true,
	.calltree = svg_calltree,
};

// SPDX-License-Identifier: MIT
/*
 * The `nodes` format: the flat node list that lag monitors upload
 * (apmtool-formats(5)), in pre-order, one node per line. `methodAddress` is an
 * address on the device, if the tree has one. The additional member `symbol`
 * has the name.
 */
#include "formatters/calltree/formats.h"
#include "formatters/formatter.h"
#include "lib/model/calltree_walk.h"
#include "lib/text/json/writer.h"

/** Deeper nodes are omitted, as by other writers of such lists. */
#define NODES_DEPTH 100

static void add_node(const struct calltree *tree, uint32_t index,
                     struct out *out)
{
	struct json_writer writer = json_writer_compact(out);
	struct json_writer *w = &writer;
	const struct calltree_frame *frame = calltree_frame_of(tree, index);
	const struct calltree_node *node = &tree->nodes[index];

	json_open_object(w, NULL);
	json_number(w, "depth", node->depth - 1);
	json_number(w, "count", node->samples);
	if (tree->cost_origin != COST_UNKNOWN &&
	    cost_unit_is_time(tree->cost_unit))
		json_ms(w, "costTime", node->cost_us);
	if (cost_origin_note(tree->cost_origin))
		json_text(w, "costOrigin", cost_origin_name(tree->cost_origin));
	if (frame->has_address)
		json_address(w, "methodAddress", frame->address);
	if (frame->is_symbol || !frame->has_address)
		json_text(w, "symbol", calltree_name(frame));
	json_close(w);
}

static void nodes_calltree(const struct calltree *tree,
                           const struct format_options *options UNUSED,
                           struct out *out)
{
	const char *before = "";

	out_add(out, "[");
	for (uint32_t node = calltree_next(tree, CALLTREE_ROOT); node;
	     node = calltree_next(tree, node)) {
		if (tree->nodes[node].depth > NODES_DEPTH)
			continue;
		out_add(out, before);
		add_node(tree, node, out);
		before = ",\n ";
	}
	out_add(out, "]\n");
}

const struct formatter nodes_formatter = {
	.name = "nodes",
	.summary = "call trees as the node list of lag monitors (JSON)",
	.shows_one = true,
	.calltree = nodes_calltree,
};

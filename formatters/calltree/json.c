// SPDX-License-Identifier: MIT
#include "formatters/calltree/formats.h"
#include "lib/model/calltree_before.h"
#include "lib/model/calltree_walk.h"
#include "lib/text/json/writer.h"

/** A node is a line: objects in the array in the document. */
#define NODE_DEPTH 3

const char *calltree_kind_name(enum calltree_kind kind)
{
	return kind == CALLTREE_APP ? "app" : "system";
}

/** Null if the costs of the tree are unknown. */
static void add_cost(struct json_writer *w, const char *key,
                     const struct calltree *tree, uint64_t cost)
{
	if (tree->cost_origin == COST_UNKNOWN)
		json_null(w, key);
	else if (cost_unit_is_time(tree->cost_unit))
		json_ms(w, key, cost);
	else
		json_number(w, key, cost);
}

/** Also null if they are not times. */
static void add_ms(struct json_writer *w, const char *key,
                   const struct calltree *tree, uint64_t cost)
{
	if (cost_unit_is_time(tree->cost_unit))
		add_cost(w, key, tree, cost);
	else
		json_null(w, key);
}

static void add_weight(struct json_writer *w, const struct calltree *tree,
                       const struct calltree_weight *weight)
{
	json_number(w, "samples", weight->samples);
	json_number(w, "self_samples", weight->self_samples);
	add_ms(w, "cost_ms", tree, weight->cost_us);
	add_ms(w, "self_cost_ms", tree, weight->self_cost_us);
	if (cost_unit_is_time(tree->cost_unit))
		return;
	add_cost(w, "cost", tree, weight->cost_us);
	add_cost(w, "self_cost", tree, weight->self_cost_us);
}

static void add_frame(struct json_writer *w, const struct calltree_frame *frame)
{
	json_text(w, "name", calltree_name(frame));
	json_bool(w, "is_symbol", frame->is_symbol);
	json_text_or_null(w, "image", frame->image);
	json_text(w, "kind", calltree_kind_name(frame->kind));
	if (frame->has_address)
		json_address(w, "address", frame->address);
	else
		json_null(w, "address");
	json_text_or_null(w, "file", frame->file);
	json_text(w, "path", frame->path);
	if (frame->line)
		json_number(w, "line", frame->line);
	else
		json_null(w, "line");
	if (frame->line && frame->line_borrowed)
		json_bool(w, "line_borrowed", true);
}

static void add_node(struct json_writer *w, const struct calltree *tree,
                     uint32_t index)
{
	const struct calltree_weight weight = calltree_weight_of(tree, index);
	const struct calltree_weight before =
	        calltree_weight_before(tree, index);

	json_open_object(w, NULL);
	json_number(w, "depth", tree->nodes[index].depth - 1);
	add_frame(w, calltree_frame_of(tree, index));
	add_weight(w, tree, &weight);
	if (tree->before) {
		json_open_object(w, "before");
		add_weight(w, tree, &before);
		json_close(w);
	}
	json_close(w);
}

static void add_total(struct json_writer *w, const struct calltree *tree,
                      const struct calltree_weight *weight)
{
	json_number(w, "samples", weight->samples);
	add_ms(w, "cost_ms", tree, weight->cost_us);
	if (!cost_unit_is_time(tree->cost_unit))
		add_cost(w, "cost", tree, weight->cost_us);
}

static void add_totals(struct json_writer *w, const struct calltree *tree)
{
	const struct calltree_weight weight =
	        calltree_weight_of(tree, CALLTREE_ROOT);
	const struct calltree_weight before =
	        calltree_weight_before(tree, CALLTREE_ROOT);

	add_total(w, tree, &weight);
	if (!tree->before)
		return;
	json_open_object(w, "before");
	add_total(w, tree, &before);
	json_close(w);
}

static void add_tree(struct json_writer *w, const struct calltree *tree)
{
	json_open_object(w, NULL);
	json_text(w, "schema", "apmtool.calltree/1");
	json_text(w, "title", tree->title);
	json_text(w, "measure", tree->by_cost ? "cost" : "samples");
	json_text(w, "unit", cost_unit_name(tree->cost_unit));
	json_text(w, "cost_origin", cost_origin_name(tree->cost_origin));
	json_text(w, "samples_unit", tree->counts_calls ? "calls" : "samples");
	add_totals(w, tree);
	json_open_array(w, "nodes");
	for (uint32_t node = calltree_next(tree, CALLTREE_ROOT); node;
	     node = calltree_next(tree, node))
		add_node(w, tree, node);
	json_close(w);
	json_close(w);
	json_finish(w);
}

void json_calltree(const struct calltree *tree,
                   const struct format_options *options UNUSED, struct out *out)
{
	struct json_writer writer = json_writer_to(out);

	writer.line_depth = NODE_DEPTH;
	add_tree(&writer, tree);
}

void jsonl_calltree(const struct calltree *tree,
                    const struct format_options *options UNUSED,
                    struct out *out)
{
	struct json_writer writer = json_writer_compact(out);

	add_tree(&writer, tree);
}

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

static void add_weight(struct json_writer *w,
                       const struct calltree_weight *weight)
{
	json_number(w, "samples", weight->samples);
	json_number(w, "self_samples", weight->self_samples);
	json_ms(w, "cost_ms", weight->cost_us);
	json_ms(w, "self_cost_ms", weight->self_cost_us);
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
	add_weight(w, &weight);
	if (tree->before) {
		json_open_object(w, "before");
		add_weight(w, &before);
		json_close(w);
	}
	json_close(w);
}

static void add_total(struct json_writer *w,
                      const struct calltree_weight *weight)
{
	json_number(w, "samples", weight->samples);
	json_ms(w, "cost_ms", weight->cost_us);
}

static void add_totals(struct json_writer *w, const struct calltree *tree)
{
	const struct calltree_weight weight =
	        calltree_weight_of(tree, CALLTREE_ROOT);
	const struct calltree_weight before =
	        calltree_weight_before(tree, CALLTREE_ROOT);

	add_total(w, &weight);
	if (!tree->before)
		return;
	json_open_object(w, "before");
	add_total(w, &before);
	json_close(w);
}

static void add_tree(struct json_writer *w, const struct calltree *tree)
{
	json_open_object(w, NULL);
	json_text(w, "schema", "apmtool.calltree/1");
	json_text(w, "title", tree->title);
	json_text(w, "measure", tree->by_cost ? "cost" : "samples");
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

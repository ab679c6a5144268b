#include "formatters/report/json/json.h"
#include "formatters/report/tree_lines.h"

struct trees_writer {
	struct json_writer *w;
	const struct report *report;
	bool has_samples;
};

static void add_node(const struct tree_line *line, void *context)
{
	const struct trees_writer *trees = context;
	static const struct report_call nothing = { 0 };
	struct json_writer *w = trees->w;

	json_open_object(w, NULL);
	json_number(w, "depth", line->depth);
	if (trees->has_samples)
		json_number(w, "samples", line->samples);
	json_add_place(w, trees->report, line->frame);
	json_add_call(w, line->call ? line->call : &nothing);
	json_bool(w, "inline", line->inlined);
	json_text(w, "source", report_source_name(line->frame->source));
	json_close(w);
}

void json_add_trees(struct json_writer *w, const struct report *report)
{
	struct trees_writer trees = { .w = w, .report = report };

	if (!report->tree_count)
		return;
	json_open_array(w, "trees");
	for (size_t i = 0; i < report->tree_count; i++) {
		const struct report_tree *tree = report->trees[i];

		json_open_object(w, NULL);
		json_text(w, "title", tree->title);
		json_bool(w, "attributed", tree->attributed);
		trees.has_samples = tree_samples(tree) != 0;
		json_open_array(w, "nodes");
		tree_each_line(tree, true, add_node, &trees);
		json_close(w);
		json_close(w);
	}
	json_close(w);
}

// SPDX-License-Identifier: MIT
#include "lib/text/csv.h"
#include "formatters/calltree/formats.h"
#include "lib/base/units.h"
#include "lib/model/calltree_before.h"
#include "lib/model/calltree_walk.h"

static void add_keys(struct csv_writer *w, bool has_before)
{
	static const char *const keys[] = {
		"depth",
		"name",
		"image",
		"kind",
		"address",
		"file",
		"line",
		"samples",
		"self_samples",
		"cost_ms",
		"self_cost_ms",
		"before_samples",
		"before_self_samples",
		"before_cost_ms",
		"before_self_cost_ms",
	};
	static const char *const last[] = { "cost", "self_cost", "unit",
		                            "cost_origin", "path" };
	size_t count = ARRAY_SIZE(keys) - (has_before ? 0 : 4);

	for (size_t i = 0; i < count; i++)
		csv_text(w, keys[i]);
	for (size_t i = 0; i < ARRAY_SIZE(last); i++)
		csv_text(w, last[i]);
	csv_end(w);
}

static void add_cost(struct csv_writer *w, const struct calltree *tree,
                     uint64_t cost)
{
	SCOPED(str_release) struct str text = { 0 };

	if (tree->cost_origin == COST_UNKNOWN) {
		csv_empty(w);
		return;
	}
	units_add_exact(&text, cost, cost_unit_steps(tree->cost_unit));
	csv_decimal(w, str_cstr(&text));
}

/** Empty if the cost is not a time, or unknown. */
static void add_ms(struct csv_writer *w, const struct calltree *tree,
                   uint64_t us)
{
	if (cost_unit_is_time(tree->cost_unit))
		add_cost(w, tree, us);
	else
		csv_empty(w);
}

static void add_weight(struct csv_writer *w, const struct calltree *tree,
                       const struct calltree_weight *weight)
{
	csv_number(w, weight->samples);
	csv_number(w, weight->self_samples);
	add_ms(w, tree, weight->cost_us);
	add_ms(w, tree, weight->self_cost_us);
}

static void add_costs(struct csv_writer *w, const struct calltree *tree,
                      const struct calltree_weight *weight)
{
	add_cost(w, tree, weight->cost_us);
	add_cost(w, tree, weight->self_cost_us);
	csv_text(w, cost_unit_name(tree->cost_unit));
	csv_text(w, cost_origin_name(tree->cost_origin));
}

static void add_frame(struct csv_writer *w, const struct calltree_frame *frame)
{
	csv_text(w, calltree_name(frame));
	csv_text(w, frame->image);
	csv_text(w, calltree_kind_name(frame->kind));
	if (frame->has_address)
		csv_address(w, frame->address);
	else
		csv_empty(w);
	csv_text(w, frame->file);
	if (frame->line)
		csv_number(w, frame->line);
	else
		csv_empty(w);
}

void csv_calltree(const struct calltree *tree,
                  const struct format_options *options UNUSED, struct out *out)
{
	SCOPED(csv_release) struct csv_writer w = { .out = out };

	add_keys(&w, tree->before);
	for (uint32_t node = calltree_next(tree, CALLTREE_ROOT); node;
	     node = calltree_next(tree, node)) {
		const struct calltree_weight weight =
		        calltree_weight_of(tree, node);

		csv_number(&w, tree->nodes[node].depth - 1);
		add_frame(&w, calltree_frame_of(tree, node));
		add_weight(&w, tree, &weight);
		if (tree->before) {
			const struct calltree_weight before =
			        calltree_weight_before(tree, node);

			add_weight(&w, tree, &before);
		}
		add_costs(&w, tree, &weight);
		csv_text(&w, calltree_frame_of(tree, node)->path);
		csv_end(&w);
	}
}

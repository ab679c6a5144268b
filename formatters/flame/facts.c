// SPDX-License-Identifier: MIT
#include "formatters/flame/facts.h"

#include "formatters/flame/markup.h"
#include "lib/base/units.h"
#include "lib/base/utf8.h"
#include "lib/base/xml.h"
#include "lib/model/origins.h"

#include <inttypes.h>

// Max devices and builds to name.
#define ORIGINS_NAMED 3

void flame_add_name(struct str *out, const char *name)
{
	struct text whole = text_from(name);
	struct text part = utf8_first(whole, FLAME_NAME_MAX);

	xml_add_text(out, part);
	if (part.size < whole.size)
		str_add(out, "…");
}

const struct calltree_frame *flame_box_frame(const struct flame *flame,
                                             const struct flame_box *box)
{
	static const struct calltree_frame all = { .name = "all" };

	if (box->node == CALLTREE_ROOT)
		return &all;
	return calltree_frame_of(flame->tree, box->node);
}

bool flame_has_place(const struct calltree_frame *frame)
{
	return frame->image || frame->file;
}

void flame_add_place(struct str *out, const struct calltree_frame *frame)
{
	if (frame->image)
		flame_add_name(out, frame->image);
	if (frame->image && frame->file)
		str_add(out, " · ");
	if (frame->file)
		flame_add_name(out, frame->file);
	if (frame->file && frame->line)
		str_addf(out, ":%" PRIu32 "%s", frame->line,
		         frame->line_borrowed ? ", near" : "");
}

static void add_amount(struct str *out, const struct flame *flame,
                       uint64_t samples, uint64_t cost_us, uint64_t total)
{
	const struct calltree *tree = flame->tree;

	markup_add_plural(out, samples, calltree_noun(tree));
	if (tree->nodes[CALLTREE_ROOT].cost_us) {
		str_add(out, " · ");
		markup_add_cost(out, tree, cost_us);
	}
	str_add(out, " · ");
	markup_add_percent(out, units_share(tree->by_cost ? cost_us : samples,
	                                    total, FLAME_PERCENT));
	str_add(out, " of all");
}

void flame_add_change(struct str *out, const struct flame *flame, uint64_t now,
                      uint64_t before)
{
	int64_t change = calltree_change(&flame->scale, now, before);
	uint64_t size = now > before ? now - before : before - now;

	// The sign of zero, for a change too small to print.
	str_add(out, change < 0 ? "−" : change > 0 ? "+" : "±");
	if (flame->scale.mode == DIFF_SHARE) {
		size = (uint64_t)(change < 0 ? -change : change);
		units_add_exact(out, (size + 5) / 10, 100);
		str_add(out, " points");
	} else if (flame->tree->by_cost) {
		markup_add_cost(out, flame->tree, size);
	} else {
		markup_add_plural(out, size, calltree_noun(flame->tree));
	}
}

static void add_before(struct str *out, const struct flame *flame,
                       uint32_t node)
{
	const struct calltree *tree = flame->tree;
	const struct calltree_weight before =
	        calltree_weight_before(tree, node);

	str_add(out, "\nbefore ");
	add_amount(out, flame, before.samples, before.cost_us,
	           flame_before(tree, CALLTREE_ROOT));
	str_add(out, "\nchange ");
	flame_add_change(out, flame, flame_weight(tree, node),
	                 flame_before(tree, node));
}

/** Number of reports with it; nothing if there is only one report. */
static void add_reports(struct str *out, const struct calltree_node *node,
                        const struct calltree_node *root)
{
	if (root->reports < 2 || !node->reports)
		return;
	str_add(out, "\nin ");
	markup_add_count(out, node->reports);
	str_add(out, " of ");
	markup_add_plural(out, root->reports, "report");
}

/** Some devices or builds of a node, if nodes differ. */
static void add_origins(struct str *out, const struct origin_sets *sets,
                        const char *noun, uint32_t node)
{
	const char *names[ORIGINS_MOST];
	size_t count = origins_list(sets, CALLTREE_ROOT, names);

	if (count < 2)
		return;
	count = origins_list(sets, node, names);
	if (!count)
		return;
	str_addf(out, "\n%s%s ", noun, text_plural(count));
	if (count > ORIGINS_MOST) {
		str_addf(out, "more than %d", ORIGINS_MOST);
		return;
	}
	for (size_t i = 0; i < count && i < ORIGINS_NAMED; i++) {
		str_add(out, i ? " · " : "");
		flame_add_name(out, names[i]);
	}
	if (count > ORIGINS_NAMED)
		str_addf(out, " +%zu more", count - ORIGINS_NAMED);
}

void flame_add_origins(struct str *out, const struct calltree *tree,
                       uint32_t node)
{
	add_reports(out, &tree->nodes[node], &tree->nodes[CALLTREE_ROOT]);
	if (!tree->origins)
		return;
	add_origins(out, &tree->origins->devices, "device", node);
	add_origins(out, &tree->origins->builds, "build", node);
}

void flame_add_facts(struct str *out, const struct flame *flame,
                     const struct flame_box *box)
{
	const struct calltree *tree = flame->tree;
	const struct calltree_node *node = &tree->nodes[box->node];
	const struct calltree_frame *frame = flame_box_frame(flame, box);

	flame_add_name(out, calltree_name(frame));
	if (flame_has_place(frame)) {
		str_add_char(out, '\n');
		flame_add_place(out, frame);
	}
	str_add_char(out, '\n');
	add_amount(out, flame, node->samples, node->cost_us, flame->total);
	// Outermost functions have no caller.
	if (node->depth > 1) {
		str_add(out, ", ");
		markup_add_percent(out,
		                   units_share(flame_weight(tree, box->node),
		                               flame_weight(tree, node->parent),
		                               FLAME_PERCENT));
		str_add(out, " of its caller");
	}
	if (box->node != CALLTREE_ROOT) {
		str_add(out, "\nself ");
		add_amount(out, flame, node->self_samples, node->self_cost_us,
		           flame->total);
	}
	flame_add_origins(out, tree, box->node);
	if (tree->before)
		add_before(out, flame, box->node);
}

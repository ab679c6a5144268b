// SPDX-License-Identifier: MIT
#include "formatters/flame/graph.h"

#include "formatters/flame/facts.h"
#include "formatters/flame/gone.h"
#include "formatters/flame/markup.h"
#include "formatters/flame/rest.h"
#include "formatters/flame/strip.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"
#include "lib/base/utf8.h"
#include "lib/base/xml.h"

#include <inttypes.h>
#include <stdlib.h>

// In px. A character is 0.6 of the font size wide in nearly every monospaced
// font; wider text is clipped at the frame's edge.
#define MARGIN           12
#define PITCH            18
#define BOX_HEIGHT       "17"
#define HEAD_ALONE       96
#define HEAD_WITHIN      32
#define FOOT_NOTE        22
#define FOOT             12
#define LABEL_PADDING    4
#define LABEL_HUNDREDTHS 725
#define LABEL_LEAST      3
#define TITLE_HUNDREDTHS 1100
#define SWATCH           14
#define GONE_COLUMNS     60

/** State of writing a picture. */
struct graph {
	const struct flame *flame;
	const struct format_options *options;
	bool alone;
	unsigned top; ///< position of the first row
	struct out *out;
	struct str line;        ///< current line
	struct flame_gone gone; ///< calls to list
	size_t left;            ///< frames only in sums
};

static void flush(struct graph *graph)
{
	out_add_bytes(graph->out, graph->line.data, graph->line.size);
	str_clear(&graph->line);
}

const char *flame_title(const struct flame *flame,
                        const struct format_options *options)
{
	if (options->title)
		return options->title;
	if (flame->tree->title)
		return flame->tree->title;
	return flame->tree->before ? "Differential flame graph" : "Flame graph";
}

/** As much of @p name as @p columns have room for. */
static void add_label(struct str *out, const char *name, size_t columns)
{
	SCOPED(str_release) struct str visible = { 0 };
	struct text text, part = { 0 };
	size_t used = 0;

	// A character has at most four bytes. Combining marks take no column,
	// but many of them truncate the name.
	utf8_add_visible(&visible,
	                 utf8_first(text_from(name), 4 * columns + 4));
	text = str_text(&visible);
	if (utf8_width(text) <= columns && strlen(name) <= 4 * columns + 4) {
		xml_add_text(out, text);
		return;
	}
	part.data = text.data;
	while (part.size < text.size) {
		uint32_t c;
		size_t size = utf8_decode(text, part.size, &c);

		used += utf8_width(
		        text_first(text_after(text, part.size), size));
		if (used + 1 > columns)
			break;
		part.size += size;
	}
	xml_add_text(out, part);
	str_add(out, "…");
}

/** Hundredths of a px from the left edge. */
static uint64_t place(const struct flame *flame, uint64_t weight)
{
	return MARGIN * 100 +
	       units_share(weight, flame->total,
	                   (uint64_t)(flame->width - 2 * MARGIN) * 100);
}

/** Position of a frame in px / 100. */
struct spot {
	uint64_t x;
	uint64_t y;
	uint64_t width;
};

static void add_spot(struct str *out, const struct spot *spot)
{
	str_add(out, " x=\"");
	units_add_exact(out, spot->x, 100);
	str_add(out, "\" y=\"");
	units_add_exact(out, spot->y, 100);
	str_add(out, "\" width=\"");
	units_add_exact(out, spot->width, 100);
	str_add(out, "\" height=\"" BOX_HEIGHT "\"");
}

static void add_box_class(struct str *out, const struct flame *flame,
                          const struct flame_box *box)
{
	const struct calltree *tree = flame->tree;
	int change;

	if (box->node == CALLTREE_ROOT) {
		str_add(out, "n0");
		return;
	}
	if (!tree->before) {
		flame_add_class(out, flame_box_frame(flame, box));
		return;
	}
	change = flame_change(&flame->scale, flame_weight(tree, box->node),
	                      flame_before(tree, box->node));
	str_add_char(out, change > 0 ? 'm' : change < 0 ? 'l' : 'n');
	str_add_number(out, (unsigned)abs(change));
}

/** Data for the script that is not in the picture. */
static void add_data(struct str *out, const struct flame *flame,
                     const struct flame_box *box)
{
	const struct calltree_frame *frame = flame_box_frame(flame, box);

	str_add(out, " data-x=\"");
	str_add_number(out, box->start);
	str_add(out, "\" data-w=\"");
	str_add_number(out, box->weight);
	if (flame_has_place(frame))
		str_add(out, "\" data-p=\"1");
	if (flame->tree->before) {
		str_add(out, "\" data-b=\"");
		str_add_number(out, flame_before(flame->tree, box->node));
		str_add(out, "\" data-c=\"");
		if (box->node == CALLTREE_ROOT)
			str_add(out, "n0");
		else
			flame_add_class(out, frame);
	}
	str_add_char(out, '"');
}

static struct spot spot_of(const struct graph *graph,
                           const struct flame_box *box)
{
	const struct flame *flame = graph->flame;
	uint32_t row = graph->options->icicle ? box->row
	                                      : flame->rows - 1 - box->row;
	struct spot spot = {
		.x = place(flame, box->start),
		.y = ((uint64_t)row * PITCH + graph->top) * 100,
	};

	spot.width = place(flame, box->start + box->weight) - spot.x;
	// A gap between neighbours, if there is room.
	if (spot.width >= 300)
		spot.width -= 50;
	else if (!spot.width)
		spot.width = 1;
	return spot;
}

/** As much of the name as fits. */
static void add_label_at(struct str *line, const struct spot *spot,
                         const char *name)
{
	const uint64_t padding = 2 * LABEL_PADDING * 100;
	uint64_t columns = spot->width > padding
	                           ? (spot->width - padding) / LABEL_HUNDREDTHS
	                           : 0;

	if (columns < LABEL_LEAST)
		return;
	str_add(line, "<svg");
	add_spot(line, spot);
	str_addf(line, "><text x=\"%d\" y=\"12.5\">", LABEL_PADDING);
	add_label(line, name, columns);
	str_add(line, "</text></svg>");
}

static void write_box(struct graph *graph, const struct flame_box *box)
{
	const struct flame *flame = graph->flame;
	struct spot spot = spot_of(graph, box);
	struct str *line = &graph->line;

	str_add(line, "<g class=\"");
	add_box_class(line, flame, box);
	str_add_char(line, '"');
	add_data(line, flame, box);
	str_add(line, "><title>");
	flame_add_facts(line, flame, box);
	str_add(line, "</title><rect");
	add_spot(line, &spot);
	str_add(line, "/>");
	add_label_at(line, &spot, calltree_name(flame_box_frame(flame, box)));
	str_add(line, "</g>\n");
	flush(graph);
}

void flame_add_summary(struct str *out, const struct flame *flame)
{
	const struct calltree *tree = flame->tree;
	const struct calltree_node *root = tree->nodes;
	struct calltree_weight before =
	        calltree_weight_before(tree, CALLTREE_ROOT);

	if (!tree->node_count) {
		str_add(out, "no samples");
		return;
	}
	markup_add_plural(out, root->samples, calltree_noun(tree));
	if (tree->before) {
		str_add(out, ", before ");
		markup_add_count(out, before.samples);
	}
	if (root->cost_us) {
		str_add(out, " · ");
		markup_add_cost(out, tree, root->cost_us);
	}
	if (root->cost_us && tree->before) {
		str_add(out, ", before ");
		markup_add_cost(out, tree, before.cost_us);
	}
	if (root->cost_us && cost_origin_note(tree->cost_origin))
		str_addf(out, " (%s)", cost_origin_note(tree->cost_origin));
	str_add(out, " · ");
	markup_add_plural(out, tree->node_count - 1 - flame->gone, "frame");
	if (tree->by_cost)
		str_add(out, " · width is cost");
}

/** A colored square; returns the position of its caption. */
static unsigned add_swatch(struct graph *graph, const char *class, unsigned x,
                           unsigned baseline)
{
	str_addf(&graph->line,
	         "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"%d\" "
	         "height=\"%d\"/>\n",
	         class, x, baseline - SWATCH + 3, SWATCH, SWATCH);
	return x + SWATCH;
}

static void add_caption(struct graph *graph, unsigned x, unsigned baseline,
                        const char *caption)
{
	str_addf(&graph->line, "<text x=\"%u\" y=\"%u\">%s</text>\n", x,
	         baseline, caption);
}

static void add_kinds(struct graph *graph, unsigned y)
{
	unsigned x = add_swatch(graph, "a0", MARGIN, y);

	add_caption(graph, x + 6, y, "app");
	x = add_swatch(graph, "s0", x + 50, y);
	add_caption(graph, x + 6, y, "system");
}

static void add_changes(struct graph *graph, unsigned y)
{
	unsigned x = MARGIN + 72;

	str_addf(&graph->line,
	         "<text x=\"%u\" y=\"%u\" text-anchor=\"end\">≤ −%d</text>\n",
	         x - 6, y, FLAME_CHANGE_MOST);
	for (int step = -FLAME_STEPS; step <= FLAME_STEPS; step++) {
		char class[] = { step < 0   ? 'l'
			         : step > 0 ? 'm'
			                    : 'n',
			         (char)('0' + abs(step)), 0 };

		x = add_swatch(graph, class, x, y) + 1;
	}
	str_addf(&graph->line, "<text x=\"%u\" y=\"%u\">≥ +%d %s</text>\n",
	         x + 6, y, FLAME_CHANGE_MOST,
	         graph->flame->scale.mode == DIFF_SHARE
	                 ? "% of the larger input, scaled"
	                 : "% of the larger input");
}

static void write_legend(struct graph *graph)
{
	unsigned y = graph->top - 14;

	str_add(&graph->line, "<g class=\"legend\">\n");
	if (graph->flame->tree->before)
		add_changes(graph, y);
	else
		add_kinds(graph, y);
	str_add(&graph->line, "</g>\n");
	flush(graph);
}

static void add_narrow(struct str *line, const struct flame *flame)
{
	bool one = flame->narrow == 1;

	markup_add_plural(line, flame->narrow, "frame");
	str_add(line, " narrower than ");
	units_add_exact(line, flame->min_hundredths, 100);
	str_addf(line, " px of %u %s not drawn: zoom in to see %s.",
	         flame->width, one ? "is" : "are", one ? "it" : "them");
}

static void add_gone(struct str *line, const struct flame *flame)
{
	bool one = flame->gone == 1;

	markup_add_plural(line, flame->gone, "frame");
	str_addf(line, " %s gone: only the older samples have %s.",
	         one ? "is" : "are", one ? "it" : "them");
}

static void add_note(struct graph *graph, uint64_t y)
{
	str_addf(&graph->line,
	         "<text class=\"note\" x=\"%d\" y=\"%" PRIu64 "\">", MARGIN, y);
}

/** `gone in main: before 12 samples · 24.00 % of all` */
static void add_gone_call(struct graph *graph, uint32_t node)
{
	const struct flame *flame = graph->flame;
	const struct calltree *tree = flame->tree;
	uint32_t caller = tree->nodes[node].parent;
	struct calltree_weight before = calltree_weight_before(tree, node);
	struct str *line = &graph->line;

	str_add(line, "− ");
	add_label(line, calltree_name(calltree_frame_of(tree, node)),
	          GONE_COLUMNS);
	if (caller != CALLTREE_ROOT) {
		str_add(line, " in ");
		add_label(line, calltree_name(calltree_frame_of(tree, caller)),
		          GONE_COLUMNS);
	}
	str_add(line, ": before ");
	if (tree->by_cost)
		markup_add_cost(line, tree, before.cost_us);
	else
		markup_add_plural(line, before.samples, calltree_noun(tree));
}

/** Mention what the picture omits. */
static void write_notes(struct graph *graph, uint64_t bottom)
{
	const struct flame *flame = graph->flame;
	struct str *line = &graph->line;
	uint64_t y = bottom + 16;

	add_note(graph, y);
	if (!flame->total)
		str_add(line, "There are no samples to draw.");
	else if (flame->narrow)
		add_narrow(line, flame);
	if (flame->gone && (flame->narrow || !flame->total))
		str_add_char(line, ' ');
	if (flame->gone)
		add_gone(line, flame);
	str_add(line, "</text>\n");
	if (graph->left) {
		add_note(graph, y += PITCH);
		str_add(line, "The lightest ");
		markup_add_count(line, graph->left);
		str_add(line, " are summed up as \"more\" below their callers: "
		              "apmtool fold prints them.</text>\n");
	}
	for (size_t i = 0; i < graph->gone.count; i++) {
		add_note(graph, y += PITCH);
		add_gone_call(graph, graph->gone.nodes[i]);
		str_add(line, "</text>\n");
	}
	if (graph->gone.more) {
		add_note(graph, y += PITCH);
		markup_add_count(line, graph->gone.more);
		str_add(line, " more</text>\n");
	}
	flush(graph);
}

static void write_heading(struct graph *graph)
{
	const struct flame *flame = graph->flame;
	struct str *line = &graph->line;

	str_add(line, "<rect class=\"ground\" width=\"100%\" "
	              "height=\"100%\"/>\n");
	str_addf(line, "<text class=\"title\" x=\"%d\" y=\"34\">", MARGIN);
	add_label(line, flame_title(flame, graph->options),
	          (flame->width - 2 * MARGIN) * 100 / TITLE_HUNDREDTHS);
	str_addf(line, "</text>\n<text class=\"summary\" x=\"%d\" y=\"56\">",
	         MARGIN);
	flame_add_summary(line, flame);
	str_add(line, "</text>\n");
	flush(graph);
}

/** Unit for the script. */
static const char *unit_of(const struct calltree *tree)
{
	if (!tree->by_cost)
		return tree->counts_calls ? "calls" : "samples";
	return cost_unit_is_time(tree->cost_unit)
	               ? "us"
	               : cost_unit_name(tree->cost_unit);
}

static void write_start(struct graph *graph, uint64_t height)
{
	const struct flame *flame = graph->flame;
	struct str *line = &graph->line;

	str_addf(line,
	         "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame%s\" "
	         "viewBox=\"0 0 %u %" PRIu64 "\" width=\"%u\" "
	         "height=\"%" PRIu64 "\" role=\"group\" aria-label=\"",
	         graph->alone ? " alone" : "", flame->width, height,
	         flame->width, height);
	flame_add_name(line, flame_title(flame, graph->options));
	str_addf(line,
	         "\" data-margin=\"%d\" data-pitch=\"%d\" data-top=\"%u\" "
	         "data-rows=\"%" PRIu32 "\" data-icicle=\"%d\" "
	         "data-unit=\"%s\"",
	         MARGIN, PITCH, graph->top, flame->rows, graph->options->icicle,
	         unit_of(flame->tree));
	if (*cost_origin_mark(flame->tree->cost_origin))
		str_addf(line, " data-mark=\"%s\"",
		         cost_origin_mark(flame->tree->cost_origin));
	if (flame->order == CALL_ORDER_WEIGHT)
		str_add(line, " data-order=\"weight\"");
	if (flame->order == CALL_ORDER_TIME)
		str_add(line, " data-order=\"time\"");
	if (flame->tree->before)
		str_addf(line,
		         " data-diff=\"%s\" data-now=\"%" PRIu64 "\" "
		         "data-before=\"%" PRIu64 "\"",
		         flame->scale.mode == DIFF_SHARE ? "share" : "absolute",
		         flame->scale.now, flame->scale.before);
	str_add(line, ">\n");
	flush(graph);
}

void flame_write_graph(const struct flame *flame,
                       const struct format_options *options,
                       const struct flame_strip *strip, struct out *out)
{
	SCOPED(mem_drop) uint32_t *numbers = NULL;
	bool alone = !strip;
	struct graph graph = {
		.flame = flame,
		.options = options,
		.alone = alone,
		.top = alone ? HEAD_ALONE : HEAD_WITHIN,
		.out = out,
	};
	uint64_t bottom = (uint64_t)flame->rows * PITCH + graph.top;
	bool noted = flame->narrow || flame->gone || !flame->total;
	uint64_t foot;

	// In a page there is a table for them.
	if (alone)
		flame_gone_find(flame, &graph.gone);
	foot = FOOT + (noted ? FOOT_NOTE : 0u) + graph.gone.count * PITCH +
	       (graph.gone.more ? PITCH : 0u) +
	       (flame->narrow + flame->gone > FLAME_PACKED_MAX ? PITCH : 0u);
	write_start(&graph, bottom + foot);
	if (alone) {
		out_add(out, "<style>\n");
		out_add(out, flame_css);
		out_add(out, "</style>\n");
		write_heading(&graph);
	}
	write_legend(&graph);
	out_add(out, "<g class=\"frames\">\n");
	for (size_t i = 0; i < flame->count; i++)
		write_box(&graph, &flame->boxes[i]);
	out_add(out, "</g>\n");
	numbers = flame_write_rest(flame, out, &graph.left);
	if (strip)
		flame_write_strip(flame, strip, numbers, out);
	if (noted)
		write_notes(&graph, bottom);
	if (alone) {
		out_add(out, "<script><![CDATA[\n");
		out_add(out, flame_svg_js);
		out_add(out, "]]></script>\n");
	}
	out_add(out, "</svg>\n");
	str_release(&graph.line);
}

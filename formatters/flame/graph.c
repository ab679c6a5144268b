#include "formatters/flame/graph.h"

#include "formatters/flame/markup.h"
#include "lib/base/units.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>

// In px. A character of the names is 0.6 of their size wide in nearly every
// monospaced font; what is wider is clipped at the frame's edge.
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

/** A picture that is being written. */
struct graph {
	const struct flame *flame;
	const struct format_options *options;
	bool alone;
	unsigned top; ///< where the frames begin
	struct out *out;
	struct str line; ///< what is written next
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

/** At most @p size bytes, and no half of a character. */
static struct text cut(struct text in, size_t size)
{
	if (in.size <= size)
		return in;
	while (size && ((unsigned char)in.data[size] & 0xc0) == 0x80)
		size--;
	return text_first(in, size);
}

void flame_add_name(struct str *out, const char *name)
{
	struct text whole = text_from(name);
	struct text part = cut(whole, FLAME_NAME_MAX);

	markup_add_text(out, part);
	if (part.size < whole.size)
		str_add(out, "…");
}

/** As much of @p name as @p columns have room for. */
static void add_label(struct str *out, const char *name, size_t columns)
{
	SCOPED(str_release) struct str visible = { 0 };
	struct text text, part = { 0 };
	size_t used = 0;

	// Four bytes hold any character. Marks take no column, but who puts
	// so many on a letter sees the name truncated.
	utf8_add_visible(&visible, cut(text_from(name), 4 * columns + 4));
	text = str_text(&visible);
	if (utf8_width(text) <= columns && strlen(name) <= 4 * columns + 4) {
		markup_add_text(out, text);
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
	markup_add_text(out, part);
	str_add(out, "…");
}

/** Hundredths of a px from the left edge. */
static uint64_t place(const struct flame *flame, uint64_t weight)
{
	return MARGIN * 100 +
	       units_share(weight, flame->total,
	                   (uint64_t)(flame->width - 2 * MARGIN) * 100);
}

/** Where a frame is drawn, in px / 100. */
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

static void add_change(struct str *out, const struct flame *flame, uint64_t now,
                       uint64_t before)
{
	uint64_t total = flame_before(flame->tree, CALLTREE_ROOT);
	uint64_t share = units_share(now, flame->total, FLAME_PERCENT);
	uint64_t old_share = units_share(before, total, FLAME_PERCENT);

	str_add(out, ", before ");
	markup_add_percent(out, old_share);
	str_addf(out, " (%s",
	         share < old_share   ? "−"
	         : share > old_share ? "+"
	                             : "±");
	units_add_exact(
	        out, share < old_share ? old_share - share : share - old_share,
	        100);
	str_add(out, " points)");
}

static void add_numbers(struct str *out, const struct flame *flame,
                        uint32_t node)
{
	const struct calltree *tree = flame->tree;
	const struct calltree_node *now = &tree->nodes[node];

	markup_add_plural(out, now->samples, "sample");
	if (tree->nodes[CALLTREE_ROOT].cost_us) {
		str_add(out, " · ");
		markup_add_ms(out, now->cost_us);
	}
	str_add(out, " · ");
	markup_add_percent(out, units_share(flame_weight(tree, node),
	                                    flame->total, FLAME_PERCENT));
	if (tree->before)
		add_change(out, flame, flame_weight(tree, node),
		           flame_before(tree, node));
}

/** Where its code is; nothing where unknown. */
static void add_source(struct str *out, const struct calltree_frame *frame)
{
	if (!frame->image && !frame->file)
		return;
	str_add_char(out, '\n');
	if (frame->image)
		flame_add_name(out, frame->image);
	if (frame->image && frame->file)
		str_add(out, " · ");
	if (frame->file)
		flame_add_name(out, frame->file);
	if (frame->file && frame->line)
		str_addf(out, ":%" PRIu32, frame->line);
}

static const struct calltree_frame *box_frame(const struct flame *flame,
                                              const struct flame_box *box)
{
	static const struct calltree_frame all = { .name = "all" };

	if (box->node == CALLTREE_ROOT)
		return &all;
	return calltree_frame_of(flame->tree, box->node);
}

static void add_class(struct str *out, const struct flame *flame,
                      const struct flame_box *box,
                      const struct calltree_frame *frame)
{
	const struct calltree *tree = flame->tree;
	int change;

	if (box->node == CALLTREE_ROOT) {
		str_add(out, "n0");
		return;
	}
	if (!tree->before) {
		str_add_char(out, frame->kind == CALLTREE_APP ? 'a' : 's');
		str_add_number(out, flame_shade(calltree_name(frame)));
		return;
	}
	change = flame_change(box->weight, flame->total,
	                      flame_before(tree, box->node),
	                      flame_before(tree, CALLTREE_ROOT));
	str_add_char(out, change > 0 ? 'm' : change < 0 ? 'l' : 'n');
	str_add_number(out, (unsigned)abs(change));
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
	// A hair of the background between neighbours, where there is room.
	if (spot.width >= 300)
		spot.width -= 50;
	else if (!spot.width)
		spot.width = 1;
	return spot;
}

/** Its name, where there is room for some of it. */
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
	const struct calltree_frame *frame = box_frame(flame, box);
	struct spot spot = spot_of(graph, box);
	struct str *line = &graph->line;

	str_add(line, "<g class=\"");
	add_class(line, flame, box, frame);
	str_add(line, "\" data-x=\"");
	str_add_number(line, box->start);
	str_add(line, "\" data-w=\"");
	str_add_number(line, box->weight);
	str_add(line, "\"><title>");
	flame_add_name(line, calltree_name(frame));
	add_source(line, frame);
	str_add_char(line, '\n');
	add_numbers(line, flame, box->node);
	str_add(line, "</title><rect");
	add_spot(line, &spot);
	str_add(line, "/>");
	add_label_at(line, &spot, calltree_name(frame));
	str_add(line, "</g>\n");
	flush(graph);
}

void flame_add_summary(struct str *out, const struct flame *flame)
{
	const struct calltree *tree = flame->tree;
	const struct calltree_node *root = tree->nodes;

	if (!tree->node_count) {
		str_add(out, "no samples");
		return;
	}
	markup_add_plural(out, root->samples, "sample");
	if (tree->before) {
		str_add(out, ", before ");
		markup_add_count(out, tree->before->samples);
	}
	if (root->cost_us) {
		str_add(out, " · ");
		markup_add_ms(out, root->cost_us);
	}
	if (root->cost_us && tree->before) {
		str_add(out, ", before ");
		markup_add_ms(out, tree->before->cost_us);
	}
	str_add(out, " · ");
	markup_add_plural(out, tree->node_count - 1 - flame->gone, "frame");
	if (tree->by_cost)
		str_add(out, " · width is cost");
}

/** A colored square; returns where its caption begins. */
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
	str_addf(&graph->line,
	         "<text x=\"%u\" y=\"%u\">≥ +%d percentage points of "
	         "the whole</text>\n",
	         x + 6, y, FLAME_CHANGE_MOST);
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
	markup_add_plural(line, flame->narrow, "frame");
	str_add(line, " narrower than ");
	units_add_exact(line, flame->min_hundredths, 100);
	str_addf(line, " px of %u %s not drawn.", flame->width,
	         flame->narrow == 1 ? "is" : "are");
}

static void add_gone(struct str *line, const struct flame *flame)
{
	bool one = flame->gone == 1;

	markup_add_plural(line, flame->gone, "frame");
	str_addf(line, " %s gone: only the older samples have %s.",
	         one ? "is" : "are", one ? "it" : "them");
}

/** What the picture does not show. */
static void write_notes(struct graph *graph, uint64_t bottom)
{
	const struct flame *flame = graph->flame;
	struct str *line = &graph->line;

	str_addf(line, "<text class=\"note\" x=\"%d\" y=\"%" PRIu64 "\">",
	         MARGIN, bottom + 16);
	if (!flame->total)
		str_add(line, "There are no samples to draw.");
	else if (flame->narrow)
		add_narrow(line, flame);
	if (flame->gone && (flame->narrow || !flame->total))
		str_add_char(line, ' ');
	if (flame->gone)
		add_gone(line, flame);
	str_add(line, "</text>\n");
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
	         "data-rows=\"%" PRIu32 "\" data-icicle=\"%d\">\n",
	         MARGIN, PITCH, graph->top, flame->rows,
	         graph->options->icicle);
	flush(graph);
}

void flame_write_graph(const struct flame *flame,
                       const struct format_options *options, bool alone,
                       struct out *out)
{
	struct graph graph = {
		.flame = flame,
		.options = options,
		.alone = alone,
		.top = alone ? HEAD_ALONE : HEAD_WITHIN,
		.out = out,
	};
	uint64_t bottom = (uint64_t)flame->rows * PITCH + graph.top;
	bool noted = flame->narrow || flame->gone || !flame->total;

	write_start(&graph, bottom + FOOT + (noted ? FOOT_NOTE : 0));
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
	if (noted)
		write_notes(&graph, bottom);
	if (alone) {
		out_add(out, "<script><![CDATA[\n");
		out_add(out, flame_js);
		out_add(out, "]]></script>\n");
	}
	out_add(out, "</svg>\n");
	str_release(&graph.line);
}

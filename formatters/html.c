// SPDX-License-Identifier: MIT
#include "formatters/flame/facts.h"
#include "formatters/flame/functions.h"
#include "formatters/flame/gone.h"
#include "formatters/flame/graph.h"
#include "formatters/flame/markup.h"
#include "formatters/flame/strip.h"
#include "formatters/formatter.h"
#include "formatters/html/document.h"
#include "formatters/html/parts.h"
#include "lib/base/units.h"

/** State of writing a page. */
struct document {
	const struct flame *flame;
	const struct format_options *options;
	struct out *out;
	struct str line; ///< current line
};

static void flush(struct document *document)
{
	out_add_bytes(document->out, document->line.data, document->line.size);
	str_clear(&document->line);
}

/** The script shows its controls, which are useless without it. */
static void write_header(struct document *document)
{
	struct str *line = &document->line;

	str_add(line, "<header>\n<div>\n<h1><bdi>");
	flame_add_name(line, flame_title(document->flame, document->options));
	str_add(line, "</bdi></h1>\n<p class=\"summary\">");
	flame_add_summary(line, document->flame);
	str_add(line, "</p>\n</div>\n"
	              "<div class=\"flame-tools\" id=\"flame-tools\" hidden>"
	              "</div>\n</header>\n<main>\n");
	flush(document);
}

/** Mention the samples that are not in the strip. */
static void add_strip_limits(struct str *line, const struct flame_strip *strip)
{
	if (strip->is_cut) {
		str_add(line, " Of a long report, the first ");
		markup_add_count(line, FLAME_STRIP_CELLS_MAX);
		str_add(line, " changes are shown.");
	}
	if (strip->more) {
		str_add(line, " The first ");
		markup_add_count(line, strip->shown);
		str_add(line, " of ");
		markup_add_plural(line, strip->shown + strip->more, "report");
		str_add(line, strip->shown == 1 ? " is shown." : " are shown.");
	}
	if (strip->unordered) {
		str_add_char(line, ' ');
		markup_add_plural(line, strip->unordered, "report");
		str_addf(line,
		         " without an order of samples %s not in the strip.",
		         strip->unordered == 1 ? "is" : "are");
	}
}

/** The script fills it. */
static void write_strip(struct document *document,
                        const struct flame_strip *strip)
{
	struct str *line = &document->line;
	const struct calltree *tree = document->flame->tree;

	if (!strip->shown)
		return;
	str_addf(line,
	         "<section class=\"strip flame\" id=\"flame-strip\" "
	         "data-time=\"%s\" hidden>\n<div class=\"strip-head\"><h2>In "
	         "the order of time</h2></div>\n"
	         "<p>Each row is a report; its colors are those of the app's "
	         "innermost functions. Click a stretch, or drag over "
	         "several, to see the graph of these samples alone.",
	         tree->nodes[CALLTREE_ROOT].cost_us &&
	                         cost_unit_is_time(tree->cost_unit)
	                 ? "us"
	                 : "samples");
	add_strip_limits(line, strip);
	str_add(line, "</p>\n</section>\n");
	flush(document);
}

static void add_cell(struct document *document, uint64_t value)
{
	struct str *line = &document->line;

	str_add(line, "<td class=\"number\">");
	if (document->flame->tree->by_cost)
		markup_add_cost(line, document->flame->tree, value);
	else
		markup_add_count(line, value);
	str_add(line, "</td>");
}

/** A share with its bar, as SVG: inline styles are forbidden. */
static void add_share(struct document *document, uint64_t value)
{
	struct str *line = &document->line;
	uint64_t share =
	        units_share(value, document->flame->total, FLAME_PERCENT);

	str_add(line, "<td class=\"number\">");
	markup_add_percent(line, share);
	str_add(line, "</td><td class=\"bar\"><svg viewBox=\"0 0 100 6\" "
	              "preserveAspectRatio=\"none\" aria-hidden=\"true\">"
	              "<rect height=\"6\" width=\"");
	units_add_exact(line, share, 100);
	str_add(line, "\"/></svg></td>");
}

/** The older value and the change. */
static void add_comparison(struct document *document, uint64_t now,
                           uint64_t before)
{
	add_cell(document, before);
	str_add(&document->line, "<td class=\"number\">");
	flame_add_change(&document->line, document->flame, now, before);
	str_add(&document->line, "</td>");
}

/** The first cell of a row. */
static void add_function(struct document *document,
                         const struct calltree_frame *frame)
{
	struct str *line = &document->line;

	str_addf(line,
	         "<td class=\"function\"><span class=\"%s\">"
	         "<bdi class=\"name\">",
	         frame->kind == CALLTREE_APP ? "app" : "system");
	flame_add_name(line, calltree_name(frame));
	str_add(line, "</bdi></span>");
	if (frame->image) {
		str_add(line, "<bdi class=\"image\">");
		flame_add_name(line, frame->image);
		str_add(line, "</bdi>");
	}
	str_add(line, "</td>");
}

static void write_function(struct document *document,
                           const struct flame_function *function, bool self)
{
	const struct calltree *tree = document->flame->tree;
	uint64_t now = self ? function->self : function->total;

	str_add(&document->line, "<tr>");
	add_function(document, &tree->frames[function->frame]);
	add_cell(document, now);
	add_share(document, now);
	if (tree->before)
		add_comparison(document, now,
		               self ? function->before_self
		                    : function->before_total);
	str_add(&document->line, "</tr>\n");
	flush(document);
}

/** Up to the first row. */
static void open_table(struct document *document, const char *title,
                       const char *meaning, const char *table,
                       const char *columns)
{
	str_addf(&document->line,
	         "<section>\n<h2>%s</h2>\n<p>%s</p>\n%s\n<thead><tr>"
	         "<th>Function</th>%s</tr></thead>\n<tbody>\n",
	         title, meaning, table, columns);
}

static void close_table(struct document *document)
{
	str_add(&document->line, "</tbody>\n</table>\n</section>\n");
	flush(document);
}

#define NUMBER(title) "<th class=\"number\">" title "</th>"
#define SHARE         "<th class=\"number\" colspan=\"2\">Share</th>"
#define COMPARED      SHARE NUMBER("Before") NUMBER("Change")

static void write_functions(struct document *document, const char *title,
                            const char *meaning,
                            const struct flame_function *functions,
                            size_t count, bool self)
{
	const struct calltree *tree = document->flame->tree;

	if (tree->before)
		open_table(document, title, meaning,
		           "<table class=\"compared\">",
		           tree->by_cost ? NUMBER("Cost") COMPARED
		                         : NUMBER("Samples") COMPARED);
	else
		open_table(document, title, meaning, "<table>",
		           tree->by_cost ? NUMBER("Cost") SHARE
		                         : NUMBER("Samples") SHARE);
	for (size_t i = 0; i < count; i++)
		write_function(document, &functions[i], self);
	if (!count)
		str_add(&document->line, "<tr><td>None.</td></tr>\n");
	close_table(document);
}

static void write_gone_call(struct document *document, uint32_t node)
{
	const struct calltree *tree = document->flame->tree;
	uint32_t caller = tree->nodes[node].parent;
	struct str *line = &document->line;

	str_add(line, "<tr>");
	add_function(document, calltree_frame_of(tree, node));
	str_add(line, "<td class=\"caller\"><bdi>");
	if (caller != CALLTREE_ROOT)
		flame_add_name(line,
		               calltree_name(calltree_frame_of(tree, caller)));
	str_add(line, "</bdi></td>");
	add_cell(document, flame_before(tree, node));
	str_add(line, "</tr>\n");
	flush(document);
}

/** Gone calls have no width: the picture shows the newer input. */
static void write_gone(struct document *document)
{
	struct flame_gone gone;

	flame_gone_find(document->flame, &gone);
	if (!gone.count)
		return;
	open_table(document, "Gone",
	           "Calls that only the older input has, with what they "
	           "called.",
	           "<table>", "<th>Called by</th>" NUMBER("Before"));
	for (size_t i = 0; i < gone.count; i++)
		write_gone_call(document, gone.nodes[i]);
	if (gone.more) {
		str_add(&document->line, "<tr><td colspan=\"3\">");
		markup_add_count(&document->line, gone.more);
		str_add(&document->line, " more</td></tr>\n");
	}
	close_table(document);
}

static void write_tables(struct document *document)
{
	const struct flame *flame = document->flame;
	const struct calltree *tree = flame->tree;
	struct flame_functions found;

	if (!tree->node_count || (!flame->total && !tree->before))
		return;
	flame_functions_find(flame, &found);
	out_add(document->out, "<div class=\"tables\">\n");
	write_functions(document,
	                tree->before ? "What changed most, without callees"
	                             : "Heaviest functions, without callees",
	                "Samples that ended in the function itself.",
	                found.by_self, found.self_count, true);
	write_functions(document,
	                tree->before ? "What changed most, with callees"
	                             : "Heaviest functions, with callees",
	                "Samples that passed through the function, counted "
	                "once if it is recursive.",
	                found.by_total, found.total_count, false);
	if (tree->before)
		write_gone(document);
	out_add(document->out, "</div>\n");
}

static void html_calltree(const struct calltree *tree,
                          const struct format_options *options, struct out *out)
{
	SCOPED(flame_release) struct flame flame = { 0 };
	struct document document = { .flame = &flame,
		                     .options = options,
		                     .out = out };
	struct flame_strip strip;

	flame_lay_out(&flame, tree, options);
	flame_strip_measure(&flame, &strip);
	html_begin(out, HTML_FLAME, flame_title(&flame, options));
	write_header(&document);
	write_strip(&document, &strip);
	out_add(out, "<div class=\"picture\">\n");
	flame_write_graph(&flame, options, &strip, out);
	out_add(out, "</div>\n");
	write_tables(&document);
	out_add(out, "</main>\n");
	html_end(out, HTML_FLAME);
	str_release(&document.line);
}

const struct formatter html_formatter = {
	.name = "html",
	.summary = "a web page to open offline: reports, tables, pages, "
	           "flame graphs",
	.for_people = true,
	.shows_order = true,
	.shows_origins = true,
	.has_call_orders = true,
	.colors_kinds = true,
	.draws = true,
	.explains = true,
	.shows_sources = true,
	.report = html_report,
	.table = html_table,
	.calltree = html_calltree,
	.page = html_page,
	.begin = html_begin_several,
	.end = html_end_several,
	.entry = html_add_entry,
};

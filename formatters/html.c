#include "formatters/flame/functions.h"
#include "formatters/flame/graph.h"
#include "formatters/flame/markup.h"
#include "formatters/formatter.h"
#include "lib/base/units.h"

/** A page of HTML that is being written. */
struct document {
	const struct flame *flame;
	const struct format_options *options;
	struct out *out;
	struct str line; ///< what is written next
};

static void flush(struct document *document)
{
	out_add_bytes(document->out, document->line.data, document->line.size);
	str_clear(&document->line);
}

/**
 * Nothing may be loaded, and of scripts and styles only ours run: were a name
 * ever to come through as markup, it still could do nothing.
 */
static void write_head(struct document *document)
{
	struct str *line = &document->line;

	str_addf(line,
	         "<!DOCTYPE html>\n"
	         "<html lang=\"en\">\n"
	         "<head>\n"
	         "<meta charset=\"utf-8\">\n"
	         "<meta http-equiv=\"Content-Security-Policy\" "
	         "content=\"default-src 'none'; script-src %s; "
	         "style-src %s %s; base-uri 'none'; form-action 'none'\">\n"
	         "<meta name=\"viewport\" "
	         "content=\"width=device-width, initial-scale=1\">\n"
	         "<meta name=\"color-scheme\" content=\"light dark\">\n"
	         "<title>",
	         flame_js_source, flame_css_source, page_css_source);
	flame_add_name(line, flame_title(document->flame, document->options));
	str_addf(line,
	         "</title>\n"
	         "<style>%s</style>\n"
	         "<style>%s</style>\n"
	         "</head>\n",
	         flame_css, page_css);
	flush(document);
}

/** The tools are shown by the script, without which they are of no use. */
static void write_header(struct document *document)
{
	struct str *line = &document->line;

	str_add(line, "<body>\n<header>\n<div>\n<h1><bdi>");
	flame_add_name(line, flame_title(document->flame, document->options));
	str_add(line, "</bdi></h1>\n<p class=\"summary\">");
	flame_add_summary(line, document->flame);
	str_add(line, "</p>\n</div>\n"
	              "<div class=\"flame-tools\" id=\"flame-tools\" hidden>"
	              "</div>\n</header>\n<main>\n<div class=\"picture\">\n");
	flush(document);
}

static void add_cell(struct document *document, uint64_t value)
{
	struct str *line = &document->line;

	str_add(line, "<td class=\"number\">");
	if (document->flame->tree->by_cost)
		markup_add_ms(line, value);
	else
		markup_add_count(line, value);
	str_add(line, "</td>");
}

/** A share of all, with its bar; an SVG one: styles are not let in. */
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

static void add_share_before(struct document *document, uint64_t value)
{
	uint64_t total = flame_before(document->flame->tree, CALLTREE_ROOT);

	str_add(&document->line, "<td class=\"number\">");
	markup_add_percent(&document->line,
	                   units_share(value, total, FLAME_PERCENT));
	str_add(&document->line, "</td>");
}

static void write_function(struct document *document,
                           const struct flame_function *function, bool self)
{
	const struct calltree *tree = document->flame->tree;
	const struct calltree_frame *frame = &tree->frames[function->frame];
	struct str *line = &document->line;

	str_addf(line,
	         "<tr><td class=\"function\"><span class=\"%s\">"
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
	add_cell(document, self ? function->self : function->total);
	add_share(document, self ? function->self : function->total);
	if (tree->before)
		add_share_before(document, self ? function->before_self
		                                : function->before_total);
	str_add(line, "</tr>\n");
	flush(document);
}

static void write_functions(struct document *document, const char *title,
                            const char *meaning,
                            const struct flame_function *functions,
                            size_t count, bool self)
{
	const struct calltree *tree = document->flame->tree;

	str_addf(&document->line,
	         "<section>\n<h2>%s</h2>\n<p>%s</p>\n<table>\n<thead><tr>"
	         "<th>Function</th><th class=\"number\">%s</th>"
	         "<th class=\"number\" colspan=\"2\">Share</th>%s"
	         "</tr></thead>\n<tbody>\n",
	         title, meaning, tree->by_cost ? "Cost" : "Samples",
	         tree->before ? "<th class=\"number\">Before</th>" : "");
	for (size_t i = 0; i < count; i++)
		write_function(document, &functions[i], self);
	str_add(&document->line, "</tbody>\n</table>\n</section>\n");
	flush(document);
}

static void write_tables(struct document *document)
{
	struct flame_functions heaviest;

	if (!document->flame->total)
		return;
	flame_functions_find(document->flame->tree, &heaviest);
	out_add(document->out, "<div class=\"tables\">\n");
	write_functions(document, "Heaviest functions, without callees",
	                "Samples that ended in the function itself.",
	                heaviest.by_self, heaviest.self_count, true);
	write_functions(document, "Heaviest functions, with callees",
	                "Samples that passed through the function, counted "
	                "once if it is recursive.",
	                heaviest.by_total, heaviest.total_count, false);
	out_add(document->out, "</div>\n");
}

static void html_calltree(const struct calltree *tree,
                          const struct format_options *options, struct out *out)
{
	SCOPED(flame_release) struct flame flame = { 0 };
	struct document document = { .flame = &flame,
		                     .options = options,
		                     .out = out };

	flame_lay_out(&flame, tree, options);
	write_head(&document);
	write_header(&document);
	flame_write_graph(&flame, options, false, out);
	out_add(out, "</div>\n");
	write_tables(&document);
	out_add(out, "</main>\n<script>");
	out_add(out, flame_js);
	out_add(out, "</script>\n</body>\n</html>\n");
	str_release(&document.line);
}

const struct formatter html_formatter = {
	.name = "html",
	.summary = "a flame graph and the heaviest functions, as an HTML page",
	.colors_kinds = true,
	.calltree = html_calltree,
};

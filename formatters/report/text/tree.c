// SPDX-License-Identifier: MIT
/*
 * Sampled trees as text: a line per call, indented below its caller, with
 * samples and share. The attributed thread comes first.
 */
#include "formatters/report/text/frames.h"
#include "formatters/report/text/parts.h"
#include "formatters/report/tree_lines.h"
#include "lib/base/str.h"
#include "lib/base/utf8.h"

#include <inttypes.h>

// Max indentation; deeper lines print their depth: a stack overflow must not
// fill a disk with blanks.
#define INDENT_LEVELS 60

struct tree_writer {
	const struct report *report;
	enum text_style style;
	uint64_t total; ///< 0: no samples are known
	int digits;     ///< columns of the samples
	struct out *out;
};

/** Whether this style shows the function's name in place of its address. */
static bool is_named(const struct tree_writer *w, const struct tree_line *line)
{
	const struct report_image *image =
	        report_frame_image(w->report, line->frame);

	if (!line->call || !line->call->symbol)
		return false;
	if (w->style == TEXT_STYLE_FULL || !image)
		return true;
	return w->style == TEXT_STYLE_PARTIAL &&
	       !report_image_is_app(w->report, image);
}

static void add_visible(struct str *text, const char *cstr)
{
	utf8_add_visible(text, text_from(cstr));
}

/** ` (in dyld)` */
static void add_image(const struct tree_writer *w,
                      const struct report_frame *frame, struct str *text)
{
	const char *name = report_frame_image_name(w->report, frame);

	str_add(text, " (in ");
	add_visible(text, name ? name : "???");
	str_add(text, ")");
}

/** `start (in dyld) + 520 (start.c:7)` */
static void add_function(const struct tree_writer *w,
                         const struct tree_line *line, struct str *text)
{
	const struct report_call *call = line->call;

	add_visible(text, call->symbol);
	add_image(w, line->frame, text);
	if (call->has_symbol_offset)
		str_addf(text, " + %" PRIu64, call->symbol_offset);
	if (call->file && call->has_line) {
		str_add(text, " (");
		crash_text_add_place(call, text);
		str_add_char(text, ')');
	}
	if (line->inlined)
		str_add(text, " [inlined]");
}

/** `0x1a6b70960 (in dyld) 0x1a6b5b000 + 88416` */
static void add_address(const struct tree_writer *w,
                        const struct tree_line *line, struct str *text)
{
	const struct report_image *image =
	        report_frame_image(w->report, line->frame);
	const struct report_call *call = line->call;

	str_addf(text, "0x%" PRIx64, line->frame->address);
	add_image(w, line->frame, text);
	if (image)
		str_addf(text, " 0x%" PRIx64 " + %" PRIu64, image->base,
		         line->frame->image_offset);
	if (w->style != TEXT_STYLE_SIDE_BY_SIDE || !call || !call->symbol)
		return;
	str_add(text, " (");
	add_visible(text, call->symbol);
	if (call->has_symbol_offset)
		str_addf(text, " + %" PRIu64, call->symbol_offset);
	str_add(text, ")");
}

static void add_line(const struct tree_line *line, void *context)
{
	const struct tree_writer *w = context;
	SCOPED(str_release) struct str text = { 0 };
	size_t levels = line->depth;

	if (w->total)
		str_addf(&text, "%*" PRIu64 " %5.1f%%  ", w->digits,
		         line->samples,
		         100.0 * (double)line->samples / (double)w->total);
	if (levels > INDENT_LEVELS)
		levels = INDENT_LEVELS;
	str_add_repeat(&text, ' ', 2 * levels);
	if (line->depth > INDENT_LEVELS)
		str_addf(&text, "[%zu] ", line->depth);
	if (is_named(w, line))
		add_function(w, line, &text);
	else
		add_address(w, line, &text);
	str_add_char(&text, '\n');
	out_add_bytes(w->out, str_cstr(&text), text.size);
}

static void add_tree(const struct report *report,
                     const struct report_tree *tree, enum text_style style,
                     struct out *out)
{
	struct tree_writer w = {
		.report = report,
		.style = style,
		.total = tree_samples(tree),
		.out = out,
	};

	w.digits = snprintf(NULL, 0, "%" PRIu64, w.total);
	out_add(out, "\nCall tree");
	if (tree->title) {
		out_add(out, " of ");
		out_add_visible(out, tree->title);
	}
	if (tree->attributed)
		out_add(out, " (attributed)");
	if (w.total)
		out_addf(out, ", %" PRIu64 " sample%s", w.total,
		         text_plural(w.total));
	out_add(out, ":\n");
	tree_each_line(tree, style == TEXT_STYLE_FULL, add_line, &w);
}

void crash_text_trees(const struct report *report, enum text_style style,
                      struct out *out)
{
	for (size_t i = 0; i < report->tree_count; i++)
		if (report->trees[i]->attributed)
			add_tree(report, report->trees[i], style, out);
	for (size_t i = 0; i < report->tree_count; i++)
		if (!report->trees[i]->attributed)
			add_tree(report, report->trees[i], style, out);
}

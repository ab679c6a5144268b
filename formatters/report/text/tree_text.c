// SPDX-License-Identifier: MIT
#include "formatters/report/text/tree_text.h"

#include "formatters/report/text/frames.h"
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define INDENT 2

void tree_text_writer_release(struct tree_text_writer *w)
{
	free(w->moved);
}

bool tree_text_is(const struct report_line *line)
{
	const struct report_frame *frame = &line->stack->frames[line->first];

	return line->count && !frame->index_width && frame->line_count;
}

// Contents of a line

/** A frame, and the parts that its style shows. */
struct shown_frame {
	const struct report *report;
	const struct report_frame *frame;
	const struct report_image *image; ///< or NULL
	bool is_sample;
	bool is_raw;   ///< not its name
	bool has_base; ///< also the place in the image
	size_t count;  ///< lines
};

static void add_visible(struct str *text, const char *cstr)
{
	utf8_add_visible(text, text_from(cstr));
}

/** From the last `[0x` on: addresses, and spindump's notes after them. */
static struct text address_part(const struct report_frame *frame)
{
	struct text verbatim = text_from(frame->verbatim);

	return text_after(verbatim, text_find_last(verbatim, "[0x"));
}

/** `sample` merges the addresses of one function, which have no common line. */
static bool has_several_addresses(const struct report_frame *frame)
{
	struct text part = address_part(frame);

	return text_find_char(text_first(part, text_find_char(part, ']')),
	                      ',') != TEXT_NOWHERE;
}

static void add_address(const struct shown_frame *shown, bool is_last,
                        struct str *text)
{
	struct text part = address_part(shown->frame);
	size_t close = text_find_char(part, ']');

	if (close == TEXT_NOWHERE) {
		str_addf(text, "[0x%" PRIx64 "]", shown->frame->address);
		return;
	}
	// After the address of `sample` is a place in the source.
	if (shown->is_sample || !is_last)
		part = text_first(part, close + 1);
	utf8_add_visible(text, part);
}

static void add_image_name(const struct shown_frame *shown, struct str *text)
{
	const char *name = report_frame_image_name(shown->report, shown->frame);

	add_visible(text, name ? name : "???");
}

static bool has_place(const struct shown_frame *shown,
                      const struct report_call *call)
{
	return call->file && call->has_line && !shown->has_base &&
	       !has_several_addresses(shown->frame);
}

/** `main (in Demo) (main.m:16) [inlined] ` */
static void add_sample_call(const struct shown_frame *shown,
                            const struct report_call *call, bool inlined,
                            struct str *text)
{
	bool placed = has_place(shown, call);

	add_visible(text, call->symbol);
	str_add(text, " (in ");
	add_image_name(shown, text);
	str_add(text, ")");
	if (!placed && call->has_symbol_offset)
		str_addf(text, " + %" PRIu64, call->symbol_offset);
	if (placed) {
		str_add(text, " (");
		crash_text_add_place(call, text);
		str_add_char(text, ')');
	}
	if (shown->has_base)
		str_addf(text, "  load address 0x%" PRIx64 " + 0x%" PRIx64,
		         shown->image->base, shown->frame->image_offset);
	str_add(text, inlined ? " [inlined] " : " ");
}

/** `main + 24 (main.m:16 in Demo + 51500) [inlined] ` */
static void add_spindump_call(const struct shown_frame *shown,
                              const struct report_call *call, bool inlined,
                              struct str *text)
{
	add_visible(text, call->symbol);
	if (call->has_symbol_offset)
		str_addf(text, " + %" PRIu64, call->symbol_offset);
	str_add(text, " (");
	if (has_place(shown, call)) {
		crash_text_add_place(call, text);
		str_add(text, " in ");
	}
	add_image_name(shown, text);
	str_addf(text, " + %" PRIu64 ")", shown->frame->image_offset);
	str_add(text, inlined ? " [inlined] " : " ");
}

/** As the tools write a frame that has no name. */
static void add_raw(const struct shown_frame *shown, struct str *text)
{
	const struct report_frame *frame = shown->frame;

	str_add(text, shown->is_sample ? "???  (in " : "??? (");
	add_image_name(shown, text);
	if (shown->is_sample)
		str_addf(text,
		         ")  load address 0x%" PRIx64 " + 0x%" PRIx64 "  ",
		         shown->image->base, frame->image_offset);
	else
		str_addf(text, " + %" PRIu64 ") ", frame->image_offset);
}

/** @param i  Of the lines of the frame, the outermost call first. */
static void add_what(const struct shown_frame *shown, size_t i,
                     struct str *text)
{
	const struct report_frame *frame = shown->frame;
	const struct report_call *call =
	        frame->call_count ? &frame->calls[frame->call_count - 1 - i]
	                          : NULL;
	bool is_last = i + 1 == shown->count;

	if (shown->is_raw) {
		add_raw(shown, text);
	} else if (!call) {
		add_visible(text, frame->verbatim);
		return;
	} else if (call->verbatim && !shown->has_base) {
		add_visible(text, call->verbatim);
		return;
	} else if (shown->is_sample) {
		add_sample_call(shown, call, i > 0, text);
	} else {
		add_spindump_call(shown, call, i > 0, text);
	}
	add_address(shown, is_last, text);
}

// Styles

static bool is_system(const struct shown_frame *shown)
{
	return !report_image_is_app(shown->report, shown->image);
}

static struct shown_frame show(const struct tree_text_writer *w,
                               const struct report_frame *frame)
{
	struct shown_frame shown = {
		.report = w->report,
		.frame = frame,
		.image = report_frame_image(w->report, frame),
		.is_sample = !strcmp(w->report->format, "sample"),
		.count = frame->call_count ? frame->call_count : 1,
	};

	if (!frame->call_count || !shown.image)
		return shown;
	// One name for all addresses: omit calls inlined at one of them.
	if (!frame->calls[0].verbatim && has_several_addresses(frame))
		shown.count = 1;
	switch (w->style) {
	case TEXT_STYLE_FULL:
		return shown;
	case TEXT_STYLE_PARTIAL:
		shown.is_raw = !is_system(&shown);
		break;
	case TEXT_STYLE_SIDE_BY_SIDE:
		shown.has_base = true;
		break;
	case TEXT_STYLE_RAW:
		shown.is_raw = true;
		break;
	}
	if (shown.is_raw || shown.has_base)
		shown.count = 1;
	return shown;
}

// Columns

/** Indent and count, the count moved to the right, or back. */
static void add_columns(const struct report_frame *frame, long moved,
                        struct str *text)
{
	struct text columns = text_from(frame->columns);
	size_t count = strcspn(frame->columns, "0123456789*");
	size_t indent = count;

	for (; moved < 0 && indent && columns.data[indent - 1] == ' '; moved++)
		indent--;
	utf8_add_visible(text, text_first(columns, indent));
	if (moved > 0)
		str_add_repeat(text, ' ', (size_t)moved);
	utf8_add_visible(text, text_after(columns, count));
}

static void add_frame(const struct shown_frame *shown, long moved, long indent,
                      struct str *text)
{
	for (size_t i = 0; i < shown->count; i++) {
		add_columns(shown->frame, moved + indent * (long)i, text);
		add_what(shown, i, text);
		str_add_char(text, '\n');
	}
}

static void set_moved(struct tree_text_writer *w, size_t depth, long moved)
{
	while (w->moved_count <= depth) {
		MEM_GROW(w->moved, w->moved_count, w->moved_cap);
		w->moved[w->moved_count++] = 0;
	}
	w->moved[depth] = moved;
}

/** Trees come in the order of the report; other stacks are lists. */
static void enter_stack(struct tree_text_writer *w,
                        const struct report_stack *stack)
{
	if (w->stack == stack)
		return;
	w->stack = stack;
	w->tree = NULL;
	if (w->next_tree < w->report->tree_count &&
	    stack == &w->report->trees[w->next_tree]->frames) {
		w->tree = w->report->trees[w->next_tree++];
		set_moved(w, 0, 0);
	}
}

void tree_text_write(struct tree_text_writer *w, const struct report_line *line)
{
	SCOPED(str_release) struct str text = { 0 };

	enter_stack(w, line->stack);
	for (size_t i = line->first; i < line->first + line->count; i++) {
		const struct report_frame *frame = &line->stack->frames[i];
		struct shown_frame shown = show(w, frame);
		size_t depth = w->tree ? w->tree->calls.nodes[i + 1].depth - 1
		                       : 0;
		long moved = w->tree ? w->moved[depth] : 0;

		str_clear(&text);
		add_frame(&shown, moved, w->tree ? INDENT : 0, &text);
		out_add_bytes(w->out, str_cstr(&text), text.size);
		// Its callees are below its last line.
		if (w->tree)
			set_moved(w, depth + 1,
			          moved + INDENT * ((long)shown.count -
			                            (long)frame->line_count));
	}
}

// SPDX-License-Identifier: MIT
#include "formatters/report/text/frames.h"

#include "lib/base/utf8.h"

#include <string.h>

#define NAME_COLUMNS    30
#define ADDRESS_COLUMNS 18

/** Escapes what could act on a terminal. */
static void add_visible(struct str *text, const char *cstr)
{
	utf8_add_visible(text, text_from(cstr));
}

void crash_text_add_place(const struct report_call *call, struct str *text)
{
	add_visible(text, call->file);
	str_add_char(text, ':');
	str_add_number(text, call->line);
	str_add(text, call->line_borrowed ? ", near" : "");
}

/** Image and address, as Apple's tools pad them since iOS 15. */
static void add_columns(const struct report *report,
                        const struct report_frame *frame, struct str *text)
{
	const char *name = report_frame_image_name(report, frame);
	size_t width;

	if (frame->columns) {
		add_visible(text, frame->columns);
		return;
	}
	if (!name)
		name = "???";
	add_visible(text, name);
	width = utf8_width(text_from(name));
	if (width < NAME_COLUMNS)
		str_add_repeat(text, ' ', NAME_COLUMNS - width);
	str_add_char(text, '\t');
	str_add_address(text, frame->address, ADDRESS_COLUMNS);
	str_add_char(text, ' ');
}

/** `    frame #`, and `  * frame #` of the selected one. */
static void add_index_prefix(const struct report_stack *stack, uint64_t index,
                             struct str *text)
{
	const char *prefix = stack->index_prefix;
	size_t blanks = strspn(prefix, " ");

	if (index != stack->selected) {
		str_add(text, prefix);
		return;
	}
	str_add_repeat(text, ' ', blanks > 2 ? blanks - 2 : 0);
	str_add(text, "* ");
	str_add(text, prefix + blanks);
}

static void add_index(const struct report_stack *stack,
                      const struct report_frame *frame, uint64_t index,
                      struct str *text)
{
	size_t start = text->size;
	size_t size;

	if (stack && stack->index_prefix) {
		add_index_prefix(stack, index, text);
		str_add_number(text, index);
		return;
	}
	str_add_number(text, index);
	size = text->size - start;
	// The image name must not touch a number that outgrew its columns.
	str_add_repeat(text, ' ',
	               frame->index_width > size ? frame->index_width - size
	                                         : 1);
}

static void add_offset(uint64_t offset, struct str *text)
{
	str_add(text, " + ");
	str_add_number(text, offset);
}

/** `0xbase + offset`; an address in no image has the base 0. */
static void add_base_offset(const struct report *report,
                            const struct report_frame *frame, struct str *text)
{
	uint64_t base;

	if (report_frame_base(report, frame, &base)) {
		str_add_address(text, base, 0);
		add_offset(frame->image_offset, text);
	} else {
		str_add(text, "0x0");
		add_offset(frame->address, text);
	}
}

void crash_text_add_call(const struct report_call *call, bool inlined,
                         struct str *text)
{
	add_visible(text, call->symbol);
	if (call->has_symbol_offset)
		add_offset(call->symbol_offset, text);
	// Apple omits the file if the line is unknown.
	if (call->file && call->has_line) {
		str_add(text, " (");
		crash_text_add_place(call, text);
		str_add_char(text, ')');
	}
	if (inlined)
		str_add(text, " [inlined]");
}

static bool has_name(const struct report_call *call)
{
	return call->symbol || call->verbatim;
}

/** The outer function; NULL without a name. */
static const struct report_call *function_of(const struct report_frame *frame)
{
	const struct report_call *last;

	if (!frame->call_count)
		return NULL;
	last = &frame->calls[frame->call_count - 1];
	return last->symbol ? last : NULL;
}

/** Names may be long: do not compute their length. */
static bool starts_with_0x(const char *cstr)
{
	return cstr[0] == '0' && cstr[1] == 'x';
}

/** Is the call's own text `0xbase + offset (symbol + offset)`? */
static bool is_side_by_side(const struct report_call *call)
{
	return call->verbatim && call->symbol &&
	       starts_with_0x(call->verbatim) && !starts_with_0x(call->symbol);
}

static void add_name(const struct report_call *call, bool inlined,
                     struct str *text)
{
	if (call->verbatim && !is_side_by_side(call))
		add_visible(text, call->verbatim);
	else
		crash_text_add_call(call, inlined, text);
}

/** Base and offset, and in parentheses the outer function. */
static void add_both(const struct report *report,
                     const struct report_frame *frame, struct str *text)
{
	const struct report_call *call = function_of(frame);

	add_base_offset(report, frame, text);
	if (!call)
		return;
	str_add(text, " (");
	add_visible(text, call->symbol);
	if (call->has_symbol_offset)
		add_offset(call->symbol_offset, text);
	str_add(text, ")");
}

/** For the partial style: is it a named function of the system? */
static bool is_system_name(const struct report *report,
                           const struct report_frame *frame)
{
	const struct report_call *call = function_of(frame);

	return call && strcmp(call->symbol, "<redacted>") != 0 &&
	       !report_frame_is_app(report, frame);
}

/** Number of lines for the calls of a frame in an image. */
static size_t count_named_lines(const struct report *report,
                                const struct report_frame *frame,
                                enum text_style style)
{
	switch (style) {
	case TEXT_STYLE_FULL:
		return frame->call_count;
	case TEXT_STYLE_PARTIAL:
		return is_system_name(report, frame) ? frame->call_count : 0;
	case TEXT_STYLE_SIDE_BY_SIDE:
	case TEXT_STYLE_RAW:
		break;
	}
	return 0;
}

static void add_what(const struct report *report,
                     const struct report_frame *frame, enum text_style style,
                     struct str *text)
{
	if (frame->verbatim && style == TEXT_STYLE_FULL)
		add_visible(text, frame->verbatim);
	else if (style == TEXT_STYLE_SIDE_BY_SIDE)
		add_both(report, frame, text);
	else
		add_base_offset(report, frame, text);
}

/** Remove the blank between address and name, if there is no name. */
static void end_line(const struct report_frame *frame, struct str *text)
{
	if (frame->verbatim && !*frame->verbatim)
		while (text->size && text->data[text->size - 1] == ' ')
			text->size--;
	str_add_char(text, '\n');
}

static void add_frame(const struct report *report,
                      const struct report_frame *frame, enum text_style style,
                      struct frame_numbering *numbering, struct str *text)
{
	uint64_t index = frame->line_count ? frame->index + numbering->shift
	                                   : numbering->lines;
	uint64_t base;
	size_t named;
	size_t lines;

	// Without a base to print the name stays.
	if (!report_frame_base(report, frame, &base))
		style = TEXT_STYLE_FULL;
	named = count_named_lines(report, frame, style);
	lines = named ? named : 1;
	for (size_t i = 0; i < lines; i++) {
		add_index(numbering->stack, frame, index + i, text);
		add_columns(report, frame, text);
		if (i < named && has_name(&frame->calls[i]))
			add_name(&frame->calls[i], i + 1 < named, text);
		else
			add_what(report, frame, style, text);
		end_line(frame, text);
	}
	numbering->lines += lines;
	if (frame->line_count)
		numbering->shift += lines - frame->line_count;
}

/** Lines of `leaks`, without inlined calls: only the outer function. */
static void add_upside_down(const struct report *report,
                            const struct report_stack *stack, size_t first,
                            size_t count, enum text_style style,
                            struct out *out)
{
	for (size_t i = first + count; i > first; i--) {
		struct report_frame frame = stack->frames[i - 1];
		struct frame_numbering numbering = { .lines = i - 1 };

		if (frame.call_count) {
			frame.calls += frame.call_count - 1;
			frame.call_count = 1;
		}
		add_frame(report, &frame, style, &numbering, out_str(out));
	}
}

void crash_text_frames(const struct report *report,
                       const struct report_stack *stack, size_t first,
                       size_t count, enum text_style style,
                       struct frame_numbering *numbering, struct out *out)
{
	if (stack->is_upside_down) {
		add_upside_down(report, stack, first, count, style, out);
		return;
	}
	if (numbering->stack != stack || numbering->next != first)
		*numbering = (struct frame_numbering){ .stack = stack };
	for (size_t i = first; i < first + count; i++)
		add_frame(report, &stack->frames[i], style, numbering,
		          out_str(out));
	numbering->next = first + count;
}

void crash_text_stack(const struct report *report,
                      const struct report_stack *stack, enum text_style style,
                      struct out *out)
{
	struct frame_numbering numbering = { 0 };

	crash_text_frames(report, stack, 0, stack->count, style, &numbering,
	                  out);
}

void crash_text_stack_lines(const struct report *report,
                            const struct report_stack *stack, struct str *lines)
{
	struct frame_numbering numbering = { .stack = stack };

	for (size_t i = 0; i < stack->count; i++)
		add_frame(report, &stack->frames[i], TEXT_STYLE_FULL,
		          &numbering, lines);
}

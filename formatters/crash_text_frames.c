#include "formatters/crash_text_frames.h"

#include "lib/base/utf8.h"

#include <inttypes.h>

#define NAME_COLUMNS    30
#define ADDRESS_COLUMNS 18

static const struct report_image *image_of(const struct report *report,
                                           const struct report_frame *frame)
{
	return frame->image < report->image_count
	               ? &report->images[frame->image]
	               : NULL;
}

/** Image and address, as Apple's tools pad them since iOS 15. */
static void add_columns(const struct report *report,
                        const struct report_frame *frame, struct out *out)
{
	const struct report_image *image = image_of(report, frame);
	const char *name = frame->image_name;
	char address[sizeof("0x0123456789abcdef")];
	size_t width;

	if (frame->columns) {
		out_add_visible(out, frame->columns);
		return;
	}
	if (!name && image)
		name = image->name;
	if (!name)
		name = "???";
	out_add_visible(out, name);
	width = utf8_width(text_from(name));
	if (width < NAME_COLUMNS)
		out_addf(out, "%*s", (int)(NAME_COLUMNS - width), "");
	snprintf(address, sizeof(address), "0x%" PRIx64, frame->address);
	out_addf(out, "\t%*s ", ADDRESS_COLUMNS, address);
}

static void add_index(const struct report_frame *frame, uint64_t index,
                      struct out *out)
{
	char digits[sizeof("18446744073709551615")];
	int size = snprintf(digits, sizeof(digits), "%" PRIu64, index);
	unsigned width = frame->index_width;

	// The image name must not touch a number that outgrew its columns.
	if (width <= (unsigned)size)
		width = (unsigned)size + 1;
	out_addf(out, "%-*s", (int)width, digits);
}

/** `0xbase + offset`; an address outside all images has the base 0. */
static void add_base_offset(const struct report *report,
                            const struct report_frame *frame, struct out *out)
{
	const struct report_image *image = image_of(report, frame);

	if (image)
		out_addf(out, "0x%" PRIx64 " + %" PRIu64, image->base,
		         frame->image_offset);
	else
		out_addf(out, "0x0 + %" PRIu64, frame->address);
}

static void add_call(const struct report_call *call, bool inlined,
                     struct out *out)
{
	out_add_visible(out, call->symbol);
	if (call->has_symbol_offset)
		out_addf(out, " + %" PRIu64, call->symbol_offset);
	// Apple leaves out a file whose line is not known.
	if (call->file && call->has_line) {
		out_add(out, " (");
		out_add_visible(out, call->file);
		out_addf(out, ":%" PRIu32 ")", call->line);
	}
	if (inlined)
		out_add(out, " [inlined]");
}

static void add_what(const struct report *report,
                     const struct report_frame *frame, size_t call,
                     struct out *out)
{
	const struct report_call *named =
	        call < frame->call_count ? &frame->calls[call] : NULL;

	if (named && named->verbatim)
		out_add_visible(out, named->verbatim);
	else if (named && named->symbol)
		add_call(named, call + 1 < frame->call_count, out);
	else if (frame->verbatim)
		out_add_visible(out, frame->verbatim);
	else
		add_base_offset(report, frame, out);
}

static void add_frame(const struct report *report,
                      const struct report_frame *frame,
                      struct frame_numbering *numbering, struct out *out)
{
	size_t lines = frame->call_count ? frame->call_count : 1;
	uint64_t index = frame->line_count ? frame->index + numbering->shift
	                                   : numbering->lines;

	for (size_t i = 0; i < lines; i++) {
		add_index(frame, index + i, out);
		add_columns(report, frame, out);
		add_what(report, frame, i, out);
		out_add(out, "\n");
	}
	numbering->lines += lines;
	if (frame->line_count)
		numbering->shift += lines - frame->line_count;
}

void crash_text_frames(const struct report *report,
                       const struct report_stack *stack, size_t first,
                       size_t count, struct frame_numbering *numbering,
                       struct out *out)
{
	if (numbering->stack != stack || numbering->next != first)
		*numbering = (struct frame_numbering){ .stack = stack };
	for (size_t i = first; i < first + count; i++)
		add_frame(report, &stack->frames[i], numbering, out);
	numbering->next = first + count;
}

void crash_text_stack(const struct report *report,
                      const struct report_stack *stack, struct out *out)
{
	struct frame_numbering numbering = { 0 };

	crash_text_frames(report, stack, 0, stack->count, &numbering, out);
}

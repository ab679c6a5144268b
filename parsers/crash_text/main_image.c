// SPDX-License-Identifier: MIT
#include "parsers/crash_text/main_image.h"

#include "lib/base/number.h"
#include "lib/darwin/signals.h"
#include "parsers/crash_text/stacks.h"

#include <string.h>

#define UUID_LABEL "dSYM UUID:"

bool crash_text_has_main_image(struct text in)
{
	return text_find(in, "\n" UUID_LABEL) != TEXT_NOWHERE;
}

// Lines

static void read_label(struct crash_text_main_image *image, struct text label,
                       struct text value)
{
	if (text_is(label, "dSYM UUID"))
		uuid_parse(value, &image->uuid);
	else if (text_is(label, "CPU Type"))
		image->arch = value;
	else if (text_is(label, "Slide Address"))
		number_any(value, &image->linked);
	else if (text_is(label, "Binary Image"))
		image->name = text_is(value, "???") ? TEXT_NONE : value;
	else if (text_is(label, "Base Address"))
		number_any(value, &image->base);
}

static bool is_of_block(struct text label)
{
	static const char *const labels[] = { "dSYM UUID", "CPU Type",
		                              "Slide Address", "Binary Image",
		                              "Base Address" };

	for (size_t i = 0; i < ARRAY_SIZE(labels); i++)
		if (text_is(label, labels[i]))
			return true;
	return false;
}

/** `Application received signal SIGSEGV`: no exception was thrown. */
static bool read_signal(struct crash_text_reader *reader, struct text line)
{
	static const char mark[] = "Application received signal ";
	struct report_exception *exception = &reader->text.report->exception;
	const char *signal;

	if (!text_take(&line, mark))
		return false;
	signal = arena_text(reader->text.arena, text_trim(line));
	if (!exception->signal && darwin_signal_number(signal))
		exception->signal = signal;
	return true;
}

/** Lines above the backtrace: the reason, perhaps ended by `(null)`. */
static void read_reason(struct crash_text_reader *reader, struct text line)
{
	struct crash_text_main_image *image = &reader->main_image;

	line = text_trim(line);
	image->has_reason |= text_is(line, "(null)");
	if (image->has_reason || read_signal(reader, line))
		return;
	if (image->reason.size)
		str_add_char(&image->reason, '\n');
	str_add_text(&image->reason, line);
}

/** `(` or `((`, above the frames. */
static bool is_bracket(struct text line)
{
	line = text_trim(line);
	while (text_take(&line, "("))
		;
	return !line.size;
}

bool crash_text_main_image_line(struct crash_text_reader *reader,
                                struct text line)
{
	struct report *report = reader->text.report;
	struct frame_line frame;
	struct text label;
	struct text value;

	if (!reader->main_image.is_there)
		return false;
	if (crash_text_split_label(line, &label, &value) &&
	    is_of_block(label)) {
		crash_text_end_part(reader);
		read_label(&reader->main_image, label, value);
		report_add_field(report, reader->text.arena,
		                 arena_text(reader->text.arena, label),
		                 arena_text(reader->text.arena, value));
	} else if (!report->thread_count &&
	           !report->exception_backtrace.count && !report->field_count &&
	           !crash_text_is_frame(line, &frame)) {
		if (!is_bracket(line))
			read_reason(reader, line);
	} else {
		return false;
	}
	line_reader_keep(&reader->text, line.data);
	return true;
}

void crash_text_begin_main_stack(struct crash_text_reader *reader)
{
	struct report *report = reader->text.report;

	if (!report->exception.signal) {
		report->exception_backtrace.all_return_addresses = true;
		crash_text_begin_stack(reader, &report->exception_backtrace);
		return;
	}
	crash_text_begin_headless(reader, 0);
	if (report->thread_count)
		report->threads[0]->crashed = true;
}

// Frames

struct placing {
	const char *name; ///< of the image; or NULL
	uint64_t bases[2];
	bool seen[2]; ///< frames relative to that base
	size_t index; ///< of the image
	uint64_t size;
};

static bool is_named(const struct placing *to, const struct report_frame *frame)
{
	return !to->name || !frame->image_name ||
	       !strcmp(to->name, frame->image_name);
}

/** Collect which frames have an offset, and from where. */
static void see_stack(struct report_stack *stack, void *context)
{
	struct placing *to = context;

	for (size_t i = 0; i < stack->count; i++) {
		const struct report_frame *frame = &stack->frames[i];

		for (size_t k = 0; frame->image_offset && k < 2; k++)
			if (is_named(to, frame) &&
			    frame->address - frame->image_offset ==
			            to->bases[k]) {
				to->seen[k] = true;
				if (!to->name)
					to->name = frame->image_name;
			}
	}
}

/** The address that frames are relative to; 0 if unknown. */
static uint64_t base_of(const struct placing *to)
{
	if (to->seen[0] == to->seen[1])
		return 0;
	return to->bases[to->seen[1]];
}

/** The offset of a frame: its own, or computed like other frames. */
static bool find_offset(const struct placing *to,
                        const struct report_frame *frame, uint64_t *ret)
{
	uint64_t base = base_of(to);
	bool is_cut = !to->bases[0] && !to->bases[1];

	*ret = frame->image_offset;
	if (frame->image_offset)
		return frame->address - *ret == to->bases[0] ||
		       frame->address - *ret == to->bases[1] ||
		       (is_cut && to->name);
	*ret = frame->address - base;
	return to->name && base && frame->address >= base && *ret <= UINT32_MAX;
}

static void place_stack(struct report_stack *stack, void *context)
{
	struct placing *to = context;

	for (size_t i = 0; i < stack->count; i++) {
		struct report_frame *frame = &stack->frames[i];
		uint64_t offset;

		if (!is_named(to, frame) || !find_offset(to, frame, &offset))
			continue;
		frame->image = to->index;
		frame->image_offset = offset;
		if (to->size <= offset)
			to->size = offset + 1;
	}
}

static const char *keep(struct crash_text_reader *reader, struct text text)
{
	return text.size ? arena_text(reader->text.arena, text) : NULL;
}

static void add_image(struct crash_text_reader *reader)
{
	const struct crash_text_main_image *from = &reader->main_image;
	struct report *report = reader->text.report;
	struct report_image *image;
	struct placing to = {
		.name = keep(reader, from->name),
		.bases = { from->linked, from->base },
		.index = report->image_count,
	};

	report_each_stack(report, see_stack, &to);
	image = report_add_image(report, reader->text.arena);
	report_each_stack(report, place_stack, &to);
	*image = (struct report_image){
		.name = to.name,
		.uuid = from->uuid,
		.arch = keep(reader, from->arch),
		.base = base_of(&to),
		.size = to.size,
		.own = true,
	};
	if (!report->process.name)
		report->process.name = to.name;
	reader->seen_images = true;
}

static void add_reason(struct crash_text_reader *reader)
{
	struct report *report = reader->text.report;
	const char *reason;

	if (!reader->main_image.reason.size)
		return;
	reason = arena_text(reader->text.arena,
	                    str_text(&reader->main_image.reason));
	if (!report->thrown.reason && !report->exception.signal)
		report->thrown.reason = reason;
	report_add_section(report, reader->text.arena, "Reason", reason);
}

void crash_text_finish_main_image(struct crash_text_reader *reader)
{
	if (!reader->main_image.is_there)
		return;
	add_reason(reader);
	if (!uuid_is_zero(&reader->main_image.uuid))
		add_image(reader);
}

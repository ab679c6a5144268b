// SPDX-License-Identifier: MIT
#include "parsers/crash_text/stacks.h"

#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "lib/darwin/system_images.h"
#include "parsers/crash_text/registers.h"
#include "parsers/text/stack_line.h"

#include <inttypes.h>
#include <string.h>

// Frames kept at each end of a deep stack: the failure, and the start of the
// recursion.
#define FRAMES_KEPT 512
// Images that only frames name are looked for one by one.
#define LISTED_MAX 512

static void note_depth(struct crash_text_reader *reader, size_t count)
{
	line_reader_note(&reader->text,
	                 "the backtrace above has %zu frames; only the first "
	                 "and the last %d are kept%s",
	                 count, FRAMES_KEPT, limit_hint(LIMIT_FRAMES));
}

/** Only the last lines over the limit will be frames: wait for the end. */
static void hold_line(struct crash_text_reader *reader, struct text line)
{
	if (!reader->tail)
		reader->tail = arena_array(reader->text.arena, FRAMES_KEPT,
		                           sizeof(*reader->tail));
	reader->tail[reader->tail_count++ % FRAMES_KEPT] = line;
}

/** Index of frame @p i of @p count if only @p kept stay at each end. */
static size_t kept_place(size_t i, size_t count, size_t kept)
{
	if (i <= FRAMES_KEPT)
		return i;
	if (i < count - kept)
		return FRAMES_KEPT;
	return i - (count - kept) + FRAMES_KEPT;
}

/** Drop the middle of the stack, but for the last @p kept frames. */
static struct report_line *drop_middle(struct crash_text_reader *reader,
                                       size_t kept)
{
	struct report *report = reader->text.report;
	struct report_stack *stack = reader->stack;
	struct report_line *last = NULL;
	size_t count = stack->count;

	// From the first line on: a backtrace may continue under another label
	// of the same name.
	for (size_t i = 0; i < report->line_count; i++) {
		struct report_line *line = &report->lines[i];
		size_t end;

		if (line->stack != stack)
			continue;
		end = kept_place(line->first + line->count, count, kept);
		line->first = kept_place(line->first, count, kept);
		line->count = end - line->first;
		last = line;
	}
	memmove(&stack->frames[FRAMES_KEPT], &stack->frames[count - kept],
	        kept * sizeof(*stack->frames));
	stack->count = FRAMES_KEPT + kept;
	return last;
}

static void end_deep_stack(struct crash_text_reader *reader)
{
	struct report_stack *stack = reader->stack;
	size_t tail = reader->tail_count < FRAMES_KEPT ? reader->tail_count
	                                               : FRAMES_KEPT;
	size_t total = stack->count + reader->tail_count;
	struct report_line *run = drop_middle(reader, FRAMES_KEPT - tail);

	for (size_t i = reader->tail_count - tail; i < reader->tail_count;
	     i++) {
		struct frame_line frame;

		if (frame_line_parse(reader->tail[i % FRAMES_KEPT], &frame))
			stack_add_line(stack, &frame, reader->text.arena);
	}
	run->count = stack->count - run->first;
	reader->tail_count = 0;
	note_depth(reader, total);
}

/** Remove the next bare address; false for other text. */
static bool take_bare_address(struct text *rest, uint64_t *ret)
{
	size_t size = 0;

	*rest = text_trim_left(*rest);
	while (size < rest->size && !text_is_space(rest->data[size]))
		size++;
	if (!text_starts(*rest, "0x") ||
	    !number_hex(text_first(*rest, size), ret))
		return false;
	*rest = text_trim_left(text_after(*rest, size));
	return true;
}

/** Number of addresses inside the brackets; 0 if there is anything else. */
static size_t count_bare_addresses(struct text *block)
{
	struct text rest = text_trim(*block);
	uint64_t address;
	size_t count = 0;

	text_take(&rest, "(");
	if (text_ends(rest, ")"))
		rest = text_first(rest, rest.size - 1);
	*block = rest;
	for (; text_trim(rest).size; count++)
		if (!take_bare_address(&rest, &address))
			return 0;
	return count;
}

/** The lines are not addresses: keep them as text. */
static void keep_unread(struct crash_text_reader *reader)
{
	struct report *report = reader->text.report;

	for (size_t i = reader->block_line; i < report->line_count; i++)
		report->lines[i].count = reader->block_number +
		                         (i - reader->block_line);
}

/**
 * Bare addresses: the whole block must be addresses, else the lines stay text.
 * Frames replace their lines.
 */
static void add_addresses(struct crash_text_reader *reader)
{
	struct text rest = str_text(&reader->block);
	struct report_stack *stack = reader->stack;
	size_t first = stack->count;
	size_t count = count_bare_addresses(&rest);
	size_t max = limit_get(LIMIT_FRAMES);
	uint64_t address;

	if (!count) {
		keep_unread(reader);
		return;
	}
	for (size_t i = 0; take_bare_address(&rest, &address); i++)
		if (count <= max || i < FRAMES_KEPT || i >= count - FRAMES_KEPT)
			report_add_frame(stack, reader->text.arena)->address =
			        address;
	if (count > max)
		note_depth(reader, count);
	reader->text.report->line_count = reader->block_line;
	line_reader_keep_frames(&reader->text, stack, first);
}

/** Frames are innermost first, regardless of the order of lines. */
static void turn_stack(struct crash_text_reader *reader)
{
	struct report *report = reader->text.report;
	struct report_stack *stack = reader->stack;
	size_t count = stack->count;

	for (size_t i = 0; i < count / 2; i++) {
		struct report_frame frame = stack->frames[i];

		stack->frames[i] = stack->frames[count - 1 - i];
		stack->frames[count - 1 - i] = frame;
	}
	for (size_t i = reader->stack_line; i < report->line_count; i++) {
		struct report_line *line = &report->lines[i];

		if (line->stack == stack)
			line->first = count - line->first - line->count;
	}
}

static void end_stack(struct crash_text_reader *reader)
{
	if (reader->block.size) {
		add_addresses(reader);
		str_clear(&reader->block);
	}
	if (reader->tail_count)
		end_deep_stack(reader);
	if (reader->stack && reader->stack->is_upside_down)
		turn_stack(reader);
	reader->stack = NULL;
	reader->thread = NULL;
}

void crash_text_begin_stack(struct crash_text_reader *reader,
                            struct report_stack *stack)
{
	crash_text_begin_part(reader, CRASH_TEXT_STACK, end_stack);
	reader->stack = stack;
	reader->stack_line = reader->text.report->line_count;
	reader->thread = NULL;
}

/** `STACK OF 2 INSTANCES OF 'ROOT LEAK: <malloc in load>':` */
static void begin_allocation(struct crash_text_reader *reader,
                             struct text title)
{
	struct report_stack *stack = report_add_app_backtrace(
	        reader->text.report, reader->text.arena);

	if (text_ends(title, ":"))
		title = text_first(title, title.size - 1);
	stack->title = arena_text(reader->text.arena, title);
	stack->is_upside_down = true;
	stack->all_return_addresses = true;
	crash_text_begin_stack(reader, stack);
}

static bool collect_addresses(struct crash_text_reader *reader,
                              struct text line)
{
	struct text trimmed = text_trim(line);

	if (!text_starts(trimmed, "(0x") && !text_starts(trimmed, "0x") &&
	    !text_is(trimmed, ")")) {
		crash_text_end_part(reader);
		return false;
	}
	if (!reader->block.size) {
		reader->block_line = reader->text.report->line_count;
		reader->block_number = reader->text.line_number;
	}
	str_add_text(&reader->block, line);
	str_add_char(&reader->block, ' ');
	line_reader_keep(&reader->text, line.data);
	if (text_ends(trimmed, ")"))
		crash_text_end_part(reader);
	return true;
}

static void check_frame(struct crash_text_reader *reader, struct text line,
                        const struct frame_line *frame)
{
	// A console indents all of them.
	if (text_is_space(line.data[0]) && !reader->is_console)
		line_reader_flaw(&reader->text, LINE_FLAW_FRAME_INDENT);
	// Base 0 means "no image", and is not checked.
	if (frame->has_base && frame->base &&
	    frame->base + frame->offset != frame->address)
		line_reader_flaw(&reader->text, LINE_FLAW_BAD_BASE);
}

/** `UUID + 2572` in place of a name, as callStackSymbols may have it. */
static bool take_uuid(struct frame_line *frame, struct uuid *ret)
{
	// Frames with an address have its image already.
	if (frame->has_address || !frame->has_symbol_offset ||
	    !frame->image.size || !uuid_parse(frame->symbol, ret))
		return false;
	frame->symbol = TEXT_NONE;
	frame->has_symbol_offset = false;
	return true;
}

/** The image with a UUID, whose base is unknown; REPORT_NO_IMAGE: too many. */
static size_t image_of(struct crash_text_reader *reader, const char *name,
                       const struct uuid *uuid)
{
	struct report *report = reader->text.report;
	struct report_image *image;

	for (size_t i = 0; i < report->image_count && i < LISTED_MAX; i++)
		if (uuid_equal(&report->images[i].uuid, uuid))
			return i;
	if (report->image_count >= LISTED_MAX ||
	    report->image_count >= limit_get(LIMIT_IMAGES))
		return REPORT_NO_IMAGE;
	image = report_add_image(report, reader->text.arena);
	image->name = name;
	image->uuid = *uuid;
	// There are no paths.
	image->own = !darwin_image_is_system(name);
	return report->image_count - 1;
}

static void place_by_uuid(struct crash_text_reader *reader,
                          const struct uuid *uuid, uint64_t offset)
{
	struct report_stack *stack = reader->stack;
	struct report_frame *frame = &stack->frames[stack->count - 1];
	struct report_image *image;

	frame->image = image_of(reader, frame->image_name, uuid);
	if (frame->image == REPORT_NO_IMAGE)
		return;
	frame->address = frame->image_offset = offset;
	image = &reader->text.report->images[frame->image];
	// Its size is not known: as long as its frames show.
	if (image->size <= offset)
		image->size = offset + 1;
}

bool crash_text_stack_line(struct crash_text_reader *reader, struct text line)
{
	struct text trimmed = text_trim(line);
	struct frame_line frame;
	struct uuid uuid;
	bool has_uuid;
	size_t count;

	if (reader->part == CRASH_TEXT_ADDRESSES)
		return collect_addresses(reader, line);
	if (reader->part != CRASH_TEXT_STACK || !reader->stack)
		return false;
	if (!reader->thread && text_starts(trimmed, "(0x")) {
		reader->part = CRASH_TEXT_ADDRESSES;
		return collect_addresses(reader, line);
	}
	// A console sets brackets around the frames.
	if ((!reader->thread || reader->main_image.is_there) &&
	    (text_is(trimmed, "(") || text_is(trimmed, ")"))) {
		line_reader_keep(&reader->text, line.data);
		if (text_is(trimmed, ")"))
			crash_text_end_part(reader);
		return true;
	}
	if (!text_is_digit(trimmed.data[0]) || !frame_line_parse(line, &frame))
		return false;
	check_frame(reader, line, &frame);
	if (reader->stack->count >= limit_get(LIMIT_FRAMES)) {
		hold_line(reader, line);
		return true;
	}
	count = reader->stack->count;
	has_uuid = take_uuid(&frame, &uuid);
	stack_add_line(reader->stack, &frame, reader->text.arena);
	if (has_uuid)
		place_by_uuid(reader, &uuid, frame.symbol_offset);
	line_reader_keep_frames(&reader->text, reader->stack, count);
	return true;
}

/** `name`, `Dispatch queue: q`, or both with two blanks between. */
static void set_thread_name(struct crash_text_reader *reader,
                            struct report_thread *thread, struct text text)
{
	static const char *const labels[] = { "Dispatch queue:",
		                              "Dispatch Queue:" };

	text = text_trim(text);
	for (size_t i = 0; i < ARRAY_SIZE(labels); i++) {
		size_t at = text_find(text, labels[i]);

		if (at == TEXT_NOWHERE)
			continue;
		thread->queue = arena_text(
		        reader->text.arena,
		        text_trim(text_after(text, at + strlen(labels[i]))));
		text = text_trim(text_first(text, at));
	}
	if (text.size)
		thread->name = arena_text(reader->text.arena, text);
}

static struct report_thread *add_thread(struct crash_text_reader *reader,
                                        uint64_t number)
{
	struct report_thread *thread;

	if (reader->text.report->thread_count == limit_get(LIMIT_THREADS)) {
		line_reader_flaw(&reader->text, LINE_FLAW_THREAD_LIMIT);
		return NULL;
	}
	thread = report_add_thread(reader->text.report, reader->text.arena);
	thread->number = number;
	return thread;
}

/** `Thread N name:` precedes the thread, and may be its only line. */
static void name_thread(struct crash_text_reader *reader, uint64_t number,
                        struct text name)
{
	crash_text_end_part(reader);
	reader->named = add_thread(reader, number);
	if (reader->named)
		set_thread_name(reader, reader->named, name);
}

static void begin_thread(struct crash_text_reader *reader, uint64_t number,
                         bool crashed, struct text name)
{
	struct report_thread *thread = reader->named;

	if (!thread || thread->number != number)
		thread = add_thread(reader, number);
	reader->named = NULL;
	crash_text_begin_stack(reader, thread ? &thread->stack : NULL);
	reader->thread = thread;
	if (!thread)
		return;
	thread->crashed = crashed;
	if (text_trim(name).size)
		set_thread_name(reader, thread, name);
}

/** The text after `Thread N`; false if it is not a header. */
static bool thread_label(struct crash_text_reader *reader, uint64_t number,
                         struct text rest)
{
	bool crashed = false;

	if (text_take(&rest, " name:")) {
		name_thread(reader, number, rest);
		return true;
	}
	if (text_take(&rest, " crashed with ")) {
		crash_text_begin_registers(reader, number, true, rest);
		return true;
	}
	if (text_take(&rest, " Crashed"))
		crashed = true;
	else if (text_take(&rest, " Attributed") ||
	         text_take(&rest, " Highlighted"))
		crashed = false;
	// Some copies lost the colon.
	if (!text_take(&rest, "::") && !text_take(&rest, ":") &&
	    text_trim(rest).size)
		return false;
	begin_thread(reader, number, crashed, rest);
	return true;
}

static bool take_thread_number(struct text *rest, uint64_t *ret)
{
	return text_take(rest, "Thread ") &&
	       number_decimal(text_take_digits(rest), ret);
}

bool crash_text_thread_number(struct text line, uint64_t *ret)
{
	return take_thread_number(&line, ret);
}

void crash_text_begin_headless(struct crash_text_reader *reader,
                               uint64_t number)
{
	begin_thread(reader, number, false, TEXT_NONE);
}

static bool take_label(struct crash_text_reader *reader, struct text line)
{
	struct report *report = reader->text.report;
	uint64_t number;

	if (line.data[0] == 'T')
		return take_thread_number(&line, &number) &&
		       thread_label(reader, number, line);
	if (text_starts(line, "Last Exception Backtrace:")) {
		crash_text_begin_stack(reader, &report->exception_backtrace);
		return true;
	}
	if (text_starts(line, "Application Specific Backtrace ")) {
		crash_text_begin_stack(
		        reader,
		        report_add_app_backtrace(report, reader->text.arena));
		return true;
	}
	if (text_starts(line, "*** First throw call stack:")) {
		// A whole report has this backtrace under its own label too.
		crash_text_begin_stack(
		        reader, reader->has_exception_backtrace
		                        ? report_add_app_backtrace(
		                                  report, reader->text.arena)
		                        : &report->exception_backtrace);
		return true;
	}
	if (text_starts(line, "STACK OF ")) {
		begin_allocation(reader, text_trim(line));
		return true;
	}
	// Below a stack of `leaks`: the allocations.
	if (reader->stack && reader->stack->is_upside_down &&
	    text_starts(line, "====")) {
		crash_text_begin_part(reader, CRASH_TEXT_NOTHING, NULL);
		return true;
	}
	// Samples of many backtraces, as this program prints them.
	if (text_starts(line, "Call tree")) {
		crash_text_begin_part(reader, CRASH_TEXT_NOTHING, NULL);
		return true;
	}
	if (text_starts(line, "leaks Report Version:")) {
		crash_text_begin_part(reader, CRASH_TEXT_NOTHING, NULL);
		report->kind = "output of 'leaks'";
		return true;
	}
	if (text_take(&line, "Unknown thread crashed with ")) {
		crash_text_begin_registers(reader, 0, false, line);
		return true;
	}
	return false;
}

bool crash_text_stack_label(struct crash_text_reader *reader, struct text line)
{
	if (!take_label(reader, line))
		return false;
	line_reader_keep(&reader->text, line.data);
	return true;
}

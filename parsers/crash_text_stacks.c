#include "parsers/crash_text_stacks.h"

#include "lib/base/number.h"
#include "parsers/frame_line.h"

#include <inttypes.h>
#include <string.h>

#define THREAD_LIMIT 10000
// Deeper stacks keep both ends: what crashed, and how the recursion began.
#define FRAME_LIMIT 100000
#define FRAMES_KEPT 512
// One report has one register state, seldom a few; each looks for its thread.
#define STATE_LIMIT 1000

static void begin_stack(struct crash_text_reader *reader,
                        struct report_stack *stack)
{
	crash_text_end_block(reader);
	reader->part = CRASH_TEXT_STACK;
	reader->stack = stack;
	reader->stack_line = reader->report->line_count;
	reader->thread = NULL;
}

/** Where frame @p i of @p count is after the middle is gone. */
static size_t kept_place(size_t i, size_t count)
{
	if (i <= FRAMES_KEPT)
		return i;
	if (i < count - FRAMES_KEPT)
		return FRAMES_KEPT;
	return i - (count - FRAMES_KEPT) + FRAMES_KEPT;
}

static void drop_middle(struct crash_text_reader *reader)
{
	struct report *report = reader->report;
	struct report_stack *stack = reader->stack;
	size_t count = stack->count;

	for (size_t i = reader->stack_line; i < report->line_count; i++) {
		struct report_line *line = &report->lines[i];
		size_t end;

		if (line->stack != stack)
			continue;
		end = kept_place(line->first + line->count, count);
		line->first = kept_place(line->first, count);
		line->count = end - line->first;
	}
	memmove(&stack->frames[FRAMES_KEPT],
	        &stack->frames[count - FRAMES_KEPT],
	        FRAMES_KEPT * sizeof(*stack->frames));
	stack->count = 2 * FRAMES_KEPT;
	crash_text_note(reader,
	                "the backtrace above has %zu frames; only the first "
	                "and the last %d are kept",
	                count, FRAMES_KEPT);
}

/**
 * Bare addresses (formats.md 2.4): all of the block must be addresses, else
 * the lines stay text. Their lines give way to the frames.
 */
static void add_addresses(struct crash_text_reader *reader)
{
	struct text rest = text_trim(str_text(&reader->block));
	struct report_stack *stack = reader->stack;
	size_t first = stack->count;

	text_take(&rest, "(");
	rest = text_trim(rest);
	if (text_ends(rest, ")"))
		rest = text_first(rest, rest.size - 1);
	while ((rest = text_trim_left(rest)).size) {
		size_t size = 0;
		uint64_t address;

		while (size < rest.size && !text_is_space(rest.data[size]))
			size++;
		if (!text_starts(rest, "0x") ||
		    !number_hex(text_first(rest, size), &address)) {
			stack->count = first;
			return;
		}
		report_add_frame(stack, reader->arena)->address = address;
		rest = text_after(rest, size);
	}
	if (stack->count == first)
		return;
	reader->report->line_count = reader->block_line;
	crash_text_keep_frames(reader, stack, first);
}

void crash_text_end_stack(struct crash_text_reader *reader)
{
	if (reader->block.size) {
		add_addresses(reader);
		str_clear(&reader->block);
	}
	if (reader->stack && reader->stack->count > FRAME_LIMIT)
		drop_middle(reader);
	reader->stack = NULL;
	reader->thread = NULL;
}

static bool collect_addresses(struct crash_text_reader *reader,
                              struct text line)
{
	struct text trimmed = text_trim(line);

	if (!text_starts(trimmed, "(0x") && !text_starts(trimmed, "0x") &&
	    !text_is(trimmed, ")")) {
		crash_text_end_block(reader);
		return false;
	}
	if (!reader->block.size)
		reader->block_line = reader->report->line_count;
	str_add_text(&reader->block, line);
	str_add_char(&reader->block, ' ');
	crash_text_keep(reader, line.data);
	if (text_ends(trimmed, ")"))
		crash_text_end_block(reader);
	return true;
}

static void check_frame(struct crash_text_reader *reader, struct text line,
                        const struct frame_line *frame)
{
	if (text_is_space(line.data[0]))
		crash_text_flaw(reader, CRASH_TEXT_FRAME_INDENT);
	// Base 0 stands for "no image" and does not have to fit.
	if (frame->has_base && frame->base &&
	    frame->base + frame->offset != frame->address)
		crash_text_flaw(reader, CRASH_TEXT_BAD_BASE);
}

bool crash_text_stack_line(struct crash_text_reader *reader, struct text line)
{
	struct text trimmed = text_trim(line);
	struct frame_line frame;
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
	if (!reader->thread &&
	    (text_is(trimmed, "(") || text_is(trimmed, ")"))) {
		crash_text_keep(reader, line.data);
		if (text_is(trimmed, ")"))
			crash_text_end_block(reader);
		return true;
	}
	if (!text_is_digit(trimmed.data[0]) || !frame_line_parse(line, &frame))
		return false;
	check_frame(reader, line, &frame);
	count = reader->stack->count;
	frame_line_add(&frame, reader->stack, reader->arena);
	crash_text_keep_frames(reader, reader->stack, count);
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
		        reader->arena,
		        text_trim(text_after(text, at + strlen(labels[i]))));
		text = text_trim(text_first(text, at));
	}
	if (text.size)
		thread->name = arena_text(reader->arena, text);
}

static struct report_thread *add_thread(struct crash_text_reader *reader,
                                        uint64_t number)
{
	struct report_thread *thread;

	if (reader->report->thread_count == THREAD_LIMIT) {
		crash_text_flaw(reader, CRASH_TEXT_THREAD_LIMIT);
		return NULL;
	}
	thread = report_add_thread(reader->report, reader->arena);
	thread->number = number;
	return thread;
}

/** `Thread N name:` comes before the thread and may be all there is of it. */
static void name_thread(struct crash_text_reader *reader, uint64_t number,
                        struct text name)
{
	crash_text_end_block(reader);
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
	begin_stack(reader, thread ? &thread->stack : NULL);
	reader->thread = thread;
	if (!thread)
		return;
	thread->crashed = crashed;
	if (text_trim(name).size)
		set_thread_name(reader, thread, name);
}

/** The last thread with @p number, else the one that crashed. */
static struct report_thread *state_owner(struct report *report, uint64_t number,
                                         bool has_number)
{
	for (size_t i = report->thread_count; has_number && i > 0; i--)
		if (report->threads[i - 1]->number == number)
			return report->threads[i - 1];
	for (size_t i = 0; i < report->thread_count; i++)
		if (report->threads[i]->crashed)
			return report->threads[i];
	return NULL;
}

/** `… crashed with ARM Thread State (64-bit):` */
static void begin_registers(struct crash_text_reader *reader, uint64_t number,
                            bool has_number, struct text flavor)
{
	struct report_thread *thread;

	crash_text_end_block(reader);
	thread = reader->state_count++ < STATE_LIMIT
	                 ? state_owner(reader->report, number, has_number)
	                 : NULL;
	flavor = text_trim(flavor);
	if (text_ends(flavor, ":"))
		flavor = text_first(flavor, flavor.size - 1);
	reader->part = CRASH_TEXT_REGISTERS;
	// A second state of one thread is kept as text.
	reader->registers = thread && !thread->state.flavor ? thread : NULL;
	if (reader->registers)
		thread->state.flavor = arena_text(reader->arena, flavor);
}

/** What follows `Thread N`: false if it is no header. */
static bool thread_label(struct crash_text_reader *reader, uint64_t number,
                         struct text rest)
{
	bool crashed = false;

	if (text_take(&rest, " name:")) {
		name_thread(reader, number, rest);
		return true;
	}
	if (text_take(&rest, " crashed with ")) {
		begin_registers(reader, number, true, rest);
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
	size_t size = 0;

	if (!text_take(rest, "Thread "))
		return false;
	while (size < rest->size && text_is_digit(rest->data[size]))
		size++;
	if (!number_decimal(text_first(*rest, size), ret))
		return false;
	*rest = text_after(*rest, size);
	return true;
}

static bool take_label(struct crash_text_reader *reader, struct text line)
{
	struct report *report = reader->report;
	uint64_t number;

	if (line.data[0] == 'T')
		return take_thread_number(&line, &number) &&
		       thread_label(reader, number, line);
	if (text_starts(line, "Last Exception Backtrace:")) {
		begin_stack(reader, &report->exception_backtrace);
		return true;
	}
	if (text_starts(line, "Application Specific Backtrace ")) {
		begin_stack(reader,
		            report_add_app_backtrace(report, reader->arena));
		return true;
	}
	if (text_starts(line, "*** First throw call stack:")) {
		// A whole report has this backtrace under its own label too.
		begin_stack(reader, reader->has_exception_backtrace
		                            ? report_add_app_backtrace(
		                                      report, reader->arena)
		                            : &report->exception_backtrace);
		return true;
	}
	if (text_take(&line, "Unknown thread crashed with ")) {
		begin_registers(reader, 0, false, line);
		return true;
	}
	return false;
}

bool crash_text_stack_label(struct crash_text_reader *reader, struct text line)
{
	if (!take_label(reader, line))
		return false;
	crash_text_keep(reader, line.data);
	return true;
}

static bool is_register_char(char c)
{
	return text_is_digit(c) || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

/** Cut `name:` and the blanks after it off the front. */
static bool take_register_name(struct text *rest, struct text *ret)
{
	struct text left = text_trim_left(*rest);
	size_t size = 0;

	while (size < left.size && is_register_char(left.data[size]))
		size++;
	if (!size || size == left.size || left.data[size] != ':')
		return false;
	*ret = text_first(left, size);
	*rest = text_trim_left(text_after(left, size + 1));
	return true;
}

/** Cut one cell off the front: `x0: 0x…`, `rip: <unavailable>`. */
static bool take_register(struct text *rest, struct text *name,
                          struct report_register *ret)
{
	struct text left = *rest;
	size_t size = 0;

	if (!take_register_name(&left, name))
		return false;
	while (size < left.size && !text_is_space(left.data[size]))
		size++;
	if (text_starts(left, "0x") &&
	    number_hex(text_first(left, size), &ret->value))
		ret->available = true;
	else if (!text_is(text_first(left, size), "<unavailable>"))
		return false;
	*rest = text_after(left, size);
	return true;
}

/** Cut what stands before the next cell, or the end, off the front. */
static struct text take_register_note(struct text *rest)
{
	struct text note = *rest;

	for (size_t i = 0; i < note.size; i++) {
		struct text left = text_after(note, i);
		struct report_register cell;
		struct text name;

		if (!text_is_space(note.data[i]) ||
		    !take_register(&left, &name, &cell))
			continue;
		*rest = text_after(note, i);
		return text_trim(text_first(note, i));
	}
	*rest = TEXT_NONE;
	return text_trim(note);
}

bool crash_text_register_line(struct crash_text_reader *reader,
                              struct text line)
{
	struct text rest = line;
	struct report_register cell = { 0 };
	struct text name;

	if (reader->part != CRASH_TEXT_REGISTERS ||
	    !take_register(&rest, &name, &cell))
		return false;
	do {
		// `esr: 0x92000006 (Data Abort) byte read Translation fault`
		struct text note = take_register_note(&rest);

		if (reader->registers) {
			cell.name = arena_text(reader->arena, name);
			if (note.size)
				cell.note = arena_text(reader->arena, note);
			*report_add_register(&reader->registers->state,
			                     reader->arena) = cell;
		}
		cell = (struct report_register){ 0 };
	} while (take_register(&rest, &name, &cell));
	crash_text_keep(reader, line.data);
	return true;
}

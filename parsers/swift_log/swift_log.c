// SPDX-License-Identifier: MIT
/*
 * Swift's crash logs in text, as swift-backtrace prints them when a program
 * crashes, in friendly format, with source code, and in full format
 * (apmtool-formats(5)).
 */
#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "parsers/reader.h"
#include "parsers/swift_log/frame_line.h"
#include "parsers/swift_log/image_line.h"
#include "parsers/swift_log/reason.h"
#include "parsers/swift_log/registers.h"
#include "parsers/swift_log/stacks.h"
#include "parsers/text/line_reader.h"
#include "parsers/text/platform.h"
#include "parsers/text/program.h"

#include <inttypes.h>

// A log may follow the output of its program.
#define SNIFF_LINES 4000

/** Where a line without a label belongs. */
enum swift_part {
	SWIFT_HEAD,
	SWIFT_STACK,
	SWIFT_REGISTERS,
	SWIFT_IMAGES,
	SWIFT_REST, ///< after the log: kept and not read
};

struct swift_reader {
	struct line_reader text;
	enum swift_part part;
	bool has_headline;
	bool has_images; ///< after their label
	bool has_end;    ///< `Backtrace took 0.05s`
	struct text arch;
	struct report_thread *thread; ///< NULL: none, or over the limit
	struct swift_stack stack;
	uint64_t next_index; ///< of the frame after the last one
	bool is_after_gap;
};

// Threads

/** `Thread 6 "worker" crashed:` */
struct thread_label {
	uint64_t number;
	struct text name;
	bool crashed;
};

static bool parse_thread(struct text line, struct thread_label *ret)
{
	struct text rest = text_trim(line);
	size_t quote;

	*ret = (struct thread_label){ .name = TEXT_NONE };
	if (!text_take(&rest, "Thread ") || !text_ends(rest, ":"))
		return false;
	if (!number_decimal(text_take_digits(&rest), &ret->number))
		return false;
	rest = text_first(rest, rest.size - 1);
	if (text_take(&rest, " \"")) {
		quote = text_find_last_char(rest, '"');
		if (quote == TEXT_NOWHERE)
			return false;
		ret->name = text_first(rest, quote);
		rest = text_after(rest, quote + 1);
	}
	ret->crashed = text_is(rest, " crashed");
	return ret->crashed || !rest.size;
}

static void end_stack(struct swift_reader *reader)
{
	if (reader->stack.stack)
		swift_stack_end(&reader->stack);
	reader->stack = (struct swift_stack){ 0 };
	reader->is_after_gap = false;
}

static void begin_thread(struct swift_reader *reader,
                         const struct thread_label *label)
{
	struct report *report = reader->text.report;
	struct arena *arena = reader->text.arena;
	struct report_thread *thread;

	end_stack(reader);
	reader->part = SWIFT_STACK;
	reader->thread = NULL;
	if (report->thread_count == limit_get(LIMIT_THREADS)) {
		line_reader_flaw(&reader->text, LINE_FLAW_THREAD_LIMIT);
		return;
	}
	thread = report_add_thread(report, arena);
	thread->number = label->number;
	thread->crashed = label->crashed;
	if (label->name.size)
		thread->name = arena_text(arena, label->name);
	if (label->crashed && !report->has_triggered_thread) {
		report->has_triggered_thread = true;
		report->triggered_thread = label->number;
	}
	reader->thread = thread;
	reader->stack.stack = &thread->stack;
	reader->next_index = 0;
}

static bool read_thread_label(struct swift_reader *reader, struct text line)
{
	struct thread_label label;

	if (!parse_thread(line, &label))
		return false;
	begin_thread(reader, &label);
	line_reader_keep(&reader->text, line.data);
	return true;
}

// Frames

/** A stack was copied without the line above it. */
static void begin_headless(struct swift_reader *reader, uint64_t index)
{
	const struct thread_label label = {
		.name = TEXT_NONE,
		.crashed = reader->has_headline,
	};

	begin_thread(reader, &label);
	reader->next_index = index;
	line_reader_note(&reader->text,
	                 "the text begins inside of a backtrace: its "
	                 "beginning is missing");
	reader->text.report->truncated = true;
}

/** Frames that the log leaves out, by a mark or by their numbers. */
static void see_gap(struct swift_reader *reader,
                    const struct swift_frame_line *line)
{
	bool is_later = line->has_index && line->index > reader->next_index;

	if (line->is_gap || (is_later && !reader->is_after_gap))
		line_reader_flaw(&reader->text, LINE_FLAW_FRAMES_LEFT_OUT);
	reader->is_after_gap = line->is_gap;
	if (line->is_gap)
		reader->stack.is_open = false;
	if (line->has_index && line->index < UINT64_MAX)
		reader->next_index = line->index + 1;
}

static void add_frame(struct swift_reader *reader, struct text line,
                      const struct swift_frame_line *frame)
{
	struct report_stack *stack = reader->stack.stack;
	size_t count = stack->count;

	if (count >= limit_get(LIMIT_FRAMES)) {
		line_reader_flaw(&reader->text, LINE_FLAW_FRAME_LIMIT);
		line_reader_keep_unread(&reader->text, line.data);
		return;
	}
	swift_stack_add_line(&reader->stack, frame, reader->text.arena);
	line_reader_keep_frames(&reader->text, stack, count);
}

static bool is_sure_frame(const struct swift_frame_line *frame)
{
	return frame->tags || frame->image.size ||
	       (frame->has_address && !frame->what.size);
}

static bool read_frame(struct swift_reader *reader, struct text line)
{
	struct swift_frame_line frame;

	if ((reader->part != SWIFT_STACK && reader->part != SWIFT_HEAD) ||
	    !swift_frame_parse(line, &frame))
		return false;
	if (reader->part == SWIFT_HEAD) {
		// Before the headline, programs print anything.
		if (frame.is_gap ||
		    (!reader->has_headline && !is_sure_frame(&frame)))
			return false;
		begin_headless(reader, frame.index);
	}
	if (!reader->stack.stack)
		return false;
	see_gap(reader, &frame);
	if (frame.is_gap)
		line_reader_keep(&reader->text, line.data);
	else
		add_frame(reader, line, &frame);
	return true;
}

// The other lines

static bool read_headline(struct swift_reader *reader, struct text line)
{
	struct text reason;

	if (reader->has_headline || !swift_headline(line, &reason))
		return false;
	reader->has_headline = true;
	swift_set_reason(reader->text.report, reader->text.arena, reason);
	line_reader_keep(&reader->text, line.data);
	return true;
}

/** `Platform: arm64 macOS 26.1 (25B64)` */
static bool read_platform(struct swift_reader *reader, struct text line)
{
	struct text rest = text_trim(line);

	if (reader->part != SWIFT_HEAD || !text_take(&rest, "Platform: ") ||
	    !text_next_word(&rest, &reader->arch))
		return false;
	swift_set_os(reader->text.report, reader->text.arena, rest);
	line_reader_keep(&reader->text, line.data);
	return true;
}

/** Its registers are above the frames of a thread, or all are at the end. */
static struct report_thread_state *state_of(struct swift_reader *reader)
{
	const struct report *report = reader->text.report;
	struct report_thread *thread = reader->thread;

	if (reader->part == SWIFT_REGISTERS)
		for (size_t i = 0; i < report->thread_count; i++)
			if (report->threads[i]->crashed)
				return &report->threads[i]->state;
	return thread ? &thread->state : NULL;
}

static bool may_be_registers(const struct swift_reader *reader)
{
	return reader->part == SWIFT_REGISTERS ||
	       (reader->part == SWIFT_STACK && reader->thread &&
	        !reader->thread->stack.count);
}

static bool read_registers(struct swift_reader *reader, struct text line)
{
	if (!may_be_registers(reader) ||
	    !swift_register_line(line, reader->text.arena, state_of(reader)))
		return false;
	line_reader_keep(&reader->text, line.data);
	return true;
}

/** `Images:`, `Images (23 omitted):`, `Images (only mentioned):` */
static bool is_images_label(struct text line)
{
	line = text_trim(line);
	return text_take(&line, "Images") &&
	       (text_is(line, ":") ||
	        (text_starts(line, " (") && text_ends(line, "):")));
}

static bool read_label(struct swift_reader *reader, struct text line)
{
	struct text label = text_trim(line);

	if (text_is(label, "Registers:")) {
		reader->part = SWIFT_REGISTERS;
	} else if (is_images_label(line)) {
		reader->part = SWIFT_IMAGES;
		reader->has_images = true;
	} else if (text_starts(label, "Backtrace took ") ||
	           text_starts(label, "Press space to interact")) {
		reader->part = SWIFT_REST;
		reader->has_end = true;
	} else {
		return false;
	}
	end_stack(reader);
	line_reader_keep(&reader->text, line.data);
	return true;
}

static bool read_image(struct swift_reader *reader, struct text line)
{
	struct report *report = reader->text.report;
	struct report_image image;

	if (!swift_image_parse(line, reader->text.arena, &image))
		return false;
	// A list copied without its label.
	if (reader->part != SWIFT_IMAGES)
		end_stack(reader);
	reader->part = SWIFT_IMAGES;
	if (report->image_count == limit_get(LIMIT_IMAGES)) {
		line_reader_flaw(&reader->text, LINE_FLAW_IMAGE_LIMIT);
		line_reader_keep_unread(&reader->text, line.data);
		return true;
	}
	*report_add_image(report, reader->text.arena) = image;
	line_reader_keep(&reader->text, line.data);
	return true;
}

/** The runtime's message before the headline, which does not repeat it. */
static bool read_message(struct swift_reader *reader, struct text line)
{
	if (reader->part != SWIFT_HEAD || !swift_is_fatal_line(line))
		return false;
	swift_add_message(reader->text.report, reader->text.arena, line);
	line_reader_keep(&reader->text, line.data);
	return true;
}

static void read_line(struct text line, void *context)
{
	struct swift_reader *reader = context;

	if (!text_trim(line).size) {
		line_reader_keep(&reader->text, line.data);
		return;
	}
	if (reader->part == SWIFT_REST) {
		line_reader_keep_unread(&reader->text, line.data);
		return;
	}
	if (read_headline(reader, line) || read_thread_label(reader, line) ||
	    (!swift_line_is_source(line) && read_frame(reader, line)) ||
	    read_registers(reader, line) || read_image(reader, line) ||
	    read_label(reader, line) || read_platform(reader, line) ||
	    read_message(reader, line))
		return;
	if (swift_is_signal_line(line))
		line_reader_keep(&reader->text, line.data);
	else
		line_reader_keep_unread(&reader->text, line.data);
}

// Reader

static void count_homeless(struct report_stack *stack, void *context)
{
	size_t *count = context;

	for (size_t i = 0; i < stack->count; i++)
		*count += stack->frames[i].image == REPORT_NO_IMAGE &&
		          stack->frames[i].address;
}

/** Where the text ends early: people copy a part, and logs are limited. */
static const char *find_cut(const struct swift_reader *reader)
{
	struct report *report = reader->text.report;
	size_t homeless = 0;

	if (reader->has_end || report->is_limited)
		return NULL;
	if (reader->part == SWIFT_STACK)
		return "the text ends in a backtrace: without the list of "
		       "images no frame can be looked up";
	if (reader->part == SWIFT_REGISTERS)
		return "the text ends without a list of images: no frame can "
		       "be looked up";
	if (reader->part != SWIFT_IMAGES)
		return NULL;
	report_each_stack(report, count_homeless, &homeless);
	return homeless ? "the text ends in the list of images, before some "
	                  "images of the frames above"
	                : NULL;
}

/** If only one thread is shown, it is the crashed one. */
static void find_crashed(struct report *report)
{
	if (report->has_triggered_thread || report->thread_count != 1 ||
	    !report->exception.subtype)
		return;
	report->threads[0]->crashed = true;
	report->has_triggered_thread = true;
	report->triggered_thread = report->threads[0]->number;
}

static void finish(struct swift_reader *reader)
{
	struct report *report = reader->text.report;
	const char *cut;

	end_stack(reader);
	find_crashed(report);
	if (reader->arch.size)
		swift_set_arch(report, reader->text.arena, reader->arch);
	text_platform_set(report);
	report_place_frames(report);
	text_program_set(report);
	cut = find_cut(reader);
	if (cut) {
		line_reader_note(&reader->text, "%s", cut);
		report->truncated = true;
	}
	line_reader_note_flaws(&reader->text);
}

static struct error *swift_log_read(const struct envelope *envelope,
                                    struct sink *sink)
{
	struct arena *arena = sink->arena;
	struct swift_reader reader = {
		.text = { .arena = arena, .report = report_new(arena) },
		.arch = TEXT_NONE,
	};
	struct report *report = reader.text.report;
	struct line_source source;

	report->format = swift_log_reader.name;
	source = line_source_open(envelope->text, arena, report);
	line_reader_each(&reader.text, &source, read_line, &reader);
	finish(&reader);
	if (!reader.has_headline && !report->thread_count &&
	    !report->image_count)
		return error_new(ERROR_FORMAT,
		                 "no line of a Swift crash log found");
	sink_report(sink, report);
	return NULL;
}

// Detection

/** Two signs of a log without its head convince. */
enum sign {
	SIGN_THREAD = 1 << 0,
	SIGN_FRAME = 1 << 1,
	SIGN_OTHER_FRAME = 1 << 2,
	SIGN_IMAGE = 1 << 3,
	SIGN_END = 1 << 4,
};

/** Only Swift writes `[ra]`; others write columns and images, too. */
static unsigned sniff_frame(const struct swift_frame_line *frame, unsigned seen)
{
	if (frame->tags && frame->has_address)
		return SIGN_FRAME | SIGN_OTHER_FRAME;
	if (!frame->tags && !(frame->column && frame->image.size))
		return 0;
	return seen & SIGN_FRAME ? SIGN_OTHER_FRAME : SIGN_FRAME;
}

static unsigned sniff_line(struct text line, unsigned seen, struct arena *arena)
{
	struct swift_frame_line frame;
	struct thread_label thread;
	struct report_image image;

	if (parse_thread(line, &thread))
		return thread.crashed ? SIGN_THREAD : 0;
	if (swift_frame_parse(line, &frame))
		return sniff_frame(&frame, seen);
	if (swift_image_parse(line, arena, &image))
		return SIGN_IMAGE;
	return text_starts(text_trim(line), "Backtrace took ") ? SIGN_END : 0;
}

/** Lines of Apple's reports, which may quote the log. */
static bool is_apples(struct text line)
{
	return text_starts(line, "Incident Identifier:") ||
	       text_starts(line, "Binary Images:") ||
	       text_starts(line, "Report Version:");
}

static bool may_show(struct text line)
{
	struct text rest = text_after(line, text_count_blanks(line));

	return rest.size && (text_is_digit(rest.data[0]) ||
	                     rest.data[0] == 'T' || rest.data[0] == 'B');
}

static bool swift_log_sniff(const struct envelope *envelope)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct text in = envelope->text;
	struct text line;
	unsigned seen = 0;

	if (envelope->has_header || text_starts(text_trim_left(in), "{"))
		return false;
	for (size_t i = 0; i < SNIFF_LINES && text_next_line(&in, &line); i++) {
		if (is_apples(line))
			return false;
		if (swift_headline(line, NULL))
			return true;
		if (may_show(line))
			seen |= sniff_line(line, seen, &arena);
	}
	return seen & (seen - 1);
}

const struct reader swift_log_reader = {
	.name = "swift-log",
	.summary = "Swift's own crash logs (swift-backtrace), in text",
	.yields = YIELDS_REPORTS,
	.sniff = swift_log_sniff,
	.read = swift_log_read,
};

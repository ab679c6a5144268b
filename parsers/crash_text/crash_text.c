// SPDX-License-Identifier: MIT
/*
 * Apple's text format of a crash report (apmtool-formats(5)), and similar texts
 * of PLCrashReporter, KSCrash and consoles.
 */
#include "lib/base/block.h"
#include "lib/base/limit.h"
#include "lib/darwin/signals.h"
#include "parsers/crash_text/console.h"
#include "parsers/crash_text/exception.h"
#include "parsers/crash_text/header.h"
#include "parsers/crash_text/main_image.h"
#include "parsers/crash_text/reader.h"
#include "parsers/crash_text/registers.h"
#include "parsers/crash_text/stacks.h"
#include "parsers/reader.h"
#include "parsers/text/app_hang.h"
#include "parsers/text/frame_line.h"
#include "parsers/text/image_line.h"
#include "parsers/text/platform.h"
#include "parsers/text/stack_line.h"

#include <inttypes.h>
#include <string.h>

// A report may follow the log of the job that printed it.
#define SNIFF_LINES      4000
#define SNIFF_LINES_NEAR 200
// The Console's title is on the second line.
#define CONSOLE_BYTES 512

/** `{"app_name":…}`: the header of an `.ips` file whose body is text. */
static bool read_json_header(struct crash_text_reader *reader, struct text line)
{
	static const char key[] = "\"bug_type\":\"";
	size_t at;

	if (line.data[0] != '{' || reader->text.report->line_count)
		return false;
	at = text_find(line, key);
	if (at != TEXT_NOWHERE) {
		struct text value = text_after(line, at + strlen(key));

		value = text_first(value, text_find_char(value, '"'));
		reader->text.report->bug_type =
		        arena_text(reader->text.arena, value);
	}
	line_reader_keep(&reader->text, line.data);
	return true;
}

/** Ignore all further lines. */
static void end_report(struct crash_text_reader *reader)
{
	crash_text_begin_part(reader, CRASH_TEXT_REST, NULL);
}

/** `EOF`, or the first label of a second report in the same text. */
static bool read_end(struct crash_text_reader *reader, struct text line)
{
	bool begins = text_starts(line, "Incident Identifier:") ||
	              text_starts(line, "Process:");

	if (text_starts(line, "EOF")) {
		end_report(reader);
		begins = text_starts(line, "EOF{");
	} else if (reader->part == CRASH_TEXT_REST) {
		begins = text_starts(line, "Incident Identifier:");
	} else if (begins && reader->seen_images) {
		end_report(reader);
	} else {
		return false;
	}
	if (begins && !reader->seen_next) {
		line_reader_note(&reader->text,
		                 "another report begins here; only the "
		                 "first is read");
		reader->seen_next = true;
	}
	if (text_is(text_trim(line), "EOF"))
		line_reader_keep(&reader->text, line.data);
	else
		line_reader_keep_unread(&reader->text, line.data);
	return true;
}

/** The label of a section, `Binary Images:` or `Binary Images (…):`. */
static bool read_images_label(struct crash_text_reader *reader,
                              struct text line)
{
	struct text rest = line;

	// Old jailbroken systems had a section for each origin of code:
	// `Binary Images (dpkg):`.
	if (!text_take(&rest, "Binary Images"))
		return false;
	rest = text_trim(rest);
	if (!text_is(rest, ":") &&
	    !(text_starts(rest, "(") && text_ends(rest, "):")))
		return false;
	crash_text_begin_part(reader, CRASH_TEXT_IMAGES, NULL);
	reader->seen_images = true;
	reader->ends_in_images = true;
	line_reader_keep(&reader->text, line.data);
	return true;
}

/**
 * An empty line ends everything except a backtrace: pasted text may have one
 * after each line.
 */
static void read_empty(struct crash_text_reader *reader, struct text line)
{
	if (reader->part != CRASH_TEXT_REST &&
	    reader->part != CRASH_TEXT_STACK &&
	    !crash_text_console_blank(reader))
		crash_text_end_part(reader);
	line_reader_keep(&reader->text, line.data);
}

/** Has the report only insignificant lines so far? */
static bool is_at_begin(const struct report *report)
{
	return !report->field_count && !report->thread_count &&
	       !report->exception_backtrace.count &&
	       !report->app_backtrace_count;
}

/**
 * The text begins inside of a backtrace: of the thread before the first one
 * with a header, or of the exception, whose backtrace precedes thread 0.
 */
static void begin_headless(struct crash_text_reader *reader,
                           const struct frame_line *frame)
{
	struct report *report = reader->text.report;

	if (reader->has_threads && !reader->first_thread)
		crash_text_begin_stack(reader, &report->exception_backtrace);
	else
		crash_text_begin_headless(
		        reader,
		        reader->has_threads ? reader->first_thread - 1 : 0);
	report->truncated = true;
	line_reader_note(&reader->text,
	                 frame->index
	                         ? "the text begins inside of a backtrace: "
	                           "frames before %" PRIu64 " are missing"
	                         : "the text begins with a backtrace: "
	                           "what precedes frame %" PRIu64 " is missing",
	                 frame->index);
}

/** Frames without any heading, as in `callStackSymbols`. */
static bool read_loose_frame(struct crash_text_reader *reader, struct text line)
{
	struct report *report = reader->text.report;
	struct frame_line frame;

	if (reader->part != CRASH_TEXT_LABELS ||
	    !crash_text_is_frame(line, &frame))
		return false;
	if (reader->main_image.is_there && is_at_begin(report))
		crash_text_begin_main_stack(reader);
	else if (is_at_begin(report) && (frame.index || reader->has_threads))
		begin_headless(reader, &frame);
	else if (!frame.index)
		crash_text_begin_stack(
		        reader,
		        report_add_app_backtrace(report, reader->text.arena));
	else
		return false;
	return crash_text_stack_line(reader, line);
}

/** A frame without its number is the next one, or begins a stack. */
static bool read_plain_frame(struct crash_text_reader *reader, struct text line)
{
	struct report *report = reader->text.report;
	bool is_in_stack = reader->part == CRASH_TEXT_STACK && reader->stack;
	struct frame_line frame;
	size_t count;

	if ((!is_in_stack && reader->part != CRASH_TEXT_LABELS) ||
	    !crash_text_is_plain_frame(line, &frame))
		return false;
	if (!is_in_stack) {
		crash_text_begin_headless(reader, report->thread_count);
		report->truncated = true;
		line_reader_note(
		        &reader->text,
		        "frames without numbers: earlier ones may be missing");
	}
	if (!reader->stack || reader->stack->count >= limit_get(LIMIT_FRAMES))
		return false;
	count = reader->stack->count;
	frame.index = count;
	stack_add_line(reader->stack, &frame, reader->text.arena);
	line_reader_keep_frames(&reader->text, reader->stack, count);
	return true;
}

/** `-------- RECURSION LEVEL 58038`, between frames: they repeat. */
static bool is_recursion_mark(struct text line)
{
	return text_starts(line, "-----") &&
	       text_find(line, " RECURSION LEVEL ") != TEXT_NOWHERE;
}

static void read_other(struct crash_text_reader *reader, struct text line)
{
	if (is_recursion_mark(line)) {
		line_reader_keep(&reader->text, line.data);
		return;
	}
	if (crash_text_block_line(reader, line))
		return;
	if (reader->part == CRASH_TEXT_STACK && reader->stack &&
	    reader->stack->count)
		line_reader_flaw(&reader->text, LINE_FLAW_JUNK_FRAME);
	else if (reader->part == CRASH_TEXT_IMAGES)
		line_reader_flaw(&reader->text, LINE_FLAW_JUNK_IMAGE);
	else if (reader->part == CRASH_TEXT_LABELS)
		crash_text_thrown(reader, line);
	crash_text_keep_unknown(reader, line);
}

/** A line of an image; over the limit, the line is kept without an image. */
static bool read_image(struct crash_text_reader *reader, struct text line)
{
	const struct report *report = reader->text.report;
	size_t count = report->image_count;

	if (!image_line_read(&reader->text, line))
		return false;
	crash_text_close_section(reader);
	if (report->image_count == count)
		report->lines[report->line_count - 1].count =
		        reader->text.line_number;
	return true;
}

static void read_text_line(struct crash_text_reader *reader, struct text line)
{
	bool may_be_image =
	        reader->part == CRASH_TEXT_IMAGES ||
	        (reader->part == CRASH_TEXT_LABELS && reader->seen_images);

	reader->ends_in_images = false;
	// Most lines are images.
	if (may_be_image && read_image(reader, line)) {
		reader->ends_in_images = true;
		return;
	}
	if (read_end(reader, line) || read_json_header(reader, line))
		return;
	if (reader->part == CRASH_TEXT_REST ||
	    (reader->part == CRASH_TEXT_NOTHING &&
	     !text_starts(line, "STACK OF ") &&
	     !text_starts(line, "Binary Images:"))) {
		line_reader_keep_unread(&reader->text, line.data);
		return;
	}
	if (crash_text_main_image_line(reader, line) ||
	    crash_text_console_line(reader, line) ||
	    crash_text_stack_line(reader, line) ||
	    crash_text_register_line(reader, line) ||
	    crash_text_stack_label(reader, line) ||
	    read_images_label(reader, line) || read_plain_frame(reader, line) ||
	    crash_text_label(reader, line) || read_loose_frame(reader, line))
		return;
	read_other(reader, line);
}

static void read_line(struct text line, void *context)
{
	struct crash_text_reader *reader = context;

	if (text_trim(line).size) {
		read_text_line(reader, line);
		reader->blanks = 0;
	} else {
		read_empty(reader, line);
		reader->blanks++;
	}
}

/** Count frames with an image name but no image. */
static void count_homeless(struct report_stack *stack, void *context)
{
	size_t *count = context;

	for (size_t i = 0; i < stack->count; i++) {
		const struct report_frame *frame = &stack->frames[i];

		*count += frame->image == REPORT_NO_IMAGE && frame->address &&
		          frame->image_name && strcmp(frame->image_name, "???");
	}
}

/** A backtrace from a console, without other parts. */
static bool is_fragment(const struct report *report)
{
	return !report->thread_count && !report->incident &&
	       !report->process.name && !report->exception.type &&
	       !report->exception.signal &&
	       (report->exception_backtrace.count ||
	        report->app_backtrace_count);
}

/**
 * Where the text ends early: devices die while writing, and people copy what is
 * on the screen.
 */
static const char *find_cut(const struct crash_text_reader *reader,
                            enum crash_text_part part, bool ends_in_line)
{
	struct report *report = reader->text.report;
	size_t homeless = 0;

	if (report->is_limited)
		return NULL;
	if (!reader->seen_images) {
		if (reader->is_console || is_fragment(report))
			return NULL;
		return part == CRASH_TEXT_STACK
		               ? "the text ends in a backtrace: without Binary "
		                 "Images no frame can be looked up"
		               : "the text ends without Binary Images: no "
		                 "frame can be looked up";
	}
	if (!report->image_count)
		return "Binary Images is empty";
	if (!reader->ends_in_images && part != CRASH_TEXT_IMAGES)
		return NULL;
	if (ends_in_line &&
	    (!reader->ends_in_images || image_line_is_truncated(report)))
		return "the text ends in a line of Binary Images";
	report_each_stack(report, count_homeless, &homeless);
	return homeless ? "the text ends in Binary Images, before some images "
	                  "of the frames above"
	                : NULL;
}

/** `Termination Reason: SIGNAL; [11]`, of a text that has no exception. */
static void name_signal(struct report *report)
{
	const struct report_termination *end = &report->termination;

	if (!report->exception.type && !report->exception.signal &&
	    end->has_code && text_same(end->namespace_name, "SIGNAL"))
		report->exception.signal = darwin_signal_name(end->code);
}

static void finish(struct crash_text_reader *reader, bool ends_in_line)
{
	enum crash_text_part part = reader->part;
	struct report *report = reader->text.report;
	const char *cut;

	crash_text_end_part(reader);
	crash_text_close_section(reader);
	name_signal(report);
	app_hang_set(report, report->exception.type, report->exception.message);
	text_platform_set(report);
	crash_text_finish_main_image(reader);
	crash_text_add_javascript(reader);
	report_place_frames(report);
	crash_text_console_finish(reader);
	cut = find_cut(reader, part, ends_in_line);
	if (cut) {
		line_reader_note(&reader->text, "%s", cut);
		report->truncated = true;
	}
	line_reader_note_flaws(&reader->text);
}

static bool has_exception_backtrace(struct text in)
{
	return text_starts(in, "Last Exception Backtrace:") ||
	       text_find(in, "\nLast Exception Backtrace:") != TEXT_NOWHERE;
}

/** Find the first thread that has a header. */
static void find_threads(struct text in, struct crash_text_reader *reader)
{
	static const char mark[] = "\nThread ";
	size_t at;

	while (!reader->has_threads &&
	       (at = text_find(in, mark)) != TEXT_NOWHERE) {
		in = text_after(in, at + 1);
		reader->has_threads =
		        crash_text_thread_number(in, &reader->first_thread);
	}
}

/**
 * Reserve room for all lines at once: there may be very many one-byte lines.
 */
static void make_room(const struct line_source *source, struct report *report,
                      struct arena *arena)
{
	const char *end = source->data + source->size;
	size_t max = report_left_to_read(arena);
	size_t count = 1;

	for (const char *at = source->data;
	     (at = memchr(at, '\n', (size_t)(end - at))); at++)
		count++;
	for (const char *at = source->data;
	     (at = memchr(at, '\r', (size_t)(end - at))); at++)
		count++;
	report->line_cap = count < max ? count : max;
	report->lines =
	        arena_array(arena, report->line_cap, sizeof(*report->lines));
}

static bool is_empty(const struct report *report)
{
	return !report->field_count && !report->thread_count &&
	       !report->image_count && !report->exception_backtrace.count &&
	       !report->app_backtrace_count && !report->thrown.name &&
	       !report->thrown.class_name &&
	       !report_section(report, "Headline");
}

static struct error *crash_text_read(const struct envelope *envelope,
                                     struct sink *sink)
{
	struct arena *arena = sink->arena;
	struct text in = envelope->text;
	struct line_source source;
	struct crash_text_reader reader = {
		.text = { .arena = arena, .report = report_new(arena) },
		.has_exception_backtrace = has_exception_backtrace(in),
		.main_image.is_there = crash_text_has_main_image(in),
		.takes_bare_fatal = crash_text_is_bare_fatal(in),
		.takes_inner = crash_text_has_inner_headline(in),
	};

	reader.text.report->format = crash_text_reader.name;
	find_threads(in, &reader);
	source = line_source_open(in, arena, reader.text.report);
	make_room(&source, reader.text.report, arena);
	line_reader_each(&reader.text, &source, read_line, &reader);
	finish(&reader, source.ends_in_line);
	str_release(&reader.block);
	str_release(&reader.more);
	str_release(&reader.main_image.reason);
	if (is_empty(reader.text.report))
		return error_new(ERROR_FORMAT,
		                 "no line of a crash report found");
	sink_report(sink, reader.text.report);
	return NULL;
}

/** As the lines of JSON do, and no other. */
static bool begins_json(char c)
{
	return c == '"' || c == '{' || c == '}';
}

/** A failure in a console's words, with or without frames in Apple's format. */
static bool is_headline(struct text line)
{
	struct headline headline = { 0 };

	return headline_find(line, &headline) && headline.is_apple &&
	       !headline.needs_frames;
}

/** Evidence in a line, one bit each: two different kinds suffice. */
static unsigned sniff_line(struct text line)
{
	static const char *const labels[] = {
		"Process:",
		"Exception Type:",
		"Exception Codes:",
		"Binary Images:",
		"Crashed Thread:",
		"Triggered by Thread:",
		"Report Version:",
		"Thread ",
		"Exception Message:",
		"Exception Subtype:",
		"Termination Reason:",
	};
	const unsigned all = ~0u;
	struct frame_line frame;
	struct text rest = text_after(line, text_count_blanks(line));

	if (!rest.size || begins_json(rest.data[0]))
		return 0;
	if (text_starts(line, "Incident Identifier:") ||
	    text_starts(line, "Report Kind:") ||
	    text_starts(line, "Last Exception Backtrace:") ||
	    text_starts(line, "*** First throw call stack:") ||
	    text_starts(line, "*** Terminating app due to uncaught exception"))
		return all;
	for (unsigned i = 0; i < ARRAY_SIZE(labels); i++)
		if (text_starts(line, labels[i]))
			return 1u << i;
	if (crash_text_is_plain_frame(line, &frame))
		return 1u << 27;
	if (is_recursion_mark(line))
		return 1u << 26;
	if (crash_text_is_frame(line, &frame))
		return 1u << (frame.index ? 29 + frame.index % 2 : 31);
	return is_headline(line) ? all : 0;
}

/** The Console's copy has the whole `.ips` file below a translation. */
static bool is_console_copy(struct text in)
{
	size_t report;

	if (text_find(text_first(in, CONSOLE_BYTES),
	              "Translated Report (Full Report Below)") == TEXT_NOWHERE)
		return false;
	report = text_find(in, "\nFull Report");
	return report != TEXT_NOWHERE &&
	       text_find(text_after(in, report), "\n{") != TEXT_NOWHERE;
}

/**
 * Skip lines without evidence, mostly JSON, up to @p max.
 *
 * @return Number of skipped lines; fewer if the next one needs examination.
 */
static size_t pass_json_lines(struct text *rest, size_t max)
{
	struct text in = *rest;
	size_t blank = text_count_blanks(in);
	size_t count = 0;

	if (blank == in.size || !begins_json(in.data[blank]))
		return 0;
	for (size_t at = 0; in.size - at >= BLOCKS_BYTES; at += BLOCKS_BYTES) {
		const struct blocks bytes = blocks_load(in.data + at);
		const uint64_t blanks = blocks_blanks(&bytes);
		uint64_t ends = blocks_bits_of(&bytes, '\n');

		if (blocks_bits_of(&bytes, '\r'))
			return count;
		for (; ends; ends &= ends - 1) {
			unsigned i = (unsigned)__builtin_ctzll(ends);
			uint64_t others = ~blanks >> i >> 1;
			size_t line = at + i + 1;

			*rest = text_after(in, line);
			if (++count == max || !others ||
			    !begins_json(in.data[line + (size_t)__builtin_ctzll(
			                                        others)]))
				return count;
		}
	}
	return count;
}

static bool crash_text_sniff(const struct envelope *envelope)
{
	struct text in = envelope->text;
	struct text line;
	unsigned seen = 0;

	if (envelope->is_whole_ips || is_console_copy(in))
		return false;
	for (size_t i = 0; i < SNIFF_LINES; i++) {
		unsigned shown;

		i += pass_json_lines(&in, SNIFF_LINES - i);
		if (i == SNIFF_LINES || !text_next_line(&in, &line))
			break;
		shown = sniff_line(line);
		// Far down, in a program's source, one line is not enough;
		// a log has its time before it.
		if (i >= SNIFF_LINES_NEAR && shown == ~0u &&
		    !log_prefix_of(line).size)
			shown = 1u << 28;
		seen |= shown;
		if (seen & (seen - 1))
			return true;
	}
	return crash_text_is_bare_fatal(envelope->text) ||
	       crash_text_has_inner_headline(envelope->text);
}

const struct reader crash_text_reader = {
	.name = "crash-text",
	.summary = "Apple's text format (.crash), and similar text of other "
	           "tools",
	.yields = YIELDS_REPORTS,
	.sniff = crash_text_sniff,
	.read = crash_text_read,
};

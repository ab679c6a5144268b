// SPDX-License-Identifier: MIT
#include "parsers/crash_text/console.h"

#include "lib/base/number.h"
#include "parsers/crash_text/exception.h"
#include "parsers/crash_text/stacks.h"
#include "parsers/text/frame_line.h"
#include "parsers/text/program.h"

#include <string.h>

// A reason of more lines has lost its end.
#define REASON_LINES_MAX 200
#define REASON_BYTES_MAX ((size_t)64 << 10)
// Max lines of an exception's name.
#define NAME_LINES_MAX 4
// Max size of a text that quotes a headline.
#define INNER_BYTES_MAX 8192

/** Is it a report, in which such lines belong to a section? */
static bool is_whole_report(const struct report *report)
{
	return report->incident || report->exception.type ||
	       report->exception.signal || report->identifier ||
	       report->thread_count || report->image_count;
}

static void take_process(struct report *report, struct arena *arena,
                         const struct log_prefix *prefix)
{
	if (report->process.name || !prefix->process.size)
		return;
	report->process.name = arena_text(arena, prefix->process);
	report->process.pid = prefix->pid;
	report->process.has_pid = prefix->has_pid;
}

/** `2026-11-01 10:00:00.123+0100 Demo[612:12345] …`: up to the process. */
static void take_date(struct report *report, struct arena *arena,
                      struct text line)
{
	static const char shape[] = "dddd-dd-dd dd:dd:dd";
	size_t end = sizeof(shape) - 1;

	if (report->date_time || line.size < end)
		return;
	for (size_t i = 0; i < end; i++)
		if (shape[i] == 'd' ? !text_is_digit(line.data[i])
		                    : line.data[i] != shape[i])
			return;
	while (end < line.size && !text_is_space(line.data[end]))
		end++;
	report->date_time = arena_text(arena, text_first(line, end));
}

bool crash_text_is_bare_fatal(struct text in)
{
	struct headline headline = { 0 };
	struct text first = text_trim(in);
	size_t end = text_find_last_char(first, '\n');
	struct text last = end == TEXT_NOWHERE ? first
	                                       : text_after(first, end + 1);

	first = text_first(first, text_find_char(first, '\n'));
	return (headline_find(last, &headline) &&
	        headline.kind == HEADLINE_SWIFT) ||
	       (headline_find(first, &headline) &&
	        headline.kind == HEADLINE_SWIFT);
}

/** In a line of JSON, or the one line of a text. */
static bool find_inner(struct text line, bool is_only, struct headline *ret)
{
	return (is_only || text_starts(text_trim_left(line), "\"")) &&
	       headline_find_within_line(line, ret);
}

bool crash_text_has_inner_headline(struct text in)
{
	struct headline headline = { 0 };
	struct text rest = text_trim(in);
	bool is_only = text_find_char(rest, '\n') == TEXT_NOWHERE;
	struct text line;

	if (!rest.size || rest.size > INNER_BYTES_MAX || rest.data[0] == '{' ||
	    rest.data[0] == '[')
		return false;
	while (text_next_line(&rest, &line))
		if (find_inner(line, is_only, &headline))
			return true;
	return false;
}

// The block of a headline

/** `exception 'N', reason: 'R`: the last quote mark is further down. */
static bool is_open_reason(const struct crash_text_reader *reader)
{
	struct text block = str_text(&reader->block);

	return reader->part == CRASH_TEXT_HEADLINE &&
	       reader->headline == HEADLINE_OBJC &&
	       block.size <= REASON_BYTES_MAX &&
	       text_find(block, "', reason: '") != TEXT_NOWHERE &&
	       !text_ends(text_trim_right(block), "'");
}

/** `uncaught exception`, with the name on the next line: it was wrapped. */
static bool is_open_name(const struct crash_text_reader *reader)
{
	static const char thrown[] = "uncaught exception";
	struct text block = text_trim_right(str_text(&reader->block));
	struct text rest =
	        text_after(block, text_find(block, thrown) + strlen(thrown));

	if (reader->part != CRASH_TEXT_HEADLINE ||
	    reader->headline != HEADLINE_OBJC ||
	    reader->headline_lines > NAME_LINES_MAX ||
	    text_find(block, thrown) == TEXT_NOWHERE)
		return false;
	rest = text_trim(rest);
	return !rest.size || (rest.data[0] == '\'' && !text_ends(rest, "'") &&
	                      text_find(rest, "', reason: '") == TEXT_NOWHERE);
}

static void keep_thrown(struct crash_text_reader *reader,
                        const struct headline *headline)
{
	struct report_thrown *thrown = &reader->text.report->thrown;
	struct arena *arena = reader->text.arena;
	struct text reason = str_text(&reader->block);

	if (thrown->name || thrown->class_name || !headline->name.size)
		return;
	thrown->name = arena_text(arena, headline->name);
	thrown->kind = headline->word;
	// With the lines below that go on.
	if (headline->reason.size)
		thrown->reason = arena_text(
		        arena,
		        text_trim(text_after(
		                reason, (size_t)(headline->reason.data -
		                                 headline->message.data))));
}

static void end_headline(struct crash_text_reader *reader)
{
	struct text block = text_trim_right(str_text(&reader->block));
	const char *text = arena_text(reader->text.arena, block);
	struct headline headline = { 0 };

	report_add_section(reader->text.report, reader->text.arena, "Headline",
	                   text);
	if (reader->headline == HEADLINE_OBJC ||
	    reader->headline == HEADLINE_CPP)
		crash_text_thrown(reader, text_from(text));
	else if (reader->headline == HEADLINE_KOTLIN &&
	         headline_find(text_from(text), &headline))
		keep_thrown(reader, &headline);
	str_clear(&reader->block);
}

/** The watchdog names the app by its identifier. */
static void take_watched(struct report *report, struct arena *arena,
                         const struct headline *headline)
{
	if (report->identifier || report->process.name ||
	    !headline->prefix.process.size)
		return;
	report->identifier = arena_text(arena, headline->prefix.process);
	report->process.pid = headline->prefix.pid;
	report->process.has_pid = headline->prefix.has_pid;
}

static void begin_headline(struct crash_text_reader *reader, struct text line,
                           const struct headline *headline)
{
	crash_text_begin_part(reader, CRASH_TEXT_HEADLINE, end_headline);
	reader->is_console = true;
	reader->headline = headline->kind;
	reader->headline_lines = 0;
	reader->is_wrapped = false;
	str_add_text(&reader->block, headline->message);
	if (headline->kind == HEADLINE_WATCHDOG)
		take_watched(reader->text.report, reader->text.arena, headline);
	else if (headline->kind != HEADLINE_MEMORY_KILL)
		take_process(reader->text.report, reader->text.arena,
		             &headline->prefix);
	reader->has_others |= headline->kind != HEADLINE_MEMORY_KILL;
	take_date(reader->text.report, reader->text.arena, line);
	line_reader_keep(&reader->text, line.data);
}

// Frames

/** Reports a problem, and lets the process continue. */
static bool is_checker(enum headline_kind kind)
{
	return kind == HEADLINE_MAIN_THREAD || kind == HEADLINE_PERFORMANCE;
}

/** The thread of a checker; its line names it. */
static struct report_thread *add_thread(struct crash_text_reader *reader)
{
	struct report *report = reader->text.report;
	struct report_thread *thread;

	if (report->thread_count)
		return report->threads[report->thread_count - 1];
	thread = report_add_thread(report, reader->text.arena);
	thread->crashed = true;
	// Without frame 0, the first one follows a call, too.
	thread->stack.all_return_addresses = true;
	return thread;
}

static void begin_frames(struct crash_text_reader *reader)
{
	struct report *report = reader->text.report;
	struct report_stack *stack = &report->exception_backtrace;

	if (is_checker(reader->headline) && !report->exception_backtrace.count)
		stack = &add_thread(reader)->stack;
	if (stack->count)
		stack = report_add_app_backtrace(report, reader->text.arena);
	crash_text_begin_stack(reader, stack);
}

/** `at 0   shared   0x… `, as Kotlin writes a frame. */
static struct text without_at(struct text line)
{
	struct text rest = text_trim_left(line);

	// The mark of one line in a list.
	if (text_take(&rest, ">>"))
		rest = text_trim_left(rest);
	return text_take(&rest, "at ") && text_is_digit(rest.data[0]) ? rest
	                                                              : line;
}

static bool is_frame(struct text line, struct frame_line *ret)
{
	struct text rest = text_trim(without_at(line));

	return rest.size && text_is_digit(rest.data[0]) &&
	       frame_line_parse(rest, ret) &&
	       (ret->has_address || ret->has_symbol_offset);
}

/** A label above frames. */
static bool is_frames_label(struct text line)
{
	static const char *const labels[] = {
		"(",
		"Backtrace:",
		"Backtrace",
		"Call stack:",
		"Call Stack:",
		"Call stack",
		"Stack trace:",
		"callStackSymbols:",
		"\xe5\xa0\x86\xe6\xa0\x88\xef\xbc\x9a", // 堆栈：
		"\xe5\xa0\x86\xe6\xa0\x88:",
	};

	line = text_trim(line);
	for (size_t i = 0; i < ARRAY_SIZE(labels); i++)
		if (text_is(line, labels[i]))
			return true;
	// A line across, below "Backtrace".
	return text_starts(line, "====") &&
	       text_count_char(line, '=') == line.size;
}

/** A frame, or lines between a headline and its frames. */
static bool read_frames(struct crash_text_reader *reader, struct text line)
{
	struct text message = log_prefix_message(line);
	struct frame_line frame;

	if (is_frames_label(message)) {
		begin_frames(reader);
		line_reader_keep(&reader->text, line.data);
		return true;
	}
	if (!is_frame(message, &frame))
		return false;
	begin_frames(reader);
	return crash_text_stack_line(reader, without_at(message));
}

/** The text has no other number for the thread. */
static void read_thread_id(struct text field, struct report_thread *thread)
{
	thread->has_id = number_decimal(field, &thread->id);
	if (thread->has_id)
		thread->number = thread->id;
}

/** `PID: 612, TID: 12345, Thread name: (none), Queue name: q, QoS: 21`. */
static bool read_thread_line(struct crash_text_reader *reader, struct text line)
{
	static const char tid[] = "TID: ", name[] = "Thread name: ",
	                  queue[] = "Queue name: ";
	struct report *report = reader->text.report;
	struct report_thread *thread;
	struct text rest = log_prefix_message(line);

	if (!is_checker(reader->headline) || !text_take(&rest, "PID: "))
		return false;
	thread = add_thread(reader);
	report->process.has_pid |=
	        number_decimal(text_first(rest, text_find_char(rest, ',')),
	                       &report->process.pid);
	while (rest.size) {
		size_t end = text_find(rest, ", ");
		struct text field = text_first(rest, end);

		if (text_take(&field, tid))
			read_thread_id(field, thread);
		else if (text_take(&field, name) && !text_is(field, "(none)"))
			thread->name = arena_text(reader->text.arena, field);
		else if (text_take(&field, queue))
			thread->queue = arena_text(reader->text.arena, field);
		rest = end == TEXT_NOWHERE ? TEXT_NONE
		                           : text_after(rest, end + 2);
	}
	str_add_char(&reader->block, '\n');
	str_add_text(&reader->block, line);
	line_reader_keep(&reader->text, line.data);
	return true;
}

/** Does the line continue the headline? */
static bool goes_on(const struct crash_text_reader *reader, struct text line)
{
	if (log_prefix_of(line).size ||
	    text_starts(line, "*** First throw call stack:") ||
	    text_starts(line, "libc++abi") ||
	    reader->headline_lines > REASON_LINES_MAX ||
	    reader->block.size > REASON_BYTES_MAX)
		return false;
	if (reader->headline == HEADLINE_OBJC)
		return is_open_reason(reader) || is_open_name(reader);
	if (reader->headline == HEADLINE_KOTLIN)
		return true;
	return reader->headline == HEADLINE_DYLD && text_is_space(line.data[0]);
}

static bool read_block_line(struct crash_text_reader *reader, struct text line)
{
	if (read_frames(reader, line) || read_thread_line(reader, line))
		return true;
	if (!goes_on(reader, line)) {
		crash_text_end_part(reader);
		return false;
	}
	reader->headline_lines++;
	reader->is_wrapped |= is_open_name(reader);
	str_add_char(&reader->block, reader->is_wrapped ? ' ' : '\n');
	str_add_text(&reader->block,
	             reader->is_wrapped ? text_trim(line) : line);
	line_reader_keep(&reader->text, line.data);
	return true;
}

bool crash_text_console_blank(struct crash_text_reader *reader)
{
	if (!is_open_reason(reader))
		return false;
	str_add_char(&reader->block, '\n');
	return true;
}

/** A frame below others, with a prefix of a log or runtime. */
static bool read_stack_line(struct crash_text_reader *reader, struct text line)
{
	struct text message = log_prefix_message(line);
	struct text rest = without_at(message);

	return rest.data != line.data && crash_text_stack_line(reader, rest);
}

/** The cause of the exception has frames of its own. */
static void begin_cause(struct crash_text_reader *reader, struct text line)
{
	struct arena *arena = reader->text.arena;
	struct report_stack *stack =
	        report_add_app_backtrace(reader->text.report, arena);

	stack->title = arena_text(arena, text_trim(line));
	crash_text_begin_stack(reader, stack);
}

/** Another line of the log: no frame follows. */
static bool read_stack_end(struct crash_text_reader *reader, struct text line)
{
	struct headline headline = { 0 };
	struct frame_line frame;

	if (!reader->stack || !reader->stack->count ||
	    is_frame(log_prefix_message(line), &frame) ||
	    headline_find(line, &headline) ||
	    !(log_prefix_of(line).size || text_starts(line, "Caused by: ")))
		return false;
	crash_text_end_part(reader);
	if (text_starts(line, "Caused by: "))
		begin_cause(reader, line);
	line_reader_keep_unread(&reader->text, line.data);
	return true;
}

/** `2026-11-01 … Demo[612:1] *** First throw call stack:`. */
static bool read_prefixed_label(struct crash_text_reader *reader,
                                struct text line)
{
	struct text message = log_prefix_message(line);

	if (message.data == line.data ||
	    !text_starts(message, "*** First throw call stack:"))
		return false;
	reader->is_console = true;
	begin_frames(reader);
	line_reader_keep(&reader->text, line.data);
	return true;
}

bool crash_text_console_line(struct crash_text_reader *reader, struct text line)
{
	struct headline headline = { 0 };

	if (reader->part == CRASH_TEXT_REST ||
	    (!reader->is_console && is_whole_report(reader->text.report)))
		return false;
	if (reader->part == CRASH_TEXT_STACK && reader->is_console &&
	    (read_stack_line(reader, line) || read_stack_end(reader, line)))
		return true;
	if (!is_open_reason(reader) || log_prefix_of(line).size) {
		if ((headline_find(line, &headline) && headline.is_apple &&
		     (!headline.needs_frames || reader->takes_bare_fatal)) ||
		    (reader->takes_inner &&
		     find_inner(line, true, &headline))) {
			begin_headline(reader, line, &headline);
			return true;
		}
	}
	if (read_prefixed_label(reader, line))
		return true;
	return reader->part == CRASH_TEXT_HEADLINE &&
	       read_block_line(reader, line);
}

/** Count addresses without any other data. */
static void count_bare(struct report_stack *stack, void *context)
{
	size_t *count = context;

	for (size_t i = 0; i < stack->count; i++)
		*count += stack->frames[i].address &&
		          !stack->frames[i].image_name &&
		          !stack->frames[i].call_count;
}

/** `(0x18fbd65ec 0x…)`: needs a list of images. */
static void note_bare(struct report *report, struct arena *arena)
{
	size_t count = 0;

	report_each_stack(report, count_bare, &count);
	if (count)
		report_add_note(
		        report, arena, "frames",
		        arena_printf(arena,
		                     "%zu address%s without images: add the "
		                     "'Binary Images:' of a report of the same "
		                     "run below them",
		                     count, count == 1 ? "" : "es"));
}

/**
 * Kernel messages are about other processes: use the first one if there is no
 * other failure.
 */
static void take_killed(struct crash_text_reader *reader)
{
	struct report *report = reader->text.report;
	const char *text = report_section(report, "Headline");
	struct headline headline = { 0 };

	if (!reader->has_others && text &&
	    headline_find(text_from(text), &headline))
		take_process(report, reader->text.arena, &headline.prefix);
}

void crash_text_console_finish(struct crash_text_reader *reader)
{
	struct report *report = reader->text.report;

	if (!reader->is_console) {
		// An excerpt without any data about the app.
		if (!report->image_count && !report->process.name &&
		    !report->identifier && !report->path)
			text_program_mark_frames(report);
		return;
	}
	take_killed(reader);
	if (reader->headline != HEADLINE_OBJC &&
	    reader->headline != HEADLINE_CPP &&
	    reader->headline != HEADLINE_KOTLIN)
		report->exception_backtrace.title = "the backtrace";
	if (report->image_count)
		return;
	text_program_mark_frames(report);
	note_bare(report, reader->text.arena);
}

// SPDX-License-Identifier: MIT
/*
 * Copies from lldb (apmtool-formats(5)): `bt`, `thread backtrace all`, the
 * lines of a stop, and `image list`; and from Xcode: the reason of a stop, and
 * its stack.
 */
#include "lib/base/limit.h"
#include "lib/base/map.h"
#include "lib/base/number.h"
#include "lib/base/sorted.h"
#include "lib/darwin/headline.h"
#include "parsers/lldb/frame_line.h"
#include "parsers/lldb/stop_reason.h"
#include "parsers/reader.h"
#include "parsers/text/line_reader.h"
#include "parsers/text/program.h"

#include <string.h>

// A session may be long before the program stops.
#define SNIFF_LINES 4000

struct lldb_reader {
	struct line_reader text;
	struct map threads;           ///< of the report, by their numbers
	struct report_thread *thread; ///< NULL: none, or over the limit
	bool in_threads;              ///< below a line of a thread
	bool is_xcode;                ///< the line was Xcode's
	bool has_stopped;             ///< a stop reason was read
	bool is_open; ///< the last frame is inlined into the next one
	/** The only frame of a stopped thread, and its text. */
	size_t stop_line;
	const char *stop_text;
};

// Threads

/** `* thread #1, queue = 'com.apple.main-thread', stop reason = …` */
struct thread_label {
	bool is_selected;
	uint64_t number;
	struct text queue;
	struct text name;
	struct text reason;
};

/** The text between quotes after `queue = `. */
static struct text quoted(struct text line, const char *label)
{
	size_t at = text_find(line, label);
	struct text rest;

	if (at == TEXT_NOWHERE)
		return TEXT_NONE;
	rest = text_after(line, at + strlen(label));
	if (!text_take(&rest, "'"))
		return TEXT_NONE;
	return text_first(rest, text_find_char(rest, '\''));
}

static bool parse_thread(struct text line, struct thread_label *ret)
{
	static const char reason[] = "stop reason = ";
	struct text rest = text_trim(line);
	size_t at;

	ret->is_selected = text_take(&rest, "* ");
	rest = text_trim_left(rest);
	if (!text_take(&rest, "thread #"))
		return false;
	if (!number_decimal(text_take_digits(&rest), &ret->number))
		return false;
	if (rest.size && rest.data[0] != ',' && rest.data[0] != ':')
		return false;
	at = text_find(rest, reason);
	ret->reason = at == TEXT_NOWHERE
	                      ? TEXT_NONE
	                      : text_after(rest, at + strlen(reason));
	rest = text_first(rest, at);
	ret->queue = quoted(rest, "queue = ");
	ret->name = quoted(rest, "name = ");
	return true;
}

/** Debuggers also stop without a failure. */
static bool is_failure(struct text reason)
{
	static const char *const others[] = {
		"breakpoint", "step ",          "instruction step",
		"watchpoint", "signal SIGSTOP", "signal SIGINT",
		"trace",      "exec",
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (text_starts(reason, others[i]))
			return false;
	return reason.size > 0;
}

static uint64_t hash_thread(uint64_t seed, const void *key)
{
	const uint64_t *number = key;

	return map_hash_number(seed, *number);
}

static bool is_thread(const void *table, uint32_t index, const void *key)
{
	const struct report *report = table;
	const uint64_t *number = key;

	return report->threads[index]->number == *number;
}

static const struct map_keys thread_keys = { hash_thread, is_thread };

/** Xcode's message at a stopped source line. */
static bool is_xcode_reason(struct text reason)
{
	struct text rest = reason;

	if (text_starts(reason, "EXC_"))
		return text_find(reason, " (") != TEXT_NOWHERE;
	if (text_take(&rest, "\""))
		return text_ends(rest, "\"") && rest.size > 1;
	return text_starts(reason, "signal SIG") ||
	       text_starts(reason, "Fatal error: ") ||
	       text_starts(reason, "Swift runtime failure: ");
}

/**
 * `Thread 1: EXC_BAD_ACCESS (code=1, address=0x10)`, and above a stack
 * `Thread 1 Queue : com.apple.main-thread (serial)`.
 */
static bool parse_xcode_thread(struct text line, struct thread_label *ret)
{
	struct thread_label label = {
		.is_selected = true,
		.queue = TEXT_NONE,
		.name = TEXT_NONE,
		.reason = TEXT_NONE,
	};
	struct text rest = text_trim(line);

	if (!text_take(&rest, "Thread ") ||
	    !number_decimal(text_take_digits(&rest), &label.number))
		return false;
	if (text_take(&rest, ": ")) {
		label.reason = text_trim(rest);
		if (!is_xcode_reason(label.reason))
			return false;
	} else if (text_take(&rest, " Queue : ")) {
		label.queue = text_first(rest, text_find_last(rest, " ("));
	} else {
		return false;
	}
	*ret = label;
	return true;
}

/** lldb repeats a thread: at the stop, and for each `bt`. */
static struct report_thread *find_thread(struct lldb_reader *reader,
                                         uint64_t number)
{
	struct report *report = reader->text.report;
	uint32_t at = map_find(&reader->threads, &thread_keys, report, &number);

	return at == MAP_NONE ? NULL : report->threads[at];
}

static struct report_thread *begin_thread(struct lldb_reader *reader,
                                          uint64_t number)
{
	struct report *report = reader->text.report;
	struct report_thread *thread = find_thread(reader, number);

	reader->in_threads = true;
	reader->is_open = false;
	reader->thread = thread;
	if (thread)
		return thread;
	if (report->thread_count == limit_get(LIMIT_THREADS)) {
		line_reader_flaw(&reader->text, LINE_FLAW_THREAD_LIMIT);
		return NULL;
	}
	map_add(&reader->threads, &thread_keys, report, &number,
	        report->thread_count);
	thread = report_add_thread(report, reader->text.arena);
	thread->number = number;
	reader->thread = thread;
	return thread;
}

static void set_crashed(struct report *report, struct report_thread *thread)
{
	thread->crashed = true;
	report->has_triggered_thread = true;
	report->triggered_thread = thread->number;
}

static void set_stopped(struct lldb_reader *reader,
                        struct report_thread *thread, struct text reason)
{
	struct report *report = reader->text.report;

	if (reader->has_stopped || !is_failure(reason))
		return;
	reader->has_stopped = true;
	set_crashed(report, thread);
	lldb_set_stop_reason(report, reader->text.arena, reason);
}

static bool read_thread(struct lldb_reader *reader, struct text line)
{
	struct arena *arena = reader->text.arena;
	struct thread_label label;
	struct report_thread *thread;
	bool is_xcode = parse_xcode_thread(line, &label);

	if (!is_xcode && !parse_thread(line, &label))
		return false;
	reader->is_xcode = is_xcode;
	thread = begin_thread(reader, label.number);
	if (thread && label.queue.size && !thread->queue)
		thread->queue = arena_text(arena, label.queue);
	if (thread && label.name.size && !thread->name)
		thread->name = arena_text(arena, label.name);
	if (thread)
		set_stopped(reader, thread, label.reason);
	line_reader_keep(&reader->text, line.data);
	return true;
}

// Frames

static void add_call(struct report_frame *frame,
                     const struct lldb_frame_line *line, struct arena *arena)
{
	struct report_call *calls =
	        arena_array(arena, frame->call_count + 1, sizeof(*calls));
	struct report_call *call = &calls[frame->call_count];
	size_t slash = text_find_last_char(line->path, '/');

	if (frame->call_count)
		memcpy(calls, frame->calls, frame->call_count * sizeof(*calls));
	frame->calls = calls;
	frame->call_count++;
	frame->source = REPORT_SOURCE_REPORT;
	call->symbol = arena_text(arena, line->symbol);
	call->has_symbol_offset = line->has_symbol_offset;
	call->symbol_offset = line->symbol_offset;
	call->has_line = line->has_line;
	call->line = line->line;
	call->column = line->column;
	call->verbatim = arena_text(arena, text_trim_right(line->what));
	if (!line->path.size)
		return;
	if (slash == TEXT_NOWHERE) {
		call->file = arena_text(arena, line->path);
	} else {
		call->path = arena_text(arena, line->path);
		call->file = call->path + slash + 1;
	}
}

/** Max calls inlined into one function; more is damage. */
#define CHAIN_LIMIT 64

/** The frame that a call continues, or a new one. */
static struct report_frame *frame_of(struct lldb_reader *reader,
                                     const struct lldb_frame_line *line)
{
	struct report_stack *stack = &reader->thread->stack;
	struct report_frame *last =
	        stack->count ? &stack->frames[stack->count - 1] : NULL;

	if (last && reader->is_open && last->call_count < CHAIN_LIMIT &&
	    last->address == line->address)
		return last;
	if (!stack->count)
		stack->all_return_addresses = line->index > 0;
	last = report_add_frame(stack, reader->text.arena);
	last->address = line->address;
	last->index = line->index;
	return last;
}

static void add_frame(struct lldb_reader *reader,
                      const struct lldb_frame_line *line)
{
	struct arena *arena = reader->text.arena;
	struct report_frame *frame = frame_of(reader, line);

	frame->line_count++;
	frame->columns = arena_text(arena, line->columns);
	if (line->image.size)
		frame->image_name = arena_text(arena, line->image);
	if (line->symbol.size)
		add_call(frame, line, arena);
	else if (!frame->call_count)
		frame->verbatim =
		        arena_text(arena, text_trim_right(line->what));
	reader->is_open = line->inlined;
}

/** The frame was already printed by the stop, or by an earlier `bt`. */
static bool is_repeated(const struct lldb_reader *reader,
                        const struct lldb_frame_line *line)
{
	const struct report_stack *stack = &reader->thread->stack;
	const struct report_frame *last =
	        stack->count ? &stack->frames[stack->count - 1] : NULL;

	return last && line->index < last->index + last->line_count;
}

/** Keep the indent of the paste, without the mark of a selected frame. */
static void set_prefix(struct report_stack *stack, struct text line,
                       struct arena *arena)
{
	size_t at = text_find_char(line, '#');
	char *prefix = arena_text(arena, text_first(line, at + 1));

	for (size_t i = 0; i < at; i++)
		if (prefix[i] == '*')
			prefix[i] = ' ';
	stack->index_prefix = prefix;
	stack->selected = UINT64_MAX;
}

/** The backtrace repeats the frame of the stop, which then is text. */
static void drop_stop(struct lldb_reader *reader,
                      const struct lldb_frame_line *line)
{
	struct report *report = reader->text.report;
	struct report_stack *stack = &reader->thread->stack;

	if (line->index || stack->count != 1 || !reader->stop_text ||
	    report->lines[reader->stop_line].stack != stack)
		return;
	report->lines[reader->stop_line] =
	        (struct report_line){ .text = reader->stop_text };
	*stack = (struct report_stack){ .count = 0 };
}

static bool read_frame(struct lldb_reader *reader, struct text line)
{
	struct lldb_frame_line frame;
	struct report_stack *stack;
	size_t count;

	if (!lldb_frame_parse(line, &frame) &&
	    !(reader->is_xcode && xcode_frame_parse(line, &frame)))
		return false;
	if (!reader->in_threads)
		begin_thread(reader, 1);
	if (!reader->thread)
		return false;
	drop_stop(reader, &frame);
	stack = &reader->thread->stack;
	count = stack->count;
	if (is_repeated(reader, &frame) || count >= limit_get(LIMIT_FRAMES)) {
		if (count >= limit_get(LIMIT_FRAMES))
			line_reader_flaw(&reader->text, LINE_FLAW_FRAME_LIMIT);
		line_reader_keep(&reader->text, line.data);
		return true;
	}
	if (!count)
		set_prefix(stack, line, reader->text.arena);
	if (frame.is_selected)
		stack->selected = frame.index;
	add_frame(reader, &frame);
	line_reader_keep_frames(&reader->text, stack, count);
	if (!count) {
		reader->stop_line = reader->text.report->line_count - 1;
		reader->stop_text = line.data;
	}
	return true;
}

// Images and the process

/** `[  0] B5C1B2A8-… 0x0000000100e80000 /x/Demo` */
static bool parse_image(struct text line, struct arena *arena,
                        struct report_image *ret)
{
	struct report_image image = { 0 };
	struct text rest = text_trim(line);
	struct text word;
	size_t close = text_find_char(rest, ']');

	if (!text_take(&rest, "[") || close == TEXT_NOWHERE)
		return false;
	for (size_t i = 0; i + 1 < close; i++)
		if (!text_is_digit(rest.data[i]) && rest.data[i] != ' ')
			return false;
	rest = text_after(rest, close);
	if (!text_next_word(&rest, &word) || !uuid_parse(word, &image.uuid) ||
	    !text_next_word(&rest, &word) || !text_starts(word, "0x") ||
	    !number_hex(word, &image.base))
		return false;
	rest = text_trim(rest);
	// Image loaded from memory: `/usr/lib/dyld (0x0000000100e80000)`.
	if (text_ends(rest, ")") &&
	    text_find_last(rest, " (0x") != TEXT_NOWHERE)
		rest = text_first(rest, text_find_last(rest, " (0x"));
	if (!rest.size)
		return false;
	image.path = rest.data[0] == '/' ? arena_text(arena, rest) : NULL;
	image.name = arena_text(arena, text_base_name(rest));
	*ret = image;
	return true;
}

static bool read_image(struct lldb_reader *reader, struct text line)
{
	struct report *report = reader->text.report;
	struct report_image image;

	if (!parse_image(line, reader->text.arena, &image))
		return false;
	if (report->image_count == limit_get(LIMIT_IMAGES)) {
		line_reader_flaw(&reader->text, LINE_FLAW_IMAGE_LIMIT);
		line_reader_keep_unread(&reader->text, line.data);
		return true;
	}
	*report_add_image(report, reader->text.arena) = image;
	line_reader_keep(&reader->text, line.data);
	return true;
}

/** `Process 612 stopped`, `Target 0: (Demo) stopped.` */
static bool read_process(struct lldb_reader *reader, struct text line)
{
	struct report_process_ref *process = &reader->text.report->process;
	struct text rest = text_trim(line);
	size_t open = text_find(rest, ": (");
	uint64_t pid;

	if (text_take(&rest, "Process ")) {
		struct text word = text_first(rest, text_find_char(rest, ' '));

		if (!text_ends(rest, " stopped") || !number_decimal(word, &pid))
			return false;
		process->pid = pid;
		process->has_pid = true;
	} else if (text_starts(rest, "Target ") && open != TEXT_NOWHERE &&
	           text_ends(rest, ") stopped.")) {
		rest = text_after(rest, open + strlen(": ("));
		process->name = arena_text(
		        reader->text.arena,
		        text_first(rest, rest.size - strlen(") stopped.")));
	} else {
		return false;
	}
	line_reader_keep(&reader->text, line.data);
	return true;
}

/**
 * Read the console's message about the failure, above or below the backtraces.
 */
static void note_headline(struct lldb_reader *reader, struct text line)
{
	struct headline headline = { 0 };
	struct report *report = reader->text.report;

	if (report_section(report, "Headline") ||
	    !headline_find(line, &headline) || headline.needs_frames ||
	    !headline.is_apple || !headline.ends_process)
		return;
	report_add_section(report, reader->text.arena, "Headline",
	                   arena_text(reader->text.arena, headline.message));
}

static void read_line(struct text line, void *context)
{
	struct lldb_reader *reader = context;

	if (!text_trim(line).size) {
		line_reader_keep(&reader->text, line.data);
		return;
	}
	if (read_thread(reader, line) || read_frame(reader, line) ||
	    read_image(reader, line) || read_process(reader, line))
		return;
	note_headline(reader, line);
	line_reader_keep_unread(&reader->text, line.data);
}

// Reader

/** lldb does not print sizes of images: limit each to the next one. */
static void set_sizes(struct report *report, struct arena *arena)
{
	size_t count = report->image_count;
	uint64_t *bases = arena_array(arena, count, sizeof(*bases));

	for (size_t i = 0; i < count; i++)
		bases[i] = report->images[i].base;
	count = sorted_once(bases, count);
	for (size_t i = 0; i < report->image_count; i++) {
		struct report_image *image = &report->images[i];
		size_t next = SORTED_SKIP(k, count, bases[k] <= image->base);

		image->size = (next == count ? UINT64_MAX : bases[next]) -
		              image->base;
	}
}

/** A frame is in an image only if lldb names that image. */
static void drop_others(struct report_stack *stack, void *context)
{
	const struct report *report = context;

	for (size_t i = 0; i < stack->count; i++) {
		struct report_frame *frame = &stack->frames[i];
		const struct report_image *image =
		        report_frame_image(report, frame);

		if (!image || text_same(image->name, frame->image_name))
			continue;
		frame->image = REPORT_NO_IMAGE;
		frame->image_offset = 0;
	}
}

/** Min size of an image: up to its last frame. */
static void see_frames(struct report_stack *stack, void *context)
{
	struct report *report = context;

	for (size_t i = 0; i < stack->count; i++) {
		const struct report_frame *frame = &stack->frames[i];

		if (frame->image == REPORT_NO_IMAGE ||
		    report->images[frame->image].size > frame->image_offset)
			continue;
		report->images[frame->image].size = frame->image_offset + 1;
	}
}

static void place_frames(struct report *report, struct arena *arena)
{
	if (report->image_count)
		set_sizes(report, arena);
	report_place_frames(report);
	report_each_stack(report, drop_others, report);
	for (size_t i = 0; i < report->image_count; i++)
		report->images[i].size = 0;
	report_each_stack(report, see_frames, report);
}

static struct error *lldb_read(const struct envelope *envelope,
                               struct sink *sink)
{
	struct arena *arena = sink->arena;
	struct lldb_reader reader = {
		.text = { .arena = arena, .report = report_new(arena) },
	};
	struct report *report = reader.text.report;
	struct line_source source;

	report->format = lldb_reader.name;
	source = line_source_open(envelope->text, arena, report);
	line_reader_each(&reader.text, &source, read_line, &reader);
	map_release(&reader.threads);
	place_frames(report, arena);
	text_program_set(report);
	if (!report->image_count)
		text_program_mark_frames(report);
	line_reader_note_flaws(&reader.text);
	// Xcode copies the stack of the thread that stopped.
	if (reader.is_xcode && !reader.has_stopped && report->thread_count == 1)
		set_crashed(report, report->threads[0]);
	if (!report->thread_count && !report->image_count)
		return error_new(ERROR_FORMAT, "no frame of lldb found");
	sink_report(sink, report);
	return NULL;
}

/** The title of a stack that Xcode copied, with a frame below it in @p rest. */
static bool is_xcode_stack(const struct thread_label *label, struct text rest)
{
	struct lldb_frame_line frame;
	struct text next;

	return label->queue.size && text_next_line(&rest, &next) &&
	       xcode_frame_parse(next, &frame);
}

static bool lldb_sniff(const struct envelope *envelope)
{
	struct text in = envelope->text;
	struct text line;
	bool is_console = false;

	if (envelope->has_header || text_starts(text_trim_left(in), "{"))
		return false;
	for (size_t i = 0; i < SNIFF_LINES && text_next_line(&in, &line); i++) {
		struct thread_label label;
		struct lldb_frame_line frame;

		if (text_starts(line, "Incident Identifier:") ||
		    text_starts(line, "Report Version:"))
			return false;
		if (line.size &&
		    ((parse_thread(line, &label) && label.reason.size) ||
		     (lldb_frame_parse(line, &frame) && frame.has_address)))
			return true;
		if (!text_starts(line, "Thread ") ||
		    !parse_xcode_thread(line, &label))
			continue;
		if (is_xcode_stack(&label, in))
			return true;
		// A text with more than a reason is a console's: search it
		// once.
		if (label.reason.size && !is_console &&
		    !(is_console = headline_within(envelope->text)))
			return true;
	}
	return false;
}

const struct reader lldb_reader = {
	.name = "lldb",
	.summary = "backtraces of lldb, with its list of images or without",
	.yields = YIELDS_REPORTS,
	.sniff = lldb_sniff,
	.read = lldb_read,
};

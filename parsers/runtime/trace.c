// SPDX-License-Identifier: MIT
/*
 * Failures of runtimes other than Apple's: a headline (lib/darwin/headline.h)
 * and a stack trace (parsers/text/trace_line.h), with log lines around and
 * before. One reader for all: the runtime follows from the headline, else from
 * the frames.
 *
 * All lines are kept. The frames of a trace become a thread; most runtimes give
 * no image and no address.
 */
#include "lib/base/limit.h"
#include "lib/base/number.h"
#include "lib/base/str.h"
#include "parsers/json/shape.h"
#include "parsers/reader.h"
#include "parsers/text/line_reader.h"
#include "parsers/text/trace_line.h"

#include <string.h>

// A text must be recognizable in this part.
#define SNIFF_BYTES ((size_t)4 << 20)
// More lines of a message have lost its end.
#define MESSAGE_LINES_MAX 100

/** Evidence for each runtime. */
struct signs {
	bool is_sure[HEADLINE_KINDS];     ///< a headline that needs no frames
	bool is_doubtful[HEADLINE_KINDS]; ///< a headline that needs frames
	size_t frames[HEADLINE_KINDS];
	size_t decisive[HEADLINE_KINDS]; ///< frames like no other text's
	bool has_goroutine;
	bool has_backtrace; ///< `stack backtrace:`
	bool has_build_id;
	bool is_empty;
};

static void see_line(struct signs *signs, struct text line)
{
	struct text message = log_prefix_message(line);
	struct headline headline = { 0 };
	struct trace_line frame;

	if (headline_find(line, &headline)) {
		if (headline.needs_frames)
			signs->is_doubtful[headline.kind] = true;
		else
			signs->is_sure[headline.kind] = true;
		return;
	}
	signs->has_goroutine |= text_starts(message, "goroutine ") &&
	                        text_ends(text_trim_right(message), "]:");
	signs->has_backtrace |= text_starts(message, "stack backtrace:");
	signs->has_build_id |= text_starts(message, "build_id: '");
	for (size_t kind = 0; kind < HEADLINE_KINDS; kind++) {
		if (!trace_line_parse((enum headline_kind)kind, message,
		                      &frame))
			continue;
		signs->frames[kind]++;
		signs->decisive[kind] += frame.is_decisive;
	}
}

static struct signs see_text(struct text in)
{
	struct signs signs = { .is_empty = true };
	struct text rest = text_first(in, SNIFF_BYTES);
	struct text line;

	while (text_next_line(&rest, &line)) {
		if (!text_trim(line).size)
			continue;
		see_line(&signs, line);
		signs.is_empty = false;
	}
	return signs;
}

/** Do frames show the runtime, if no certain headline does? */
static bool is_by_frames(const struct signs *signs, enum headline_kind kind)
{
	// Names of types are the same in several languages.
	bool has_type = signs->is_doubtful[HEADLINE_JAVASCRIPT] ||
	                signs->is_doubtful[HEADLINE_DOTNET];

	switch (kind) {
	case HEADLINE_GO:
		return signs->has_goroutine &&
		       (signs->is_doubtful[kind] || signs->frames[kind]);
	case HEADLINE_RUST:
		return signs->has_backtrace && signs->frames[kind];
	case HEADLINE_DART:
		return signs->decisive[kind] || signs->has_build_id;
	case HEADLINE_DOTNET:
		return has_type && signs->decisive[kind];
	case HEADLINE_JAVASCRIPT:
		return signs->decisive[kind] ||
		       (has_type && signs->frames[kind]);
	default:
		return false;
	}
}

/** The runtime of the text; false without one. */
static bool find_runtime(const struct signs *signs, enum headline_kind *ret)
{
	// The more special grammar first.
	static const enum headline_kind kinds[] = {
		HEADLINE_SANITIZER,  HEADLINE_MONO, HEADLINE_GO,
		HEADLINE_RUST,       HEADLINE_DART, HEADLINE_DOTNET,
		HEADLINE_JAVASCRIPT,
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		*ret = kinds[i];
		if (signs->is_sure[kinds[i]])
			return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		*ret = kinds[i];
		if (is_by_frames(signs, kinds[i]))
			return true;
	}
	return false;
}

// Reading

struct trace_reader {
	struct line_reader text;
	enum headline_kind runtime;
	struct report_thread *thread; ///< receives frames; or NULL
	bool has_headline;
	bool is_in_message; ///< the next line may continue the headline
	size_t message_lines;
	struct str headline;   ///< its lines
	struct headline best;  ///< its texts are in the arena
	const char *next_name; ///< name of the next frames' thread
	uint64_t next_number;
	bool has_next;
	bool is_limited; ///< a note about the limit was added
};

static struct report_thread *begin_thread(struct trace_reader *reader)
{
	struct report *report = reader->text.report;
	struct report_thread *thread;

	if (report->thread_count >= limit_get(LIMIT_THREADS)) {
		line_reader_flaw(&reader->text, LINE_FLAW_THREAD_LIMIT);
		return reader->thread;
	}
	thread = report_add_thread(report, reader->text.arena);
	thread->number = report->thread_count - 1;
	if (reader->has_next && reader->runtime == HEADLINE_GO)
		thread->number = reader->next_number;
	thread->name = reader->next_name;
	thread->crashed = report->thread_count == 1;
	reader->has_next = false;
	reader->next_name = NULL;
	reader->thread = thread;
	return thread;
}

/** A line between traces names the next one. */
static void name_next(struct trace_reader *reader, struct text name)
{
	reader->next_name = arena_text(reader->text.arena, text_trim(name));
	reader->has_next = true;
}

/** `goroutine 1 [running]:`, `freed by thread T0 here:`. */
static bool read_title(struct trace_reader *reader, struct text message)
{
	struct text rest = message;

	if (reader->runtime == HEADLINE_GO && text_take(&rest, "goroutine ")) {
		if (!number_decimal(text_take_digits(&rest),
		                    &reader->next_number))
			return false;
		name_next(reader, text_first(message, text_find_last_char(
		                                              message, ':')));
		return true;
	}
	if (reader->runtime != HEADLINE_SANITIZER)
		return false;
	rest = text_trim(message);
	if (!text_ends(rest, " here:") && !text_ends(rest, " at:") &&
	    !text_ends(rest, "(mutexes: write M0):"))
		return false;
	name_next(reader, text_first(rest, rest.size - 1));
	return true;
}

/** Does the frame begin another trace? */
static bool begins_thread(const struct trace_reader *reader,
                          const struct trace_line *frame)
{
	return !reader->thread || reader->has_next ||
	       (frame->has_index && !frame->index &&
	        reader->thread->stack.count);
}

/**
 * Offset of a sanitizer's frame in its image: programs are linked above 4 GB,
 * libraries at 0. Without a UUID the image is unknown.
 */
static void place_frame(struct trace_reader *reader,
                        const struct trace_line *line)
{
	const uint64_t program = UINT64_C(1) << 32;
	struct report_stack *stack = &reader->thread->stack;
	struct report_frame *frame = &stack->frames[stack->count - 1];
	uint64_t offset = line->linked >= program ? line->linked - program
	                                          : line->linked;

	if (line->has_linked && line->has_address && frame->image_name &&
	    offset < line->address && line->linked < program << 1 &&
	    (line->address - offset) % 4096 == 0)
		frame->image_offset = offset;
}

static void note_limit(struct trace_reader *reader)
{
	if (reader->is_limited)
		return;
	reader->is_limited = true;
	line_reader_note(&reader->text,
	                 "the trace has more frames than may be read; its "
	                 "other lines are kept as text%s",
	                 limit_hint(LIMIT_FRAMES));
}

static bool read_frame(struct trace_reader *reader, struct text message)
{
	struct trace_line line;
	size_t count;

	if (!trace_line_parse(reader->runtime, message, &line))
		return false;
	reader->is_in_message = false;
	if (line.is_place && !reader->thread)
		return false;
	if (!line.is_place && begins_thread(reader, &line) &&
	    !begin_thread(reader))
		return false;
	count = reader->thread->stack.count;
	if (!trace_line_add(&reader->thread->stack, &line, message,
	                    reader->text.arena)) {
		note_limit(reader);
		return false;
	}
	if (reader->thread->stack.count > count)
		place_frame(reader, &line);
	return true;
}

/** Facts of the report outside of frames. */
static void read_fact(struct trace_reader *reader, struct text message)
{
	struct report *report = reader->text.report;
	struct arena *arena = reader->text.arena;
	struct text rest = message;
	size_t end;

	// `Got a SIGSEGV while …`, `[signal SIGSEGV: …`.
	if (!report->exception.signal && (text_take(&rest, "Got a SIG") ||
	                                  text_take(&rest, "[signal SIG"))) {
		for (end = 0; end < rest.size && text_is_alnum(rest.data[end]);)
			end++;
		report->exception.signal = arena_printf(
		        arena, "SIG%.*s", TEXT_ARGS(text_first(rest, end)));
	}
	if (reader->runtime != HEADLINE_DART)
		return;
	if (text_take(&rest, "build_id: '"))
		report_add_field(
		        report, arena, "Build ID",
		        arena_text(
		                arena,
		                text_first(rest, text_find_char(rest, '\''))));
	else if (text_take(&rest, "os: "))
		report_add_field(report, arena, "Dart",
		                 arena_text(arena, text_trim(message)));
}

/** Its texts are of a line: copy them. */
static void keep_best(struct trace_reader *reader,
                      const struct headline *headline)
{
	struct arena *arena = reader->text.arena;
	struct report *report = reader->text.report;

	reader->best = *headline;
	reader->best.name = text_from(arena_text(arena, headline->name));
	reader->best.reason = text_from(arena_text(arena, headline->reason));
	str_clear(&reader->headline);
	str_add_text(&reader->headline, headline->message);
	reader->has_headline = true;
	reader->is_in_message = true;
	reader->message_lines = 0;
	if (headline->prefix.has_pid && headline->prefix.process.size &&
	    reader->runtime != HEADLINE_JAVASCRIPT && !report->process.name) {
		report->process.name =
		        arena_text(arena, headline->prefix.process);
		report->process.pid = headline->prefix.pid;
		report->process.has_pid = true;
	}
}

static bool is_of_runtime(const struct trace_reader *reader,
                          const struct headline *headline)
{
	bool is_type = headline->kind == HEADLINE_JAVASCRIPT ||
	               headline->kind == HEADLINE_DOTNET;

	if (headline->kind == reader->runtime)
		return true;
	return headline->needs_frames && is_type &&
	       (reader->runtime == HEADLINE_JAVASCRIPT ||
	        reader->runtime == HEADLINE_DOTNET);
}

/** Mono announces an exception in one line, and names it in the next. */
static bool only_announces(const struct trace_reader *reader)
{
	return reader->is_in_message && !reader->message_lines &&
	       !reader->best.name.size && !reader->best.reason.size;
}

/** A later headline only replaces a less certain or empty one. */
static bool read_headline(struct trace_reader *reader, struct text line)
{
	struct headline headline = { 0 };

	if (!headline_find(line, &headline) ||
	    !is_of_runtime(reader, &headline))
		return false;
	if (!reader->has_headline || only_announces(reader) ||
	    (reader->best.needs_frames && !headline.needs_frames &&
	     !reader->thread))
		keep_best(reader, &headline);
	return true;
}

/** Lines between headline and frames continue the message. */
static void read_more(struct trace_reader *reader, struct text message)
{
	static const char *const ends[] = { "stack backtrace:", "note: ",
		                            "goroutine ", "====", "[signal " };

	if (!reader->is_in_message)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (text_starts(message, ends[i]))
			reader->is_in_message = false;
	if (!reader->is_in_message ||
	    reader->message_lines++ == MESSAGE_LINES_MAX) {
		reader->is_in_message = false;
		return;
	}
	str_add_char(&reader->headline, '\n');
	str_add_text(&reader->headline, message);
}

static void read_trace_line(struct text line, void *context)
{
	struct trace_reader *reader = context;
	struct text message = log_prefix_message(line);

	if (!text_trim(message).size) {
		reader->is_in_message = false;
	} else if (read_headline(reader, line)) {
		read_fact(reader, message);
	} else if (read_title(reader, message)) {
		reader->is_in_message = false;
	} else if (!read_frame(reader, message)) {
		read_fact(reader, message);
		read_more(reader, message);
		if (!reader->is_in_message) {
			line_reader_keep_unread(&reader->text, line.data);
			return;
		}
	}
	line_reader_keep(&reader->text, line.data);
}

// The whole

static void keep_thrown(struct trace_reader *reader)
{
	struct report *report = reader->text.report;
	struct arena *arena = reader->text.arena;
	struct text all = text_trim(str_text(&reader->headline));
	size_t end = text_find_char(all, '\n');
	struct text more = end == TEXT_NOWHERE ? TEXT_NONE
	                                       : text_after(all, end + 1);

	report_add_section(report, arena, "Headline", arena_text(arena, all));
	report->thrown.kind = headline_word(reader->runtime);
	if (reader->best.name.size)
		report->thrown.name = reader->best.name.data;
	// Rust prints the place first, and the message on the next line.
	report->thrown.reason = reader->best.reason.size
	                                ? arena_printf(arena, "%s%s%.*s",
	                                               reader->best.reason.data,
	                                               more.size ? "\n" : "",
	                                               TEXT_ARGS(more))
	                                : arena_text(arena, more);
}

static void finish(struct trace_reader *reader)
{
	struct report *report = reader->text.report;

	if (reader->has_headline)
		keep_thrown(reader);
	else
		report->thrown.kind = headline_word(reader->runtime);
	line_reader_note_flaws(&reader->text);
	str_release(&reader->headline);
}

static struct error *trace_read(const struct envelope *in, struct sink *sink)
{
	struct trace_reader reader = {
		.text = { .arena = sink->arena,
		          .report = report_new(sink->arena) },
	};
	struct signs signs = see_text(in->text);
	struct report *report = reader.text.report;
	struct line_source source;

	if (!find_runtime(&signs, &reader.runtime))
		return error_new(ERROR_FORMAT, "no trace of a runtime found");
	report->format = runtime_trace_reader.name;
	source = line_source_open(in->text, sink->arena, report);
	line_reader_each(&reader.text, &source, read_trace_line, &reader);
	finish(&reader);
	sink_report(sink, report);
	return NULL;
}

static bool trace_sniff(const struct envelope *in)
{
	struct text text = text_trim_left(in->text);
	enum headline_kind kind;
	struct signs signs;

	if (in->is_whole_ips || !text.size || json_begins(text))
		return false;
	signs = see_text(in->text);
	return find_runtime(&signs, &kind);
}

const struct reader runtime_trace_reader = {
	.name = "runtime-trace",
	.summary = "traces of other runtimes: JavaScript, Dart, .NET, Mono, "
	           "Unity, Go, Rust, sanitizers",
	.yields = YIELDS_REPORTS,
	.sniff = trace_sniff,
	.read = trace_read,
};

// SPDX-License-Identifier: MIT
/*
 * Backtraces of threads in the format of BSBacktraceLogger, also used by other
 * SDKs (apmtool-formats(5)): `Backtrace of Thread 771:`, then frames `IMAGE
 * 0xADDRESS SYMBOL + OFFSET`, usually without a number. For unnamed code, the
 * symbol is the load address of the image.
 */
#include "lib/base/limit.h"
#include "parsers/reader.h"
#include "parsers/text/backtrace_title.h"
#include "parsers/text/frame_line.h"
#include "parsers/text/line_reader.h"
#include "parsers/text/program.h"
#include "parsers/text/stack_line.h"

#define SNIFF_BYTES ((size_t)256 << 10)
#define SNIFF_LINES 4000
// Width of a number that the text omits.
#define INDEX_COLUMNS 4

struct backtraces_reader {
	struct line_reader text;
	struct report_stack *stack; ///< NULL: no frames may follow
	size_t too_deep;            ///< frames over the limit
};

static struct text with_index(struct text line, size_t index,
                              struct arena *arena)
{
	SCOPED(str_release) struct str whole = { 0 };

	str_addf(&whole, "%-*zu", INDEX_COLUMNS, index);
	str_add_text(&whole, line);
	return (struct text){ arena_text(arena, str_text(&whole)), whole.size };
}

/**
 * Parse a frame with or without a number. Without one, the frame gets @p index,
 * in a copy of the line in @p arena.
 */
static bool parse_frame(struct text line, size_t index, struct arena *arena,
                        struct frame_line *ret)
{
	line = text_trim(line);
	if (!line.size)
		return false;
	if ((!text_is_digit(line.data[0]) || !frame_line_parse(line, ret)) &&
	    !frame_line_parse(with_index(line, index, arena), ret))
		return false;
	return ret->has_address && ret->image.size && ret->what.size;
}

static void begin_thread(struct backtraces_reader *r,
                         const struct backtrace_title *title)
{
	struct report *report = r->text.report;
	struct report_thread *thread;

	r->stack = NULL;
	if (title->process.size && !report->process.name)
		report->process.name =
		        arena_text(r->text.arena, title->process);
	if (report->thread_count == limit_get(LIMIT_THREADS)) {
		line_reader_flaw(&r->text, LINE_FLAW_THREAD_LIMIT);
		return;
	}
	thread = report_add_thread(report, r->text.arena);
	// The text has its port number, which gives no order.
	thread->number = report->thread_count - 1;
	thread->id = title->number;
	thread->has_id = true;
	if (title->name.size)
		thread->name = arena_text(r->text.arena, title->name);
	r->stack = &thread->stack;
}

static bool read_frame(struct backtraces_reader *r, struct text line)
{
	struct frame_line frame;
	size_t count;

	if (!r->stack ||
	    !parse_frame(line, r->stack->count, r->text.arena, &frame))
		return false;
	count = r->stack->count;
	if (count >= limit_get(LIMIT_FRAMES)) {
		r->too_deep++;
		line_reader_keep_unread(&r->text, line.data);
		return true;
	}
	stack_add_line(r->stack, &frame, r->text.arena);
	line_reader_keep_frames(&r->text, r->stack, count);
	return true;
}

static void read_line(struct text line, void *context)
{
	struct backtraces_reader *r = context;
	struct backtrace_title title;

	if (!text_trim(line).size || backtrace_title_is_rule(line)) {
		line_reader_keep(&r->text, line.data);
	} else if (backtrace_title_parse(line, &title)) {
		begin_thread(r, &title);
		line_reader_keep(&r->text, line.data);
	} else if (!read_frame(r, line)) {
		// The next frames belong to something else.
		if (r->stack && r->stack->count)
			r->stack = NULL;
		line_reader_keep_unread(&r->text, line.data);
	}
}

static bool backtraces_sniff(const struct envelope *envelope)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct text rest = text_first(envelope->text, SNIFF_BYTES);
	struct text line;
	bool below = false;

	for (size_t i = 0; i < SNIFF_LINES && text_next_line(&rest, &line);
	     i++) {
		struct backtrace_title title;
		struct frame_line frame;

		if (backtrace_title_parse(line, &title))
			below = true;
		else if (below && text_trim(line).size &&
		         !backtrace_title_is_rule(line)) {
			if (parse_frame(line, 0, &arena, &frame))
				return true;
			below = false;
		}
	}
	return false;
}

static struct error *backtraces_read(const struct envelope *in,
                                     struct sink *sink)
{
	struct arena *arena = sink->arena;
	struct report *report = report_new(arena);
	struct backtraces_reader r = {
		.text = { .arena = arena, .report = report },
	};
	struct line_source source = line_source_open(in->text, arena, report);

	report->format = backtraces_reader.name;
	report->kind = "list of backtraces";
	report->sample_kind = SAMPLE_KIND_STALL;
	line_reader_each(&r.text, &source, read_line, &r);
	report_place_frames(report);
	text_program_mark_frames(report);
	if (r.too_deep)
		line_reader_note(&r.text,
		                 "more than %zu frames in a thread%s; %zu "
		                 "frames are kept as text",
		                 limit_get(LIMIT_FRAMES),
		                 limit_hint(LIMIT_FRAMES), r.too_deep);
	line_reader_note_flaws(&r.text);
	if (!report->thread_count)
		return error_new(ERROR_FORMAT, "no backtrace of a thread");
	sink_report(sink, report);
	return NULL;
}

const struct reader backtraces_reader = {
	.name = "backtraces",
	.summary = "backtraces of threads, as BSBacktraceLogger prints them",
	.yields = YIELDS_REPORTS,
	.sniff = backtraces_sniff,
	.read = backtraces_read,
};

// SPDX-License-Identifier: MIT
#include "formatters/html/document.h"
#include "formatters/html/parts.h"
#include "formatters/html/view.h"
#include "formatters/report/text/frames.h"

#include <inttypes.h>

/** Max inlined calls of a frame. */
#define CALLS_SHOWN 100

/** State of writing a stack. */
struct stack_view {
	struct report_view *view;
	const struct report_stack *stack;
	const char *id;
	size_t index;     ///< of the next line, as Apple's text numbers them
	size_t shift;     ///< lines of text added or removed by symbolication
	bool is_numbered; ///< by its text
	size_t omitted;   ///< frames since the last one shown
};

static const struct report *report_of(const struct stack_view *s)
{
	return s->view->report;
}

static size_t lines_of(const struct report_frame *frame)
{
	return frame->call_count ? frame->call_count : 1;
}

static const char *frame_id(const struct stack_view *s, size_t frame)
{
	struct str *id = &s->view->id;

	str_clear(id);
	str_addf(id, "%s-%zu", s->id, frame);
	return str_cstr(id);
}

static bool is_cited(const struct stack_view *s, size_t frame)
{
	return s->view->target_count &&
	       view_is_cited(s->view, frame_id(s, frame));
}

// One frame

static void add_place(const struct report_call *call, struct str *line)
{
	SCOPED(str_release) struct str place = { 0 };

	if (!call->file || !call->has_line)
		return;
	crash_text_add_place(call, &place);
	str_add(line, " <bdi class=\"place\"");
	if (call->path) {
		str_add(line, " title=\"");
		html_add(line, call->path);
		str_add(line, "\"");
	}
	str_add(line, ">");
	html_add_name(line, str_text(&place));
	str_add(line, "</bdi>");
}

static bool is_mismatch(enum report_source source)
{
	return source == REPORT_SOURCE_SYMTAB_MISMATCH ||
	       source == REPORT_SOURCE_DWARF_MISMATCH;
}

static void add_call(const struct stack_view *s,
                     const struct report_frame *frame,
                     const struct report_call *call, bool inlined)
{
	struct str *line = &s->view->line;

	str_add(line, "<span class=\"call\"><bdi class=\"symbol\">");
	html_add_name(line,
	              text_from(call->symbol ? call->symbol : call->verbatim));
	str_add(line, "</bdi>");
	if (call->symbol && call->has_symbol_offset)
		str_addf(line, " <span class=\"offset\">+ %" PRIu64 "</span>",
		         call->symbol_offset);
	if (call->symbol)
		add_place(call, line);
	if (inlined)
		str_add(line, " <span class=\"mark\">inlined</span>");
	if (is_mismatch(frame->source))
		str_add(line, " <span class=\"mark\">by a file of another "
		              "build</span>");
	str_add(line, "</span>");
}

/** The known data of a frame without a name. */
static void add_unnamed(const struct stack_view *s,
                        const struct report_frame *frame)
{
	struct str *line = &s->view->line;
	uint64_t base;

	str_add(line, "<span class=\"call unnamed\"><bdi class=\"symbol\">");
	if (report_frame_base(report_of(s), frame, &base)) {
		str_add_address(line, base, 0);
		str_addf(line, " + %" PRIu64, frame->image_offset);
	} else if (frame->verbatim) {
		html_add(line, frame->verbatim);
	} else {
		str_add_address(line, frame->address, 0);
	}
	str_add(line, "</bdi></span>");
}

/** Writes nothing for NULL. */
static void add_name(const char *name, struct str *line)
{
	if (name)
		html_add_name(line, text_from(name));
}

static void add_line(const struct stack_view *s,
                     const struct report_frame *frame, size_t call,
                     uint64_t index)
{
	struct str *line = &s->view->line;
	bool has_name =
	        call < frame->call_count &&
	        (frame->calls[call].symbol || frame->calls[call].verbatim);

	str_addf(line, "<span class=\"index\">%" PRIu64 "</span>", index);
	if (has_name)
		add_call(s, frame, &frame->calls[call],
		         call + 1 < frame->call_count);
	else
		add_unnamed(s, frame);
	str_add(line, "<bdi class=\"image\">");
	add_name(report_frame_image_name(report_of(s), frame), line);
	str_add(line, "</bdi><span class=\"address\">");
	str_add_address(line, frame->address, 0);
	str_add(line, "</span>");
}

/** The number of its first line; the next ones follow. */
static uint64_t take_index(struct stack_view *s,
                           const struct report_frame *frame)
{
	uint64_t index = s->is_numbered && frame->line_count
	                         ? frame->index + s->shift
	                         : s->index;

	s->index += lines_of(frame);
	if (frame->line_count)
		s->shift += lines_of(frame) - frame->line_count;
	return index;
}

void html_add_excerpt(const struct excerpt *excerpt, struct str *line)
{
	str_add(line, "<pre class=\"source\">");
	for (size_t i = 0; i < excerpt->count; i++) {
		bool is_it = excerpt->first + i == excerpt->line;

		str_addf(line, "%s<span>%5zu</span> ", is_it ? "<b>" : "",
		         excerpt->first + i);
		html_add(line, excerpt->lines[i]);
		str_addf(line, "%s\n", is_it ? "</b>" : "");
	}
	str_add(line, "</pre>");
}

/** Source lines around a call, if they were read. */
static void add_excerpt(const struct stack_view *s,
                        const struct report_call *call)
{
	const struct excerpt *found =
	        excerpts_find(s->view->excerpts, call->path, call->line);

	if (found && call->has_line)
		html_add_excerpt(found, &s->view->line);
}

static void add_frame(struct stack_view *s, size_t at)
{
	const struct report_frame *frame = &s->stack->frames[at];
	bool is_app = report_frame_is_app(report_of(s), frame);
	uint64_t index = take_index(s, frame);
	size_t lines = lines_of(frame);
	struct str *line = &s->view->line;

	str_addf(line, "<li class=\"%s\"", is_app ? "app" : "system");
	view_add_id(s->view, frame_id(s, at));
	str_add(line, ">");
	for (size_t i = 0; i < lines && i < CALLS_SHOWN; i++) {
		add_line(s, frame, i, index + i);
		if (i < frame->call_count)
			add_excerpt(s, &frame->calls[i]);
	}
	if (lines > CALLS_SHOWN)
		str_addf(line,
		         "<span class=\"left\">%zu inlined calls are left "
		         "out</span>",
		         lines - CALLS_SHOWN);
	view_add_remarks(s->view, frame_id(s, at));
	str_add(line, "</li>\n");
	view_flush(s->view);
}

// Runs of frames

/** Number of consecutive system frames from here on that no claim cites. */
static size_t run_length(const struct stack_view *s, size_t from, size_t end)
{
	size_t at = from;

	while (at < end && !is_cited(s, at) &&
	       !report_frame_is_app(report_of(s), &s->stack->frames[at]))
		at++;
	return at - from;
}

/** The images of a run, without repetitions: `UIKitCore, libdispatch`. */
static void add_images(const struct stack_view *s, size_t from, size_t end)
{
	enum { SHOWN = 4 };
	struct str *line = &s->view->line;
	const char *last = NULL;
	size_t count = 0;

	for (size_t i = from; i < end; i++) {
		const char *name = report_frame_image_name(
		        report_of(s), &s->stack->frames[i]);

		if (!name || (last && text_is(text_from(last), name)))
			continue;
		if (count == SHOWN) {
			str_add(line, ", …");
			return;
		}
		str_add(line, count ? ", " : "");
		add_name(name, line);
		last = name;
		count++;
	}
}

/** One line that opens. */
static void add_run(struct stack_view *s, size_t from, size_t end)
{
	struct str *line = &s->view->line;

	str_addf(line,
	         "<li class=\"run\"><details><summary>"
	         "<span class=\"index\"></span>"
	         "<span class=\"call\">%zu system frames</span>"
	         "<bdi class=\"image\">",
	         end - from);
	add_images(s, from, end);
	str_add(line, "</bdi></summary><ol class=\"frames\">\n");
	for (size_t i = from; i < end; i++)
		add_frame(s, i);
	str_add(line, "</ol></details></li>\n");
}

static void say_left_out(struct stack_view *s)
{
	if (!s->omitted)
		return;
	str_addf(&s->view->line,
	         "<li class=\"left\">%zu frames are left out here</li>\n",
	         s->omitted);
	s->omitted = 0;
}

/**
 * Frames [from, end); runs of system frames are collapsed except for the
 * innermost.
 */
static void add_range(struct stack_view *s, size_t from, size_t end)
{
	while (from < end) {
		size_t length = from ? run_length(s, from, end) : 0;

		if (length < 2) {
			add_frame(s, from++);
			continue;
		}
		add_run(s, from, from + length);
		from += length;
	}
}

/** Omit frames, except those that a claim cites. */
static void skip_range(struct stack_view *s, size_t from, size_t end)
{
	for (; from < end; from++) {
		if (is_cited(s, from)) {
			say_left_out(s);
			add_frame(s, from);
			continue;
		}
		take_index(s, &s->stack->frames[from]);
		s->omitted++;
	}
	say_left_out(s);
}

/** Number of first (or last) frames that fit into this many lines. */
static size_t fit(const struct report_stack *stack, size_t lines, bool last)
{
	size_t count = 0;

	while (count < stack->count) {
		size_t at = last ? stack->count - 1 - count : count;
		size_t more = lines_of(&stack->frames[at]);

		more = more < CALLS_SHOWN ? more : CALLS_SHOWN;
		if (more > lines)
			break;
		lines -= more;
		count++;
	}
	return count;
}

/** Some texts have no numbers, which are read as 0. */
static bool is_numbered(const struct report_stack *stack)
{
	return stack->count && stack->frames[stack->count - 1].index;
}

/** The whole stack, or its ends as far as there is room. */
static void add_stack(struct report_view *view,
                      const struct report_stack *stack)
{
	struct stack_view s = { .view = view,
		                .stack = stack,
		                .id = view_stack_id(view, stack, &view->arena),
		                .is_numbered = is_numbered(stack) };
	size_t room = view->lines_left < VIEW_STACK_LINES ? view->lines_left
	                                                  : VIEW_STACK_LINES;
	size_t head = fit(stack, room, false);
	size_t tail = 0;

	if (head < stack->count) {
		head = fit(stack, room - room / 5, false);
		tail = fit(stack, room / 5, true);
	}
	str_add(&view->line, "<ol class=\"frames\">\n");
	add_range(&s, 0, head);
	skip_range(&s, head, stack->count - tail);
	add_range(&s, stack->count - tail, stack->count);
	view->lines_left -= s.index < room ? s.index : room;
	str_add(&view->line, "</ol>\n");
}

// Selection and order of stacks

static void add_thread_name(struct report_view *view,
                            const struct report_thread *thread)
{
	const char *const names[] = { thread->name, thread->queue };

	str_addf(&view->line, "Thread %" PRIu64 "%s", thread->number,
	         thread->crashed ? " crashed" : "");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!names[i] || !*names[i])
			continue;
		str_add(&view->line, " <bdi class=\"aside\">");
		add_name(names[i], &view->line);
		str_add(&view->line, "</bdi>");
	}
}

static void open_section(struct report_view *view,
                         const struct report_stack *stack)
{
	str_add(&view->line, "<section class=\"stack\"");
	view_add_id(view, view_stack_id(view, stack, &view->arena));
	str_add(&view->line, ">\n<h2>");
}

static void add_titled(struct report_view *view,
                       const struct report_stack *stack, const char *title)
{
	open_section(view, stack);
	html_add(&view->line, stack->title ? stack->title : title);
	str_add(&view->line, "</h2>\n");
	view_add_remarks(view, view_stack_id(view, stack, &view->arena));
	add_stack(view, stack);
	str_add(&view->line, "</section>\n");
}

static void add_crashed(struct report_view *view,
                        const struct report_thread *thread)
{
	open_section(view, &thread->stack);
	add_thread_name(view, thread);
	str_add(&view->line, "</h2>\n");
	if (thread->stack.count)
		add_stack(view, &thread->stack);
	else
		str_add(&view->line, "<p>It has no frames.</p>\n");
	str_add(&view->line, "</section>\n");
}

/** The innermost function, for finding a thread. */
static void add_innermost(struct report_view *view,
                          const struct report_stack *stack)
{
	const struct report_frame *frame = stack->frames;

	if (!stack->count || !frame->call_count || !frame->calls[0].symbol)
		return;
	str_add(&view->line, " <bdi class=\"in\">");
	add_name(frame->calls[0].symbol, &view->line);
	str_add(&view->line, "</bdi>");
}

/** Does a claim cite a frame of this stack? */
static bool is_cited_in(struct report_view *view,
                        const struct report_stack *stack)
{
	const char *id = view_stack_id(view, stack, &view->arena);
	SCOPED(str_release) struct str start = { 0 };

	str_addf(&start, "%s-", id);
	for (size_t i = 0; i < view->target_count; i++)
		if (text_starts(text_from(view->targets[i].id),
		                str_cstr(&start)))
			return true;
	return false;
}

static void add_folded(struct report_view *view,
                       const struct report_thread *thread)
{
	// Cited threads are open.
	str_addf(&view->line, "<details class=\"thread\"%s",
	         is_cited_in(view, &thread->stack) ? " open" : "");
	view_add_id(view, view_stack_id(view, &thread->stack, &view->arena));
	str_add(&view->line, "><summary>");
	add_thread_name(view, thread);
	add_innermost(view, &thread->stack);
	str_add(&view->line, "</summary>\n");
	add_stack(view, &thread->stack);
	str_add(&view->line, "</details>\n");
}

/** Mention omitted threads: with a page for each report there are none. */
static void print_threads_omitted(struct report_view *view, size_t count)
{
	if (!count)
		return;
	str_addf(&view->line, "<p class=\"left\">%zu more threads are left out",
	         count);
	if (view->number > VIEW_WHOLE_REPORTS)
		str_addf(&view->line,
		         ", as of all reports after the first %d: <code>-o "
		         "directory/</code> writes a page for each report",
		         VIEW_WHOLE_REPORTS);
	str_add(&view->line, "</p>\n");
}

static void add_others(struct report_view *view,
                       const struct report_thread *crashed)
{
	const struct report *report = view->report;
	size_t max = view->number > VIEW_WHOLE_REPORTS ? 0 : VIEW_THREADS;
	size_t shown = 0, omitted = 0;

	for (size_t i = 0; i < report->thread_count; i++) {
		if (report->threads[i] == crashed)
			continue;
		if (shown == max) {
			omitted++;
			continue;
		}
		if (!shown++)
			str_add(&view->line,
			        crashed ? "<section>\n<h2>Other threads</h2>\n"
			                : "<section>\n<h2>Threads</h2>\n");
		add_folded(view, report->threads[i]);
	}
	print_threads_omitted(view, omitted);
	str_add(&view->line, shown ? "</section>\n" : "");
	view_flush(view);
}

void view_add_crash_stacks(struct report_view *view)
{
	const struct report *report = view->report;
	const struct report_thread *crashed = report_crashed_thread(report);

	if (report->exception_backtrace.count)
		add_titled(view, &report->exception_backtrace,
		           "Backtrace of the exception");
	if (crashed)
		add_crashed(view, crashed);
}

void view_add_other_stacks(struct report_view *view)
{
	const struct report *report = view->report;

	view_add_registers(view);
	for (size_t i = 0; i < report->app_backtrace_count; i++)
		add_titled(view, report->app_backtraces[i],
		           report->kind ? "Heaviest stack"
		                        : "Backtrace that the app recorded");
	add_others(view, report_crashed_thread(report));
}

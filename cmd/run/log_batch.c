// SPDX-License-Identifier: MIT
#include "cmd/run/log_batch.h"

#include "cmd/run/copied.h"
#include "cmd/run/log_counts.h"
#include "cmd/run/missing_symbols.h"
#include "formatters/report/text/frames.h"
#include "lib/analysis/symbolicate/device_names.h"
#include "lib/analysis/symbolicate/symbolicate.h"
#include "lib/base/mem.h"
#include "lib/base/utf8.h"
#include "lib/base/workflow.h"
#include "parsers/text/log_line.h"

#include <inttypes.h>

/** A frame takes more than 8 bytes of a line. */
#define LINE_FRAMES_MAX (LOG_LINE_MAX_BYTES / 8)

struct log_batch_frame *log_batch_frames(struct log_filter *filter)
{
	if (!filter->frames)
		filter->frames = mem_zalloc(LOG_BATCH_FRAMES + LINE_FRAMES_MAX,
		                            sizeof(*filter->frames));
	return filter->frames;
}

// Naming

size_t log_batch_image(struct report *report,
                       const struct log_batch_frame *frame, struct arena *arena)
{
	struct report_image *image;

	for (size_t i = report->image_count; i > 0; i--)
		if (uuid_equal(&report->images[i - 1].uuid, &frame->uuid) &&
		    text_same(report->images[i - 1].name, frame->name))
			return i - 1;
	image = report_add_image(report, arena);
	image->uuid = frame->uuid;
	image->name = frame->name;
	image->path = frame->path;
	return report->image_count - 1;
}

static void add_device_name(const struct log_frame *from,
                            struct report_frame *to, struct arena *arena)
{
	if (!from->symbol.size)
		return;
	to->calls = arena_alloc(arena, sizeof(*to->calls));
	to->call_count = 1;
	to->source = REPORT_SOURCE_REPORT;
	to->calls->symbol = arena_text(arena, from->symbol);
	to->calls->has_symbol_offset = from->has_symbol_offset;
	to->calls->symbol_offset = from->symbol_offset;
}

/** A report whose only stack is the frames with a place. */
static struct report *make_report(struct log_filter *filter)
{
	struct arena *arena = &filter->arena;
	struct report *report = arena_alloc(arena, sizeof(*report));
	struct report_stack *stack = &report->exception_backtrace;

	report->format = "log";
	stack->all_return_addresses = true;
	for (size_t i = 0; i < filter->count; i++) {
		const struct log_batch_frame *from = &filter->frames[i];
		struct report_frame *to;

		if (!from->has_place)
			continue;
		to = report_add_frame(stack, arena);
		to->image = log_batch_image(report, from, arena);
		to->address = from->is.address;
		to->image_offset = from->offset;
		to->is_pc = from->is_pc;
		add_device_name(&from->is, to, arena);
	}
	return report;
}

/**
 * Whether the frame has another start of its function than the symbols: then
 * the list of images is of another run.
 */
static bool is_refuted(const struct log_frame *frame,
                       const struct report_frame *named)
{
	const struct report_call *call;

	if (!frame->has_symbol_offset || !named->call_count)
		return false;
	call = &named->calls[named->call_count - 1];
	return call->symbol && text_is(frame->symbol, call->symbol) &&
	       call->symbol_offset != frame->symbol_offset;
}

void log_batch_name(struct log_filter *filter, struct report *report)
{
	struct symbolicate_result result;

	if (!report->exception_backtrace.count)
		return;
	symbol_search_begin(filter->search, &report, 1);
	device_names_demangle(&report, 1, filter->search->form, &filter->arena);
	symbolicate(&report, 1, filter->search->store, filter->search->form,
	            &filter->arena, &result);
	missing_symbols_add(&filter->missing, &result, MISSING_LINES);
}

// Writing

void log_add_guarded(struct log_filter *filter, struct text text)
{
	SCOPED(str_release) struct str safe = { 0 };
	struct workflow workflow = { .line = WORKFLOW_TEXT };

	workflow_add(&workflow, &safe, text);
	out_add_bytes(filter->out, safe.data, safe.size);
}

void log_copy(struct log_filter *filter, struct text text)
{
	copied_add(filter->out, text, filter->on_terminal);
}

/**
 * Copy the text before the name, from @p from; inlined calls above change the
 * number.
 */
static void copy_head(struct log_filter *filter,
                      const struct log_batch_frame *frame, size_t from,
                      uint64_t number)
{
	const struct log_frame *is = &frame->is;
	struct text head = text_first(frame->line, is->name_at);
	SCOPED(str_release) struct str moved = { 0 };

	if (!is->index_size || number == is->index) {
		log_copy(filter, text_after(head, from));
		return;
	}
	log_copy(filter, text_after(text_first(head, is->index_at), from));
	str_add_number(&moved, number);
	// A TAB may directly follow the digits.
	if (is->index_width > is->index_size)
		str_add_repeat(&moved, ' ',
		               moved.size < is->index_width
		                       ? is->index_width - moved.size
		                       : 1);
	out_add_bytes(filter->out, moved.data, moved.size);
	log_copy(filter, text_after(head, is->index_at + is->index_width));
}

/** Append a name, escaped in a JSON string. */
static void add_escaped(struct str *to, struct text name)
{
	for (size_t i = 0; i < name.size; i++) {
		if (name.data[i] == '"' || name.data[i] == '\\')
			str_add_char(to, '\\');
		str_add_char(to, name.data[i]);
	}
}

/** `in f() feed.cpp:11`, as sanitizers print a call. */
static void add_linked_call(const struct log_frame *frame,
                            const struct report_call *call, struct str *to)
{
	if (frame->address)
		str_add(to, "in ");
	utf8_add_visible(to, text_from(call->symbol));
	if (call->file && call->has_line) {
		str_add_char(to, ' ');
		crash_text_add_place(call, to);
	} else if (call->has_symbol_offset) {
		str_addf(to, "+0x%" PRIx64, call->symbol_offset);
	}
}

static void add_name(struct log_filter *filter,
                     const struct log_batch_frame *frame,
                     const struct report_call *call, bool inlined)
{
	struct text head = text_first(frame->line, frame->is.name_at);
	SCOPED(str_release) struct str name = { 0 };
	SCOPED(str_release) struct str escaped = { 0 };

	if (head.size && !text_is_blank(head.data[head.size - 1]) &&
	    head.data[head.size - 1] != '`')
		str_add_char(&name, ' ');
	if (frame->is.is_linked)
		add_linked_call(&frame->is, call, &name);
	else
		crash_text_add_call(call, inlined, &name);
	if (frame->joint)
		add_escaped(&escaped, str_text(&name));
	log_add_guarded(filter, str_text(frame->joint ? &escaped : &name));
}

/** Write an inlined call: a line, or a part of one, above the function's. */
static void write_call(struct log_filter *filter,
                       const struct log_batch_frame *frame,
                       const struct report_call *call, uint64_t number,
                       bool is_first, bool inlined)
{
	struct text end = text_after(frame->line,
	                             frame->is.name_at + frame->is.name_size);
	size_t from = is_first ? 0 : frame->joined_at;

	copy_head(filter, frame, from, number);
	add_name(filter, frame, call, inlined);
	if (frame->joint && inlined) {
		out_add(filter->out, frame->joint);
		return;
	}
	log_copy(filter, end);
	if (inlined && !text_ends(end, "\n"))
		out_add(filter->out, "\n");
}

static void write_named(struct log_filter *filter,
                        const struct log_batch_frame *frame,
                        const struct report_frame *named)
{
	for (uint32_t i = 0; i < named->call_count; i++)
		write_call(filter, frame, &named->calls[i],
		           frame->is.index + filter->shift + i, !i,
		           i + 1 < named->call_count);
	if (frame->is.index_size)
		filter->shift += named->call_count - 1;
}

static void write_unnamed(struct log_filter *filter,
                          const struct log_batch_frame *frame)
{
	copy_head(filter, frame, 0, frame->is.index + filter->shift);
	log_copy(filter, text_after(frame->line, frame->is.name_at));
}

/** Write the frame with its own symbol demangled, otherwise unchanged. */
static void write_demangled(struct log_filter *filter,
                            const struct log_batch_frame *frame,
                            const char *name)
{
	const struct log_frame *is = &frame->is;
	size_t at = (size_t)(is->symbol.data - frame->line.data);
	SCOPED(str_release) struct str shown = { 0 };
	SCOPED(str_release) struct str escaped = { 0 };

	copy_head(filter, frame, 0, is->index + filter->shift);
	log_copy(filter, text_after(text_first(frame->line, at), is->name_at));
	utf8_add_visible(&shown, text_from(name));
	if (frame->joint)
		add_escaped(&escaped, str_text(&shown));
	log_add_guarded(filter, str_text(frame->joint ? &escaped : &shown));
	log_copy(filter, text_after(frame->line, at + is->symbol.size));
}

/** Copy the rest of the text before @p end. */
static void copy_up_to(struct log_filter *filter, const char *end)
{
	log_copy(filter, (struct text){ filter->written,
	                                (size_t)(end - filter->written) });
	filter->written = end;
}

/** Has it only its own symbol, but demangled? */
static bool has_readable(const struct report_frame *frame)
{
	return frame->source == REPORT_SOURCE_REPORT && frame->call_count &&
	       frame->calls[0].mangled;
}

/** Write the frames of the batch, and the text between them. */
static void write_batch(struct log_filter *filter, const struct report *report)
{
	const struct report_stack *stack = &report->exception_backtrace;
	size_t next = 0;

	for (size_t i = 0; i < filter->count; i++) {
		const struct log_batch_frame *frame = &filter->frames[i];
		const struct report_frame *named = NULL;
		bool is_named;

		if (frame->has_place)
			named = &stack->frames[next++];
		is_named = named && report_source_is_file(named->source) &&
		           !is_refuted(&frame->is, named);
		if (!frame->follows)
			filter->shift = 0;
		copy_up_to(filter, frame->line.data);
		if (is_named)
			write_named(filter, frame, named);
		else if (named && has_readable(named))
			write_demangled(filter, frame, named->calls[0].symbol);
		else
			write_unnamed(filter, frame);
		log_count_frame(filter, frame, is_named);
		filter->written += frame->line.size;
	}
}

void log_batch_finish(struct log_filter *filter, const char *end)
{
	struct report *report;

	if (filter->learns)
		return;
	if (filter->count) {
		report = make_report(filter);
		log_batch_name(filter, report);
		write_batch(filter, report);
		filter->count = 0;
		arena_clear(&filter->arena);
	}
	copy_up_to(filter, end);
}

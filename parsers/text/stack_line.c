// SPDX-License-Identifier: MIT
#include "parsers/text/stack_line.h"

#include "lib/base/str.h"

#include <string.h>

// An inlined chain deeper than this is damage, not code (and merging compares
// a line with the whole chain).
#define CHAIN_LIMIT 64

static bool is_symbol(const struct frame_line *line, const char *symbol)
{
	struct text found = text_from(symbol);

	return text_equal(text_first(found, line->symbol.size), line->symbol) &&
	       text_equal(text_after(found, line->symbol.size),
	                  line->symbol_end);
}

static bool is_inlined(const struct report_call *call)
{
	return call->verbatim &&
	       text_ends(text_trim(text_from(call->verbatim)), " [inlined]");
}

/**
 * Does the line continue the chain of @p frame? A chain ends with the call that
 * is not marked. In old texts without marks it ends before a function that it
 * already contains: equal lines are recursion, or a repetition by the writer.
 */
static bool continues(const struct report_frame *frame,
                      const struct frame_line *line)
{
	const struct report_call *last;

	if (!frame->call_count || frame->call_count >= CHAIN_LIMIT ||
	    !line->has_address || !line->symbol.size ||
	    frame->address != line->address ||
	    line->index != frame->index + frame->line_count ||
	    frame->index_width != line->index_width ||
	    !text_equal(text_from(frame->columns), line->columns))
		return false;
	last = &frame->calls[frame->call_count - 1];
	if (is_inlined(last))
		return true;
	if (line->inlined)
		return false;
	for (size_t i = 0; i < frame->call_count; i++)
		if (is_inlined(&frame->calls[i]) ||
		    is_symbol(line, frame->calls[i].symbol))
			return false;
	return true;
}

/** Join both halves of a name that was split by a number. */
static const char *symbol_of(const struct frame_line *line, struct arena *arena)
{
	SCOPED(str_release) struct str symbol = { 0 };

	if (!line->symbol_end.size)
		return arena_text(arena, line->symbol);
	str_add_text(&symbol, line->symbol);
	str_add_text(&symbol, line->symbol_end);
	return arena_text(arena, str_text(&symbol));
}

static void add_call(struct report_frame *frame, const struct frame_line *line,
                     struct arena *arena)
{
	size_t count = frame->call_count;
	struct report_call *call;
	size_t slash = text_find_last_char(line->file, '/');

	// At a power of two the array is full; most frames have one call.
	if (!(count & (count - 1))) {
		struct report_call *calls = arena_array(
		        arena, count ? 2 * count : 1, sizeof(*calls));

		if (count)
			memcpy(calls, frame->calls, count * sizeof(*calls));
		frame->calls = calls;
	}
	call = &frame->calls[frame->call_count++];
	frame->source = REPORT_SOURCE_REPORT;
	call->symbol = symbol_of(line, arena);
	call->symbol_offset = line->symbol_offset;
	call->has_symbol_offset = line->has_symbol_offset;
	call->line = line->line;
	call->has_line = line->has_line;
	call->line_borrowed = line->line_borrowed;
	call->verbatim = arena_text(arena, line->what);
	if (!line->file.size)
		return;
	if (slash == TEXT_NOWHERE) {
		call->file = arena_text(arena, line->file);
	} else {
		call->path = arena_text(arena, line->file);
		call->file = call->path + slash + 1;
	}
}

/** Neighbours often share the image: keep one copy of its name. */
static const char *keep_image_name(const struct report_stack *stack,
                                   struct text name, struct arena *arena)
{
	if (stack->count) {
		const char *last = stack->frames[stack->count - 1].image_name;

		if (last && text_is(name, last))
			return last;
	}
	return arena_text(arena, name);
}

void stack_add_line(struct report_stack *stack, const struct frame_line *line,
                    struct arena *arena)
{
	struct report_frame *frame;
	const char *name;

	if (stack->count) {
		frame = &stack->frames[stack->count - 1];
		if (continues(frame, line)) {
			add_call(frame, line, arena);
			frame->line_count++;
			return;
		}
	}
	name = line->image.size ? keep_image_name(stack, line->image, arena)
	                        : NULL;
	frame = report_add_frame(stack, arena);
	frame->image_name = name;
	frame->address = line->address;
	frame->image_offset = line->has_base ? line->offset : 0;
	frame->is_pc = report_is_after_trampoline(stack);
	frame->index = line->index;
	frame->index_width = line->index_width;
	frame->line_count = 1;
	frame->columns =
	        line->what.size
	                ? arena_text(arena, line->columns)
	                // Separate the address from a name added later.
	                : arena_printf(arena, "%.*s ",
	                               TEXT_ARGS(text_trim(line->columns)));
	if (line->symbol.size)
		add_call(frame, line, arena);
	else
		frame->verbatim = arena_text(arena, line->what);
}

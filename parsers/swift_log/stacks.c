// SPDX-License-Identifier: MIT
#include "parsers/swift_log/stacks.h"

#include <string.h>

// An inlined chain deeper than this is damage, not code.
#define CHAIN_LIMIT 64

static uint8_t model_tags(unsigned tags)
{
	return (uint8_t)((tags & SWIFT_TAG_SYSTEM ? REPORT_FRAME_SYSTEM : 0) |
	                 (tags & SWIFT_TAG_THUNK ? REPORT_FRAME_THUNK : 0) |
	                 (tags & SWIFT_TAG_ASYNC ? REPORT_FRAME_ASYNC : 0));
}

struct report_frame *swift_stack_frame(struct swift_stack *stack,
                                       bool has_address, uint64_t address,
                                       unsigned tags, struct arena *arena)
{
	struct report_stack *frames = stack->stack;
	bool is_return = tags & SWIFT_TAG_RETURN;
	struct report_frame *frame =
	        frames->count ? &frames->frames[frames->count - 1] : NULL;

	if (!frame || !stack->is_open || frame->call_count >= CHAIN_LIMIT ||
	    (has_address && frame->address != address)) {
		frame = report_add_frame(frames, arena);
		frame->address = address;
		frame->is_pc = frames->count > 1 && !is_return;
	}
	// An inlined call may lack its function's tag.
	if (is_return)
		frame->is_pc = false;
	if (frames->count == 1 && is_return)
		frames->all_return_addresses = true;
	frame->tags |= model_tags(tags);
	stack->has_tags |= is_return;
	stack->is_open = tags & SWIFT_TAG_INLINED;
	return frame;
}

static void set_file(struct report_call *call, struct text path,
                     struct arena *arena)
{
	size_t slash = text_find_last_char(path, '/');

	if (!path.size)
		return;
	// Windows has the other one.
	if (slash == TEXT_NOWHERE)
		slash = text_find_last_char(path, '\\');
	if (slash == TEXT_NOWHERE) {
		call->file = arena_text(arena, path);
		return;
	}
	call->path = arena_text(arena, path);
	call->file = call->path + slash + 1;
}

void swift_add_call(struct report_frame *frame, const struct swift_call *call,
                    struct arena *arena)
{
	size_t count = frame->call_count;
	struct report_call *added;

	// At a power of two the array is full; most frames have one call.
	if (!(count & (count - 1))) {
		struct report_call *calls = arena_array(
		        arena, count ? 2 * count : 1, sizeof(*calls));

		if (count)
			memcpy(calls, frame->calls, count * sizeof(*calls));
		frame->calls = calls;
	}
	added = &frame->calls[frame->call_count++];
	frame->source = REPORT_SOURCE_REPORT;
	added->symbol = arena_text(arena, call->symbol);
	added->mangled = call->mangled;
	added->has_symbol_offset = call->has_symbol_offset;
	added->symbol_offset = call->symbol_offset;
	added->has_line = call->has_line;
	added->line = call->line;
	added->column = call->column;
	added->verbatim = call->verbatim;
	set_file(added, call->path, arena);
}

/** The text of a call; inlined calls are marked as in all of apmtool's text. */
static const char *verbatim_of(const struct swift_frame_line *line,
                               struct arena *arena)
{
	struct text what = text_trim_right(line->what);
	bool is_marked = !(line->tags & SWIFT_TAG_INLINED) ||
	                 text_ends(what, " [inlined]");

	return is_marked ? arena_text(arena, what)
	                 : arena_printf(arena, "%s [inlined]",
	                                arena_text(arena, what));
}

/** Tags and address, without the tag of inlined calls. */
static const char *columns_of(const struct swift_frame_line *line,
                              struct arena *arena)
{
	static const char mark[] = "[inlined] ";
	struct text columns = line->columns;
	size_t at = text_find(columns, mark);

	// Separate the address from a name added later.
	if (!line->what.size)
		return arena_printf(arena, "%s ", arena_text(arena, columns));
	if (at == TEXT_NOWHERE)
		return arena_text(arena, columns);
	return arena_printf(
	        arena, "%s%s", arena_text(arena, text_first(columns, at)),
	        arena_text(arena, text_after(columns, at + strlen(mark))));
}

static const char *keep_image_name(const struct swift_stack *stack,
                                   struct text name, struct arena *arena)
{
	const struct report_stack *frames = stack->stack;

	// Neighbours often share the image: keep one copy of its name.
	if (frames->count > 1) {
		const char *last = frames->frames[frames->count - 2].image_name;

		if (last && text_is(name, last))
			return last;
	}
	return name.size ? arena_text(arena, name) : NULL;
}

void swift_stack_add_line(struct swift_stack *stack,
                          const struct swift_frame_line *line,
                          struct arena *arena)
{
	struct report_frame *frame = swift_stack_frame(
	        stack, line->has_address, line->address, line->tags, arena);
	const struct swift_call call = {
		.symbol = line->symbol,
		.has_symbol_offset = line->has_symbol_offset,
		.symbol_offset = line->symbol_offset,
		.path = line->path,
		.has_line = line->has_line,
		.line = line->line,
		.column = line->column,
		.verbatim = line->symbol.size ? verbatim_of(line, arena) : NULL,
	};

	if (!frame->line_count++)
		frame->index = line->index;
	frame->index_width = line->index_width;
	frame->columns = columns_of(line, arena);
	frame->image_name = keep_image_name(stack, line->image, arena);
	if (line->symbol.size)
		swift_add_call(frame, &call, arena);
	else if (!frame->call_count)
		frame->verbatim =
		        arena_text(arena, text_trim_right(line->what));
}

void swift_stack_end(struct swift_stack *stack)
{
	struct report_stack *frames = stack->stack;

	for (size_t i = 0; !stack->has_tags && i < frames->count; i++)
		if (!(frames->frames[i].tags & REPORT_FRAME_ASYNC))
			frames->frames[i].is_pc = false;
}

#include "parsers/text/script_frames.h"

#include "lib/base/limit.h"
#include "lib/base/number.h"

#include <string.h>

#define MARK ", stack:"

/** The next frame: up to a blank, but for that of `[native code]`. */
static bool next_frame(struct text *rest, struct text *ret)
{
	struct text more;

	if (!text_next_word(rest, ret))
		return false;
	// `forEach@[native` and `code]` are one.
	more = text_trim_left(*rest);
	if (text_ends(*ret, "@[native") && text_take(&more, "code]")) {
		ret->size = (size_t)(more.data - ret->data);
		*rest = more;
	}
	return true;
}

/** Take `:25` off the right end. */
static bool cut_number(struct text *text, uint64_t *ret)
{
	size_t colon = text_find_last_char(*text, ':');

	if (colon == TEXT_NOWHERE ||
	    !number_decimal(text_after(*text, colon + 1), ret))
		return false;
	*text = text_first(*text, colon);
	return true;
}

struct script_frame {
	struct text name; ///< empty: it has none
	struct text file; ///< empty: not said
	uint64_t line;    ///< 0: not said
};

/** `name@file:line:column`; the file may be a number, of a module. */
static bool parse_frame(struct text word, struct script_frame *ret)
{
	size_t at = text_find_last_char(word, '@');
	struct text place = at == TEXT_NOWHERE ? word
	                                       : text_after(word, at + 1);
	uint64_t last;
	uint64_t line;

	*ret = (struct script_frame){
		.name = text_first(word, at == TEXT_NOWHERE ? 0 : at),
		.file = TEXT_NONE,
	};
	if (text_starts(place, "[native code]"))
		return at != TEXT_NOWHERE;
	if (!cut_number(&place, &last))
		return false;
	// `25:3724`: the line and the column of the only script.
	if (number_decimal(place, &line)) {
		ret->line = line;
		return true;
	}
	ret->line = cut_number(&place, &line) ? line : last;
	ret->file = place;
	return true;
}

static void add_frame(struct report_stack *stack, struct text word,
                      const struct script_frame *from, struct arena *arena)
{
	struct report_frame *frame = report_add_frame(stack, arena);
	struct report_call *call = arena_alloc(arena, sizeof(*call));

	frame->calls = call;
	frame->call_count = 1;
	frame->source = REPORT_SOURCE_REPORT;
	call->symbol = arena_text(arena, word);
	call->verbatim = call->symbol;
	if (from->file.size)
		call->file = arena_text(arena, text_base_name(from->file));
	if (from->line && from->line <= UINT32_MAX) {
		call->line = (uint32_t)from->line;
		call->has_line = from->file.size > 0;
	}
}

bool script_frames_split(struct text *reason, struct text *ret_frames)
{
	size_t at = text_find(*reason, MARK);
	struct script_frame frame;
	struct text frames;
	struct text rest;
	struct text word;

	if (at == TEXT_NOWHERE)
		return false;
	frames = text_after(*reason, at + strlen(MARK));
	rest = frames;
	if (!next_frame(&rest, &word) || !parse_frame(word, &frame))
		return false;
	*reason = text_trim_right(text_first(*reason, at));
	*ret_frames = frames;
	return true;
}

void script_frames_add(struct report_stack *stack, struct text frames,
                       struct arena *arena)
{
	struct script_frame frame;
	struct text word;

	while (stack->count < limit_get(LIMIT_FRAMES) &&
	       report_may_read(arena, 1) && next_frame(&frames, &word))
		if (parse_frame(word, &frame))
			add_frame(stack, word, &frame, arena);
}

// SPDX-License-Identifier: MIT
#include "parsers/text/script_frames.h"

#include "lib/base/limit.h"
#include "parsers/text/trace_line.h"

#include <string.h>

#define MARK ", stack:"

/** The next word, or `forEach@[native code]`, which is one frame. */
static bool next_word(struct text *rest, struct text *ret)
{
	struct text more;

	if (!text_next_word(rest, ret))
		return false;
	more = text_trim_left(*rest);
	if (text_ends(*ret, "[native") && text_take(&more, "code]")) {
		ret->size = (size_t)(more.data - ret->data);
		*rest = more;
	}
	return true;
}

/** Frames, one or several per line; other words are skipped. */
struct script_frames {
	struct text lines;
	struct text line;        ///< remaining words of the current line
	struct text verbatim;    ///< of the frame
	struct trace_line frame; ///< the last one
};

static bool parse(struct script_frames *frames, struct text text)
{
	frames->verbatim = text;
	return trace_line_parse(HEADLINE_JAVASCRIPT, text, &frames->frame);
}

static bool next_frame(struct script_frames *frames)
{
	struct text word;

	do {
		while (next_word(&frames->line, &word))
			if (parse(frames, word))
				return true;
		if (!text_next_line(&frames->lines, &frames->line))
			return false;
	} while (!parse(frames, frames->line));
	frames->line = TEXT_NONE;
	return true;
}

bool script_frames_split(struct text *reason, struct text *ret_frames)
{
	size_t at = text_find(*reason, MARK);
	struct script_frames frames = { .line = TEXT_NONE };

	if (at == TEXT_NOWHERE)
		return false;
	frames.lines = text_after(*reason, at + strlen(MARK));
	*ret_frames = frames.lines;
	if (!next_frame(&frames))
		return false;
	*reason = text_trim_right(text_first(*reason, at));
	return true;
}

void script_frames_add(struct report_stack *stack, struct text in,
                       struct arena *arena)
{
	struct script_frames frames = { .lines = in, .line = TEXT_NONE };

	while (stack->count < limit_get(LIMIT_FRAMES) &&
	       report_may_read(arena, 1) && next_frame(&frames))
		trace_line_add(stack, &frames.frame, frames.verbatim, arena);
}

// SPDX-License-Identifier: MIT
#include "parsers/input/far_start.h"

#include "lib/darwin/headline.h"
#include "parsers/input/repair/line_kind.h"
#include "parsers/input/start_line.h"
#include "parsers/text/backtrace_title.h"
#include "parsers/text/trace_line.h"

// From each on, all of the rest is read.
#define STARTS_MAX 4
// Bytes that show that it is no text.
#define LOOK_BYTES ((size_t)64 << 10)
// Frames follow a headline that needs them.
#define FRAME_LINES 4

struct far_start far_start_open(struct text in)
{
	bool is_text = text_find_char(text_first(in, LOOK_BYTES), '\0') ==
	               TEXT_NOWHERE;

	return (struct far_start){
		.text = TEXT_NONE,
		.rest = is_text ? in : TEXT_NONE,
		.next = 1,
	};
}

/** `* thread #1, queue = 'main', stop reason = EXC_BAD_ACCESS …`. */
static bool is_stop(struct text line)
{
	return text_starts(line, "* thread #") &&
	       text_find(line, "stop reason = ") != TEXT_NOWHERE;
}

/** A line that other texts have, too, but for the frames below it. */
static bool has_frames(enum headline_kind kind, struct text rest)
{
	struct trace_line frame;
	struct text line;

	text_next_line(&rest, &line);
	for (size_t i = 0; i < FRAME_LINES && text_next_line(&rest, &line);
	     i++) {
		line = log_prefix_message(line);
		if (trace_line_parse(kind, line, &frame) ||
		    text_starts(line, "goroutine "))
			return true;
	}
	return false;
}

static bool is_headline(struct text line, struct text rest)
{
	struct headline headline = { 0 };

	return headline_find(line, &headline) &&
	       (!headline.needs_frames || has_frames(headline.kind, rest));
}

/** Does only a report begin like this? */
static bool is_report(struct text line, struct text rest)
{
	static const char *const labels[] = {
		"Incident Identifier:",
		"Fatal Exception: ",
		"Crashed: ",
		"*** First throw call stack:",
	};
	struct backtrace_title title;

	for (size_t i = 0; i < ARRAY_SIZE(labels); i++)
		if (text_starts(line, labels[i]))
			return true;
	return is_stop(line) || line_is_swift_head(line) ||
	       start_line_is_crashlytics(line) ||
	       (start_line_is_process(line) &&
	        start_line_has(rest, "Code Type:")) ||
	       backtrace_title_parse(line, &title);
}

bool far_start_next(struct far_start *start)
{
	struct text line;

	if (start->count == STARTS_MAX)
		return false;
	for (;;) {
		start->text = start->rest;
		start->line = start->next;
		if (!text_next_line(&start->rest, &line))
			return false;
		start->next++;
		if (is_report(line, start->text) ||
		    is_headline(line, start->text))
			break;
	}
	start->count++;
	return true;
}

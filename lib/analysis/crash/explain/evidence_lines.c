// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/evidence_lines.h"

#include "lib/base/text.h"

#include <string.h>

const char *evidence_line(const struct explain *x, size_t number)
{
	return report_line_place(x->arena, x->report->lines_before + number);
}

static size_t lines_of_frames(const struct report_line *line, size_t max)
{
	size_t count = 0;

	for (size_t i = 0; i < line->count && i < max; i++)
		count += line->stack->frames[line->first + i].line_count;
	return count;
}

static size_t lines_of(const struct report_line *line)
{
	return line->text ? 1 : lines_of_frames(line, line->count);
}

static bool has_label(const char *text, const char *label, bool is_within)
{
	return is_within ? strstr(text, label) != NULL
	                 : text_starts(text_trim_left(text_from(text)), label);
}

/** As evidence_line_below(); the label may be anywhere in a line. */
static const char *find_below(const struct explain *x, const char *label,
                              bool is_within, const char *needle)
{
	size_t number = 1;
	bool below = !label;

	for (size_t i = 0; i < x->report->line_count; i++) {
		const struct report_line *line = &x->report->lines[i];
		const char *text = line->text;

		if (text && !below)
			below = has_label(text, label, is_within);
		if (text && below && (!needle || strstr(text, needle)))
			return evidence_line(x, number);
		number += lines_of(line);
	}
	return NULL;
}

/** Of frames that only the text of their line shows. */
static const char *line_of_text(const struct explain *x,
                                const struct report_frame *frame)
{
	const char *text = frame->call_count ? frame->calls[0].verbatim
	                                     : frame->verbatim;

	return text && *text ? find_below(x, NULL, false, text) : NULL;
}

const char *evidence_line_below(const struct explain *x, const char *label,
                                const char *needle)
{
	return find_below(x, label, false, needle);
}

const char *evidence_line_of_register(const struct explain *x, const char *name)
{
	const char *cell = arena_printf(x->arena, "%s: ", name);
	const char *line = find_below(x, " crashed with ", true, cell);

	if (line)
		return line;
	// Swift's crash logs have no colon.
	cell = arena_printf(x->arena, "%s 0x", name);
	return find_below(x, "Registers:", false, cell);
}

const char *evidence_line_of_frame(const struct explain *x,
                                   const struct report_stack *stack,
                                   size_t frame)
{
	size_t number = 1;

	for (size_t i = 0; i < x->report->line_count; i++) {
		const struct report_line *line = &x->report->lines[i];

		if (!line->text && line->stack == stack &&
		    frame >= line->first && frame - line->first < line->count)
			return evidence_line(
			        x, number + lines_of_frames(
			                            line, frame - line->first));
		number += lines_of(line);
	}
	return line_of_text(x, &stack->frames[frame]);
}

// SPDX-License-Identifier: MIT
#include "parsers/text/line_reader.h"

#include "lib/base/limit.h"
#include "lib/base/str.h"

#include <stdarg.h>

static const char *place(const struct line_reader *reader)
{
	return report_line_place(reader->arena, reader->line_number);
}

void line_reader_each(struct line_reader *reader, struct line_source *source,
                      void (*visit)(struct text line, void *context),
                      void *context)
{
	struct text line;
	struct line_ends ends = { 0 };

	reader->line_number = 0;
	while (line_source_next(source, &line, &ends)) {
		reader->line_number++;
		if (!report_may_read(reader->arena, 1)) {
			report_end_reading(reader->report, reader->arena,
			                   place(reader));
			source->ends_in_line = false;
			break;
		}
		visit(line, context);
	}
	if (ends.cr_lf && ends.cr)
		report_add_note(reader->report, reader->arena, "all lines",
		                "line endings CR LF and CR; read as LF");
	else if (ends.cr_lf || ends.cr)
		report_add_note(reader->report, reader->arena, "all lines",
		                ends.cr ? "line endings CR; read as LF"
		                        : "line endings CR LF; read as LF");
}

void line_reader_keep(struct line_reader *reader, const char *line)
{
	struct report *report = reader->report;

	ARENA_GROW(reader->arena, report->lines, report->line_count,
	           report->line_cap);
	report->lines[report->line_count++] =
	        (struct report_line){ .text = line };
}

void line_reader_keep_unread(struct line_reader *reader, const char *line)
{
	line_reader_keep(reader, line);
	reader->report->lines[reader->report->line_count - 1].count =
	        reader->line_number;
}

void line_reader_keep_frames(struct line_reader *reader,
                             struct report_stack *stack, size_t first)
{
	struct report *report = reader->report;
	struct report_line *last =
	        report->line_count ? &report->lines[report->line_count - 1]
	                           : NULL;

	// A call inlined into the frame above adds no frame.
	if (first == stack->count)
		return;
	if (last && last->stack == stack &&
	    last->first + last->count == first) {
		last->count = stack->count - last->first;
		return;
	}
	ARENA_GROW(reader->arena, report->lines, report->line_count,
	           report->line_cap);
	report->lines[report->line_count++] = (struct report_line){
		.stack = stack,
		.first = first,
		.count = stack->count - first,
	};
}

void line_reader_note(struct line_reader *reader, const char *format, ...)
{
	SCOPED(str_release) struct str text = { 0 };
	va_list args;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	report_add_note(reader->report, reader->arena, place(reader),
	                arena_text(reader->arena, str_text(&text)));
}

void line_reader_flaw(struct line_reader *reader, enum line_flaw flaw)
{
	if (!reader->flaws[flaw].count++)
		reader->flaws[flaw].first_line = reader->line_number;
}

static void add_limit(struct str *out, enum limit_id id, const char *what)
{
	size_t max = limit_get(id);

	str_addf(out, "more than %zu %s%s%s; kept as text", max, what,
	         text_plural(max), limit_hint(id));
}

static void add_flaw(struct str *out, enum line_flaw flaw)
{
	static const char *const texts[LINE_FLAW_COUNT] = {
		[LINE_FLAW_JUNK_FRAME] = "not a frame; kept as text",
		[LINE_FLAW_JUNK_IMAGE] = "not an image; kept as text",
		[LINE_FLAW_BAD_IMAGE_RANGE] = "the image ends before it begins",
		[LINE_FLAW_BAD_BASE] =
		        "base and offset do not add up to the address",
		[LINE_FLAW_FRAME_INDENT] =
		        "spaces before the frame number; removed",
		[LINE_FLAW_FRAMES_LEFT_OUT] = "the log omits frames here",
		[LINE_FLAW_JUNK_NODE] =
		        "not a line of a call tree; kept as text",
		[LINE_FLAW_BAD_COUNT] =
		        "the count is beyond 64 bits; kept as text",
		[LINE_FLAW_DEPTH_JUMP] =
		        "indented by more than one level; treated as one",
		[LINE_FLAW_DEPTH_LIMIT] =
		        "deeper than 4,096 levels; treated as that level",
		[LINE_FLAW_COUNT_ABOVE] =
		        "more samples than its caller has left",
	};

	if (flaw == LINE_FLAW_THREAD_LIMIT)
		add_limit(out, LIMIT_THREADS, "thread");
	else if (flaw == LINE_FLAW_IMAGE_LIMIT)
		add_limit(out, LIMIT_IMAGES, "image");
	else if (flaw == LINE_FLAW_FRAME_LIMIT)
		add_limit(out, LIMIT_FRAMES, "frame");
	else
		str_add(out, texts[flaw]);
}

void line_reader_note_flaws(struct line_reader *reader)
{
	for (size_t i = 0; i < LINE_FLAW_COUNT; i++) {
		SCOPED(str_release) struct str text = { 0 };
		size_t count = reader->flaws[i].count;

		if (!count)
			continue;
		add_flaw(&text, (enum line_flaw)i);
		if (count > 1)
			str_addf(&text, " (on %zu lines)", count);
		reader->line_number = reader->flaws[i].first_line;
		line_reader_note(reader, "%s", str_cstr(&text));
	}
}

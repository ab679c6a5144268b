#include "parsers/crash_text/reader.h"

#include "parsers/crash_text/exception.h"
#include "parsers/crash_text/stacks.h"

#include <stdarg.h>

void crash_text_each_line(struct crash_text_reader *reader,
                          struct crash_text_source *source,
                          void (*visit)(struct text line, void *context),
                          void *context)
{
	struct text line;
	bool has_cr = false;

	reader->line_number = source->lines_gone;
	while (crash_text_next_line(source, &line, &has_cr)) {
		reader->line_number++;
		visit(line, context);
	}
	if (has_cr)
		report_add_note(reader->report, reader->arena, "all lines",
		                "line endings CR LF; read as LF");
}

void crash_text_keep(struct crash_text_reader *reader, const char *line)
{
	struct report *report = reader->report;

	ARENA_GROW(reader->arena, report->lines, report->line_count,
	           report->line_cap);
	report->lines[report->line_count++].text = line;
}

void crash_text_keep_frames(struct crash_text_reader *reader,
                            struct report_stack *stack, size_t first)
{
	struct report *report = reader->report;
	struct report_line *last =
	        report->line_count ? &report->lines[report->line_count - 1]
	                           : NULL;

	// A call that was inlined into the frame before it adds no frame.
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

void crash_text_note(struct crash_text_reader *reader, const char *format, ...)
{
	SCOPED(str_release) struct str text = { 0 };
	va_list args;

	va_start(args, format);
	str_addv(&text, format, args);
	va_end(args);
	report_add_note(
	        reader->report, reader->arena,
	        arena_printf(reader->arena, "line %zu", reader->line_number),
	        arena_text(reader->arena, str_text(&text)));
}

void crash_text_flaw(struct crash_text_reader *reader,
                     enum crash_text_flaw flaw)
{
	if (!reader->flaws[flaw].count++)
		reader->flaws[flaw].first_line = reader->line_number;
}

void crash_text_note_flaws(struct crash_text_reader *reader)
{
	static const char *const texts[CRASH_TEXT_FLAW_COUNT] = {
		[CRASH_TEXT_JUNK_FRAME] = "not a frame; kept as text",
		[CRASH_TEXT_JUNK_IMAGE] = "not an image; kept as text",
		[CRASH_TEXT_BAD_IMAGE_RANGE] =
		        "the image ends before it begins",
		[CRASH_TEXT_BAD_BASE] =
		        "base and offset do not add up to the address",
		[CRASH_TEXT_FRAME_INDENT] =
		        "spaces before the frame number; removed",
		[CRASH_TEXT_THREAD_LIMIT] =
		        "more than 10,000 threads; kept as text",
		[CRASH_TEXT_IMAGE_LIMIT] =
		        "more than 20,000 images; kept as text",
		[CRASH_TEXT_JUNK_NODE] =
		        "not a line of a call tree; kept as text",
		[CRASH_TEXT_BAD_COUNT] =
		        "the count is beyond 64 bits; kept as text",
		[CRASH_TEXT_DEPTH_JUMP] =
		        "indented by more than one level; treated as one",
		[CRASH_TEXT_DEPTH_LIMIT] =
		        "deeper than 4,096 levels; treated as that level",
		[CRASH_TEXT_COUNT_ABOVE] =
		        "more samples than its caller has left",
	};

	for (size_t i = 0; i < CRASH_TEXT_FLAW_COUNT; i++) {
		size_t count = reader->flaws[i].count;

		reader->line_number = reader->flaws[i].first_line;
		if (count == 1)
			crash_text_note(reader, "%s", texts[i]);
		else if (count)
			crash_text_note(reader, "%s (on %zu lines)", texts[i],
			                count);
	}
}

static void end_section(struct crash_text_reader *reader)
{
	crash_text_thrown(reader, str_text(&reader->block));
	report_add_section(reader->report, reader->arena, reader->section,
	                   arena_text(reader->arena, str_text(&reader->block)));
	str_clear(&reader->block);
}

void crash_text_end_block(struct crash_text_reader *reader)
{
	enum crash_text_part part = reader->part;

	reader->part = CRASH_TEXT_LABELS;
	if (part == CRASH_TEXT_SECTION)
		end_section(reader);
	else if (part == CRASH_TEXT_TERMINATION)
		crash_text_end_termination(reader);
	else if (part == CRASH_TEXT_STACK || part == CRASH_TEXT_ADDRESSES)
		crash_text_end_stack(reader);
}

// SPDX-License-Identifier: MIT
/**
 * Shared by parsers of text reports: the report so far, and its lines.
 *
 * Each line is kept once and in order, by line_reader_keep() or as part of a
 * run of frames, so that printing reproduces the text (lib/model/report.h).
 */
#ifndef APMTOOL_PARSERS_TEXT_LINE_READER_H
#define APMTOOL_PARSERS_TEXT_LINE_READER_H

#include "lib/base/text.h"
#include "lib/model/report.h"
#include "parsers/text/line_source.h"

#include <stddef.h>

/** Faults that occur on many lines; each is noted once, with a count. */
enum line_flaw {
	LINE_FLAW_JUNK_FRAME,
	LINE_FLAW_JUNK_IMAGE,
	LINE_FLAW_BAD_IMAGE_RANGE,
	LINE_FLAW_BAD_BASE,
	LINE_FLAW_FRAME_INDENT,
	LINE_FLAW_THREAD_LIMIT,
	LINE_FLAW_IMAGE_LIMIT,
	LINE_FLAW_FRAME_LIMIT,
	LINE_FLAW_FRAMES_LEFT_OUT,
	// Of call trees (parsers/sampled/tree_text.h):
	LINE_FLAW_JUNK_NODE,
	LINE_FLAW_BAD_COUNT,
	LINE_FLAW_DEPTH_JUMP,
	LINE_FLAW_DEPTH_LIMIT,
	LINE_FLAW_COUNT_ABOVE,
	LINE_FLAW_COUNT
};

/** All zeros except arena and report. */
struct line_reader {
	struct arena *arena;
	struct report *report;
	size_t line_number; ///< of the current line, from 1
	struct {
		size_t first_line;
		size_t count;
	} flaws[LINE_FLAW_COUNT];
};

/** Visit the remaining lines of @p source, and count them. */
void line_reader_each(struct line_reader *reader, struct line_source *source,
                      void (*visit)(struct text line, void *context),
                      void *context);

/** Keep the line unchanged; @p line lives in the arena. */
void line_reader_keep(struct line_reader *reader, const char *line);

/** As line_reader_keep(), for a line that the report has nowhere else. */
void line_reader_keep_unread(struct line_reader *reader, const char *line);

/** Keep the frames of @p stack from @p first on as a run of frames. */
void line_reader_keep_frames(struct line_reader *reader,
                             struct report_stack *stack, size_t first);

/** Add a note about the current line. */
void line_reader_note(struct line_reader *reader, const char *format, ...)
        PRINTF_LIKE(2, 3);

/** Count a flaw of the current line. */
void line_reader_flaw(struct line_reader *reader, enum line_flaw flaw);

/** Turn the counted flaws into notes. */
void line_reader_note_flaws(struct line_reader *reader);

#endif

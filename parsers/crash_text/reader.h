/**
 * What the files of the text reader share: the report as far as it is read,
 * which part of the text the next line belongs to, and the report's own lines.
 *
 * A line passes crash_text_keep() or becomes part of a run of frames, once
 * and in order, so that printing gives it back (lib/model/report.h).
 */
#ifndef APMTOOL_PARSERS_CRASH_TEXT_READER_H
#define APMTOOL_PARSERS_CRASH_TEXT_READER_H

#include "lib/base/str.h"
#include "lib/base/text.h"
#include "lib/model/report.h"
#include "parsers/crash_text/repair.h"

#include <stdbool.h>
#include <stddef.h>

/** What a line that does not say for itself belongs to. */
enum crash_text_part {
	CRASH_TEXT_LABELS,      ///< nothing in particular
	CRASH_TEXT_SECTION,     ///< text under a label, to a blank line
	CRASH_TEXT_TERMINATION, ///< what follows the termination reason
	CRASH_TEXT_STACK,       ///< a backtrace
	CRASH_TEXT_ADDRESSES,   ///< a backtrace of bare addresses in brackets
	CRASH_TEXT_REGISTERS,
	CRASH_TEXT_IMAGES,
	CRASH_TEXT_REST, ///< behind the report: kept and not read
};

/** What can happen on many lines and is noted once, with their number. */
enum crash_text_flaw {
	CRASH_TEXT_JUNK_FRAME,
	CRASH_TEXT_JUNK_IMAGE,
	CRASH_TEXT_BAD_IMAGE_RANGE,
	CRASH_TEXT_BAD_BASE,
	CRASH_TEXT_FRAME_INDENT,
	CRASH_TEXT_THREAD_LIMIT,
	CRASH_TEXT_IMAGE_LIMIT,
	// Of call trees (parsers/sampled/tree_text.h):
	CRASH_TEXT_JUNK_NODE,
	CRASH_TEXT_BAD_COUNT,
	CRASH_TEXT_DEPTH_JUMP,
	CRASH_TEXT_DEPTH_LIMIT,
	CRASH_TEXT_COUNT_ABOVE,
	CRASH_TEXT_FLAW_COUNT
};

struct crash_text_reader {
	struct arena *arena;
	struct report *report;
	size_t line_number; ///< of the line at hand, from 1
	enum crash_text_part part;
	struct report_stack *stack;   ///< the backtrace at hand, or NULL
	struct text *held;            ///< the last frame lines over the limit
	size_t held_count;            ///< lines over the limit so far
	struct report_thread *thread; ///< the thread at hand, or NULL
	/** Has had its `name:` line and waits for its header. */
	struct report_thread *named;
	struct report_thread *registers; ///< whose state is being read
	size_t state_count;              ///< register states so far
	const char *section;             ///< label of the section at hand
	struct str block;    ///< its text, or bare addresses, so far
	size_t block_line;   ///< report line where bare addresses begin
	bool seen_images;    ///< the `Binary Images:` label
	bool ends_in_images; ///< the last line that was not blank is an image
	bool seen_next;      ///< a second report in the same text
	/** The text has a `Last Exception Backtrace:`, here or further on. */
	bool has_exception_backtrace;
	struct {
		size_t first_line;
		size_t count;
	} flaws[CRASH_TEXT_FLAW_COUNT];
};

/** Visit what is left of @p source line by line, and number the lines. */
void crash_text_each_line(struct crash_text_reader *reader,
                          struct crash_text_source *source,
                          void (*visit)(struct text line, void *context),
                          void *context);

/** Keep the line as it stands; @p line lives in the arena. */
void crash_text_keep(struct crash_text_reader *reader, const char *line);

/** Keep the frames of @p stack from @p first on, as a run of frames. */
void crash_text_keep_frames(struct crash_text_reader *reader,
                            struct report_stack *stack, size_t first);

/** Note something about the line at hand. */
void crash_text_note(struct crash_text_reader *reader, const char *format, ...)
        PRINTF_LIKE(2, 3);

/** Count a flaw of the line at hand. */
void crash_text_flaw(struct crash_text_reader *reader,
                     enum crash_text_flaw flaw);

/** Turn the counted flaws into notes. */
void crash_text_note_flaws(struct crash_text_reader *reader);

/**
 * End the section, termination text or backtrace at hand, so that labels
 * follow. Also for the end of the text.
 */
void crash_text_end_block(struct crash_text_reader *reader);

#endif

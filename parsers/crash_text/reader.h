// SPDX-License-Identifier: MIT
/**
 * State shared by the files of this parser: the report so far, and the part of
 * the text that the next line belongs to.
 *
 * Each part registers its end with crash_text_begin_part(), so that a label can
 * end the current part without knowing which one it is.
 */
#ifndef APMTOOL_PARSERS_CRASH_TEXT_READER_H
#define APMTOOL_PARSERS_CRASH_TEXT_READER_H

#include "lib/base/str.h"
#include "lib/darwin/headline.h"
#include "parsers/text/frame_line.h"
#include "parsers/text/line_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Where a line without a label of its own belongs. */
enum crash_text_part {
	CRASH_TEXT_LABELS,      ///< no part
	CRASH_TEXT_SECTION,     ///< text under a label, to a blank line
	CRASH_TEXT_HEADLINE,    ///< the lines below a headline of a console
	CRASH_TEXT_TERMINATION, ///< the lines below the termination reason
	CRASH_TEXT_STACK,       ///< a backtrace
	CRASH_TEXT_ADDRESSES,   ///< a backtrace of bare addresses in brackets
	CRASH_TEXT_REGISTERS,
	CRASH_TEXT_IMAGES,
	CRASH_TEXT_NOTHING, ///< ignored text, to a blank line
	CRASH_TEXT_REST,    ///< after the report: kept, not parsed
};

/** Umeng's block about the app's own image (main_image.h). */
struct crash_text_main_image {
	bool is_there;
	struct uuid uuid;
	struct text arch;
	struct text name; ///< empty: unknown
	uint64_t linked;  ///< address that the image was linked for
	uint64_t base;    ///< address that it was loaded at
	struct str reason;
	bool has_reason; ///< the reason is complete
};

struct crash_text_reader {
	struct line_reader text;
	enum crash_text_part part;
	void (*end_part)(struct crash_text_reader *reader); ///< or NULL
	struct report_stack *stack;   ///< the current backtrace, or NULL
	size_t stack_line;            ///< report line where it begins
	struct text *tail;            ///< the last frame lines over the limit
	size_t tail_count;            ///< lines over the limit so far
	struct report_thread *thread; ///< the current thread, or NULL
	/** The thread has its `name:` line; its header follows. */
	struct report_thread *named;
	/** the thread of the current registers */
	struct report_thread *registers;
	size_t state_count;  ///< register states so far
	const char *section; ///< label of the current section
	/** The section at `open_at` may continue below a blank line. */
	bool is_open;
	size_t open_at;
	/** A label without a value; the next lines may be its section. */
	const char *heading;
	struct str more;     ///< text of the open section, once it continues
	size_t blanks;       ///< blank lines just above the current line
	struct str block;    ///< text of the section, or bare addresses, so far
	size_t block_line;   ///< report line where bare addresses begin
	size_t block_number; ///< number of that line in the input
	bool seen_images;    ///< after the `Binary Images:` label
	bool ends_in_images; ///< the last line with text is an image
	bool seen_next;      ///< a second report in the same text
	/** There is a `Last Exception Backtrace:`, above or below. */
	bool has_exception_backtrace;
	/** First thread with a header, if the head of the text is missing. */
	uint64_t first_thread;
	bool has_threads;
	struct crash_text_main_image main_image;
	/** Console output with a headline, not a report. */
	bool is_console;
	/** A lone `Fatal error: …` on the first or last line is a headline. */
	bool takes_bare_fatal;
	/** A headline may follow other words: the text has no other content. */
	bool takes_inner;
	enum headline_kind headline; ///< the last headline
	size_t headline_lines;       ///< lines that may continue it
	bool is_wrapped; ///< its lines were wrapped, and are joined again
	/** there is a headline other than a kill by the kernel */
	bool has_others;
};

/**
 * Begin @p part: it gets the lines that follow.
 *
 * @param end  Called when the part ends; or NULL.
 */
void crash_text_begin_part(struct crash_text_reader *reader,
                           enum crash_text_part part,
                           void (*end)(struct crash_text_reader *reader));

/**
 * End the current part, so that labels may follow; also at the end of the text.
 */
void crash_text_end_part(struct crash_text_reader *reader);

/** Begin a section that may continue below a blank line. */
void crash_text_open_section(struct crash_text_reader *reader,
                             const char *label, const char *text);

/** End the open section: the next lines do not belong to it. */
void crash_text_close_section(struct crash_text_reader *reader);

/** Add the line to the open section; false if there is none. */
bool crash_text_go_on(struct crash_text_reader *reader, struct text line);

/** Keep an unknown line: in the open section, or in the report alone. */
void crash_text_keep_unknown(struct crash_text_reader *reader,
                             struct text line);

/** Is it a frame by its number and columns, regardless of the lines above? */
bool crash_text_is_frame(struct text line, struct frame_line *ret);

/**
 * A frame copied without number and address: `Demo  -[Cart pay] + 300
 * (Cart.m:31)`. Requires two blanks after the image, an offset and a line
 * number.
 */
bool crash_text_is_plain_frame(struct text line, struct frame_line *ret);

/** `Label: value` at column 0. */
bool crash_text_split_label(struct text line, struct text *name,
                            struct text *value);

#endif

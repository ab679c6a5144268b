// SPDX-License-Identifier: MIT
/**
 * What the files of this parser share: the report as far as it is read, and
 * which part of the text the next line belongs to.
 *
 * Each part says with crash_text_begin_part() how it ends, so that a label
 * can end the part before it without knowing which it is.
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

/** What a line that does not say for itself belongs to. */
enum crash_text_part {
	CRASH_TEXT_LABELS,      ///< nothing in particular
	CRASH_TEXT_SECTION,     ///< text under a label, to a blank line
	CRASH_TEXT_HEADLINE,    ///< what a headline of a console goes on with
	CRASH_TEXT_TERMINATION, ///< what follows the termination reason
	CRASH_TEXT_STACK,       ///< a backtrace
	CRASH_TEXT_ADDRESSES,   ///< a backtrace of bare addresses in brackets
	CRASH_TEXT_REGISTERS,
	CRASH_TEXT_IMAGES,
	CRASH_TEXT_NOTHING, ///< text of no interest, to a blank line
	CRASH_TEXT_REST,    ///< after the report: kept and not read
};

/** What Umeng's block says of the app's own image (main_image.h). */
struct crash_text_main_image {
	bool is_there;
	struct uuid uuid;
	struct text arch;
	struct text name; ///< empty: not said
	uint64_t linked;  ///< the address that it was linked for
	uint64_t base;    ///< and where it was loaded
	struct str reason;
	bool has_reason; ///< all of it
};

struct crash_text_reader {
	struct line_reader text;
	enum crash_text_part part;
	void (*end_part)(struct crash_text_reader *reader); ///< or NULL
	struct report_stack *stack;   ///< the current backtrace, or NULL
	size_t stack_line;            ///< report line where it begins
	struct text *held;            ///< the last frame lines over the limit
	size_t held_count;            ///< lines over the limit so far
	struct report_thread *thread; ///< the current thread, or NULL
	/** Has had its `name:` line and waits for its header. */
	struct report_thread *named;
	struct report_thread *registers; ///< whose state is being read
	size_t state_count;              ///< register states so far
	const char *section;             ///< label of the current section
	/** The section `open_at` may go on below a blank line. */
	bool is_open;
	size_t open_at;
	/** A label without a value: what follows may be its section. */
	const char *heading;
	struct str more;     ///< the text of the open section, once it goes on
	size_t blanks;       ///< blank lines just above the current line
	struct str block;    ///< its text, or bare addresses, so far
	size_t block_line;   ///< report line where bare addresses begin
	size_t block_number; ///< and the number of that line in the input
	bool seen_images;    ///< the `Binary Images:` label
	bool ends_in_images; ///< the last line that was not blank is an image
	bool seen_next;      ///< a second report in the same text
	/** The text has a `Last Exception Backtrace:`, here or further on. */
	bool has_exception_backtrace;
	/** The first thread with a header, of a text whose head is missing. */
	uint64_t first_thread;
	bool has_threads;
	struct crash_text_main_image main_image;
	/** A text of a console, not a report: it has a headline. */
	bool is_console;
	/** `Fatal error: …` is the first line, or the last: it is one. */
	bool takes_bare_fatal;
	/** A line has a headline behind other words: nothing else is there. */
	bool takes_inner;
	enum headline_kind headline; ///< the last one
	size_t headline_lines;       ///< lines that it goes on
	bool is_wrapped; ///< its lines were broken: they are joined again
	bool has_others; ///< a headline that is no kill by the kernel
};

/**
 * The lines that follow belong to @p part.
 *
 * @param end  Called when the part ends; NULL if there is nothing to do.
 */
void crash_text_begin_part(struct crash_text_reader *reader,
                           enum crash_text_part part,
                           void (*end)(struct crash_text_reader *reader));

/** End the current part, so that labels follow. Also for the text's end. */
void crash_text_end_part(struct crash_text_reader *reader);

/** A section that text below a blank line may be more of. */
void crash_text_open_section(struct crash_text_reader *reader,
                             const char *label, const char *text);

/** Something else follows: what comes now is not of the last section. */
void crash_text_close_section(struct crash_text_reader *reader);

/** Add the line to the open section; false if there is none. */
bool crash_text_go_on(struct crash_text_reader *reader, struct text line);

/** Keep a line that no reader knows: of the open section, or of nothing. */
void crash_text_keep_unknown(struct crash_text_reader *reader,
                             struct text line);

/** Is it a frame, by its number and its columns, whatever is above it? */
bool crash_text_is_frame(struct text line, struct frame_line *ret);

/**
 * A frame that was copied without its number and its address: `Demo  -[Cart
 * pay] + 300 (Cart.m:31)`. Only with two blanks behind the image, an offset and
 * a line.
 */
bool crash_text_is_plain_frame(struct text line, struct frame_line *ret);

/** `Label: value` at column 0. */
bool crash_text_split_label(struct text line, struct text *name,
                            struct text *value);

#endif

// SPDX-License-Identifier: MIT
/**
 * Backtraces in Apple's text format: a line per call, inlined calls above the
 * function that holds them (formats.md 2.6).
 *
 * A frame that was read from text keeps its columns and its index; the index
 * moves only by the lines that naming added or removed above it. Any other
 * frame gets Apple's columns and its place in the stack.
 *
 * In the other styles than the full one, a frame that lies in an image, listed
 * or not, is a line with its base and offset; a frame outside all images keeps
 * its name, for it has no base.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_TEXT_FRAMES_H
#define APMTOOL_FORMATTERS_REPORT_TEXT_FRAMES_H

#include "lib/base/out.h"
#include "lib/base/str.h"
#include "lib/model/format_options.h"
#include "lib/model/report.h"

#include <stddef.h>
#include <stdint.h>

/** How far the lines of a stack have been numbered; all zeros to begin. */
struct frame_numbering {
	const struct report_stack *stack;
	size_t next;    ///< frame that continues the numbering
	uint64_t shift; ///< lines added so far; removed ones wrap around
	uint64_t lines; ///< lines printed so far
};

/**
 * Print frames [first, first + count) of @p stack. Where they follow the
 * frames that @p numbering printed last, its count goes on; else it begins
 * again.
 */
void crash_text_frames(const struct report *report,
                       const struct report_stack *stack, size_t first,
                       size_t count, enum text_style style,
                       struct frame_numbering *numbering, struct out *out);

/** The place of a call: `main.m:16`, `main.m:16, near` if it is borrowed. */
void crash_text_add_place(const struct report_call *call, struct str *text);

/**
 * A call as a frame's line ends with it: `crash + 12 (main.m:16)`.
 *
 * @param inlined  It was inlined into the next one: that is marked.
 */
void crash_text_add_call(const struct report_call *call, bool inlined,
                         struct str *text);

/** Print a whole stack. */
void crash_text_stack(const struct report *report,
                      const struct report_stack *stack, enum text_style style,
                      struct out *out);

/** The lines of a whole stack as text, each with its LF; names in full. */
void crash_text_stack_lines(const struct report *report,
                            const struct report_stack *stack,
                            struct str *lines);

#endif

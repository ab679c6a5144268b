// SPDX-License-Identifier: MIT
/**
 * Backtraces in Apple's text format: a line per call, inlined calls above their
 * outer function (apmtool-formats(5)).
 *
 * A frame that was read from text keeps its columns; its index changes only by
 * the lines that symbolication added or removed above it. Other frames get
 * Apple's columns and their position in the stack.
 *
 * In styles other than the full one, a frame in an image, listed or not, is
 * printed with its base and offset; a frame outside all images keeps its name,
 * since it has no base.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_TEXT_FRAMES_H
#define APMTOOL_FORMATTERS_REPORT_TEXT_FRAMES_H

#include "lib/base/out.h"
#include "lib/base/str.h"
#include "lib/model/format_options.h"
#include "lib/model/report.h"

#include <stddef.h>
#include <stdint.h>

/** Numbering of a stack's lines; starts as all zeros. */
struct frame_numbering {
	const struct report_stack *stack;
	size_t next;    ///< frame that continues the numbering
	uint64_t shift; ///< lines added so far; negative numbers wrap around
	uint64_t lines; ///< lines printed so far
};

/**
 * Print frames [first, first + count) of @p stack. If they follow the frames
 * last printed with @p numbering, the numbers continue; else they restart.
 */
void crash_text_frames(const struct report *report,
                       const struct report_stack *stack, size_t first,
                       size_t count, enum text_style style,
                       struct frame_numbering *numbering, struct out *out);

/**
 * Append the place of a call: `main.m:16`, `main.m:16, near` if it is borrowed.
 */
void crash_text_add_place(const struct report_call *call, struct str *text);

/**
 * Append a call as at the end of a frame's line: `crash + 12 (main.m:16)`.
 *
 * @param inlined  Mark it as inlined into the next call.
 */
void crash_text_add_call(const struct report_call *call, bool inlined,
                         struct str *text);

/** Print a whole stack. */
void crash_text_stack(const struct report *report,
                      const struct report_stack *stack, enum text_style style,
                      struct out *out);

/** Append the lines of a whole stack, each with its LF; names in full. */
void crash_text_stack_lines(const struct report *report,
                            const struct report_stack *stack,
                            struct str *lines);

#endif

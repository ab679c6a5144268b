// SPDX-License-Identifier: MIT
/**
 * Builds the frames of a stack from backtrace lines
 * (parsers/text/frame_line.h).
 */
#ifndef APMTOOL_PARSERS_TEXT_STACK_LINE_H
#define APMTOOL_PARSERS_TEXT_STACK_LINE_H

#include "lib/base/arena.h"
#include "lib/model/report.h"
#include "parsers/text/frame_line.h"

/**
 * Append a line to a stack. Its texts are copied into the arena.
 *
 * Adjacent lines with the same address become one frame with several calls if
 * the earlier lines have the mark of inlined calls. Old texts have no marks:
 * there, it is enough that the lines name different functions.
 */
void stack_add_line(struct report_stack *stack, const struct frame_line *line,
                    struct arena *arena);

#endif

// SPDX-License-Identifier: MIT
/**
 * Lines of a backtrace (parsers/text/frame_line.h), put together to the frames
 * of a stack.
 */
#ifndef APMTOOL_PARSERS_TEXT_STACK_LINE_H
#define APMTOOL_PARSERS_TEXT_STACK_LINE_H

#include "lib/base/arena.h"
#include "lib/model/report.h"
#include "parsers/text/frame_line.h"

/**
 * Append a line to a stack; what is kept of it is copied into the arena.
 *
 * Neighbours of one address become one frame of several calls where the
 * earlier ones are marked inlined, or, in old texts without the mark, name
 * another function.
 */
void stack_add_line(struct report_stack *stack, const struct frame_line *line,
                    struct arena *arena);

#endif

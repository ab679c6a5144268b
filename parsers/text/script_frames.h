// SPDX-License-Identifier: MIT
/**
 * The frames of JavaScript that React Native puts into the reason of its
 * exceptions: `MESSAGE, stack:`, then frames (parsers/text/trace_line.h), a
 * line each; reporters that keep one line join them by blanks.
 */
#ifndef APMTOOL_PARSERS_TEXT_SCRIPT_FRAMES_H
#define APMTOOL_PARSERS_TEXT_SCRIPT_FRAMES_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stdbool.h>

/** Cut the frames off a reason; false, and it is untouched: it has none. */
bool script_frames_split(struct text *reason, struct text *ret_frames);

/** Add them, innermost first, in no image. What is no frame is left out. */
void script_frames_add(struct report_stack *stack, struct text frames,
                       struct arena *arena);

#endif

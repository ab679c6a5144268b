// SPDX-License-Identifier: MIT
/**
 * JavaScript frames that React Native adds to the reason of its exceptions:
 * `MESSAGE, stack:`, then a frame a line (parsers/text/trace_line.h). Reporters
 * that keep one line join them with blanks.
 */
#ifndef APMTOOL_PARSERS_TEXT_SCRIPT_FRAMES_H
#define APMTOOL_PARSERS_TEXT_SCRIPT_FRAMES_H

#include "lib/base/arena.h"
#include "lib/base/text.h"
#include "lib/model/report.h"

#include <stdbool.h>

/**
 * Split the frames off a reason; false, with the reason unchanged, if it has
 * none.
 */
bool script_frames_split(struct text *reason, struct text *ret_frames);

/** Add the frames, innermost first, in no image. Other lines are skipped. */
void script_frames_add(struct report_stack *stack, struct text frames,
                       struct arena *arena);

#endif

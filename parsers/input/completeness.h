// SPDX-License-Identifier: MIT
/**
 * What a text shows and its report does not have: a reader that does not know
 * the lines of a backtrace must not pass for one that found none.
 */
#ifndef APMTOOL_PARSERS_INPUT_COMPLETENESS_H
#define APMTOOL_PARSERS_INPUT_COMPLETENESS_H

#include "lib/base/text.h"
#include "lib/model/report.h"

/**
 * The same where a reader of bytes counted the frames that it came to: if the
 * stacks of @p report have none, note it.
 *
 * @param shown  Frames in the input, read or not.
 */
void completeness_check_frames(struct report *report, size_t shown,
                               struct arena *arena);

/**
 * If @p report, which was read from @p in, has no thread, no frame or no image
 * and the text shows some, note it and mark the report as truncated, or as
 * unread if it has none of them at all. Free for reports that have all three.
 */
void completeness_check(struct text in, struct report *report,
                        struct arena *arena);

#endif

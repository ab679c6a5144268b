// SPDX-License-Identifier: MIT
/**
 * Compares a report with its text: warns if the text shows frames, threads or
 * images that the reader did not recognize.
 */
#ifndef APMTOOL_PARSERS_INPUT_COMPLETENESS_H
#define APMTOOL_PARSERS_INPUT_COMPLETENESS_H

#include "lib/base/text.h"
#include "lib/model/report.h"

/**
 * As completeness_check(), for a reader of binary data that counted the frames
 * itself.
 *
 * @param shown  Frames in the input, parsed or not.
 */
void completeness_check_frames(struct report *report, size_t shown,
                               struct arena *arena);

/**
 * If @p report, parsed from @p in, has no thread, no frame or no image, but the
 * text shows some, add a note and mark the report as truncated; if it has none
 * of the three, as unread. Costs nothing for reports that have all three.
 */
void completeness_check(struct text in, struct report *report,
                        struct arena *arena);

#endif

// SPDX-License-Identifier: MIT
/**
 * Naming the frames of reports.
 *
 * The frames of all stacks of all reports are gathered per image, resolved at
 * once, and put back. A frame that debug info names loses what the device
 * said; a frame that nothing names keeps it.
 */
#ifndef APMTOOL_LIB_ANALYSIS_SYMBOLICATE_SYMBOLICATE_H
#define APMTOOL_LIB_ANALYSIS_SYMBOLICATE_SYMBOLICATE_H

#include "lib/analysis/symbolicate/result.h"
#include "lib/base/arena.h"
#include "lib/model/report.h"
#include "lib/symbols/demangle/demangle.h"
#include "lib/symbols/store.h"

#include <stddef.h>

/** Was no dSYM found, or none of which everything could be read? */
bool symbolicate_needs_dsym(const struct symbol_image *found);

/**
 * Should the user be informed? An image of the app has frames without a line,
 * and the reason is that its dSYM was not found or could not be read.
 */
bool symbolicate_image_needs_dsym(const struct symbolicate_image *image);

/**
 * Is the address of a frame that of the instruction itself, not the return
 * address after a call? The first frame's is, unless its stack says otherwise.
 */
bool symbolicate_is_pc(const struct report_stack *stack, size_t index);

/**
 * How many frames of the app have no line and lie in an image that their report
 * does not list: no UUID, so no dSYM can be matched. Frames of runtimes that
 * have no images are not counted.
 */
size_t symbolicate_count_unlisted(struct report *report);

/**
 * Name what can be named in several reports, each image's file being asked
 * once. What is new lives in @p arena and in the store, there until
 * symbol_store_trim().
 *
 * @param form  How names are printed.
 */
void symbolicate(struct report *const *reports, size_t count,
                 struct symbol_store *store, enum demangle_form form,
                 struct arena *arena, struct symbolicate_result *ret);

#endif

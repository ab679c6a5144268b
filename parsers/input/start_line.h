// SPDX-License-Identifier: MIT
/**
 * First lines of text reports: lines found nowhere else, alone or together with
 * the lines below them.
 */
#ifndef APMTOOL_PARSERS_INPUT_START_LINE_H
#define APMTOOL_PARSERS_INPUT_START_LINE_H

#include "lib/base/text.h"

#include <stdbool.h>

/** Max distance from `Process:` to `Code Type:`, with two paths between. */
#define START_LINE_HEAD_BYTES ((size_t)4 << 10)

/** `Process:  Demo [123]`: other texts have only the label. */
bool start_line_is_process(struct text line);

/** `# Crashlytics - Stack trace`, perhaps rendered as a heading by a page. */
bool start_line_is_crashlytics(struct text line);

/** `Analysis of sampling Demo (pid 123) every 1 millisecond`. */
bool start_line_is_sample(struct text line);

/**
 * The first line of a crash log of Swift's own, or the runtime's message just
 * above it.
 */
bool start_line_is_swift(struct text rest);

/** A line of dashes, as above and below a title. */
bool start_line_is_rule(struct text line);

/** A line of dashes, and below it the Console's title of a report. */
bool start_line_is_console(struct text rest);

/**
 * Do the first lines of @p rest have this label? A crash report has a `Code
 * Type:`, a spindump an `Architecture:`.
 */
bool start_line_has(struct text rest, const char *label);

#endif

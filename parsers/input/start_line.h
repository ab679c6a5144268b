// SPDX-License-Identifier: MIT
/**
 * What reports in text begin with: lines that are found nowhere else, or that
 * are so together with what is below them.
 */
#ifndef APMTOOL_PARSERS_INPUT_START_LINE_H
#define APMTOOL_PARSERS_INPUT_START_LINE_H

#include "lib/base/text.h"

#include <stdbool.h>

/** `Code Type:` is this near to `Process:`, behind two paths. */
#define START_LINE_HEAD_BYTES ((size_t)4 << 10)

/** `Process:  Demo [123]`: other texts have the label alone. */
bool start_line_is_process(struct text line);

/** `# Crashlytics - Stack trace`, which a page may have drawn as a heading. */
bool start_line_is_crashlytics(struct text line);

/** `Analysis of sampling Demo (pid 123) every 1 millisecond`. */
bool start_line_is_sample(struct text line);

/**
 * The first line of a crash log of Swift's own, or the message of the runtime
 * just above it.
 */
bool start_line_is_swift(struct text rest);

/** A line of dashes, as above and below a title. */
bool start_line_is_rule(struct text line);

/** A line of dashes, and below it what the Console writes above a report. */
bool start_line_is_console(struct text rest);

/**
 * Do the lines at the front of @p rest have this label? Those of a crash report
 * have a `Code Type:`, those of a spindump an `Architecture:` instead.
 */
bool start_line_has(struct text rest, const char *label);

#endif

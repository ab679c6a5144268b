// SPDX-License-Identifier: MIT
/**
 * Finds the lines of a log with frames or images, and the process that wrote
 * them.
 */
#ifndef APMTOOL_CMD_RUN_LOG_LINES_H
#define APMTOOL_CMD_RUN_LOG_LINES_H

#include "cmd/run/log_state.h"
#include "lib/base/text.h"

/**
 * Process the next block of a log and write it, except in the pass that only
 * reads images. A block ends with a whole line, except for lines over
 * LOG_LINE_MAX_BYTES and the last one.
 */
void log_lines_take(struct log_filter *filter, struct text block);

#endif

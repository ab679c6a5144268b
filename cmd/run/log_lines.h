// SPDX-License-Identifier: MIT
/**
 * The lines of a log: which of them hold frames or images, and which process
 * wrote them.
 */
#ifndef APMTOOL_CMD_RUN_LOG_LINES_H
#define APMTOOL_CMD_RUN_LOG_LINES_H

#include "cmd/run/log_state.h"
#include "lib/base/text.h"

/**
 * Take the next block of a log and write it, unless it is read for its images
 * alone. It ends in a whole line, but for one that is longer than
 * LOG_LINE_MAX_BYTES, and the last one.
 */
void log_lines_take(struct log_filter *filter, struct text block);

#endif

// SPDX-License-Identifier: MIT
/**
 * Handles stacks of addresses in one line of a log, `(0x19f809e48
 * 0x19f6978d8)`.
 */
#ifndef APMTOOL_CMD_RUN_LOG_STACK_H
#define APMTOOL_CMD_RUN_LOG_STACK_H

#include "cmd/run/log_state.h"
#include "lib/base/text.h"
#include "parsers/text/log_line.h"

#include <stdint.h>

/**
 * If an address gets a name, write a line per frame; otherwise the line is
 * copied with the text around it.
 *
 * @param line  With its line end, at position @p at of the log.
 */
void log_stack_take(struct log_filter *filter, const struct log_line *found,
                    struct text line, uint64_t at);

#endif

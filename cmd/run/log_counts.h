// SPDX-License-Identifier: MIT
/** Counts named and unnamed frames of a log, for log_filter_notice(). */
#ifndef APMTOOL_CMD_RUN_LOG_COUNTS_H
#define APMTOOL_CMD_RUN_LOG_COUNTS_H

#include "cmd/run/log_state.h"
#include "lib/model/report.h"

#include <stdbool.h>
#include <stddef.h>

void log_count_frame(struct log_filter *filter,
                     const struct log_batch_frame *frame, bool is_named);

/** @return The number of named frames. */
size_t log_count_stack(struct log_filter *filter,
                       const struct report_stack *stack);

/** Report how many frames have no place, why, and what to do. */
void log_counts_notice(const struct log_filter *filter,
                       const struct notices *notices);

#endif

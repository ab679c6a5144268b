// SPDX-License-Identifier: MIT
/**
 * The time with which a line of a log begins, as systems and tools write it
 * (apmtool-formats(5), "Console texts"): its shape, not its value.
 *
 *     2026-11-01 10:00:00.123456+0100
 *     11/1/26, 10:00:00.123 AM
 *     Nov  1 10:00:00
 *     [Sun Nov 01 2026 10:00:00.000]
 */
#ifndef APMTOOL_LIB_DARWIN_LOG_TIME_H
#define APMTOOL_LIB_DARWIN_LOG_TIME_H

#include "lib/base/text.h"

#include <stdbool.h>

/** Take a time of day off @p rest, with a date before it or without. */
bool log_time_take(struct text *rest);

/** Take a time of day alone: `10:00:00.123+0100`, `9:00:00 AM`. */
bool log_time_take_clock(struct text *rest);

#endif

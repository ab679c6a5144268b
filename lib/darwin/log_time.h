// SPDX-License-Identifier: MIT
/**
 * The notation of times at the beginning of log lines (apmtool-formats(5),
 * "Console texts"); values are not parsed.
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

/** Remove a time from the front of @p rest, with or without a date. */
bool log_time_take(struct text *rest);

/** Remove a time without date: `10:00:00.123+0100`, `9:00:00 AM`. */
bool log_time_take_clock(struct text *rest);

#endif

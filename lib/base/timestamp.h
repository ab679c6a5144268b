// SPDX-License-Identifier: MIT
/**
 * Dates of reports: `2026-01-31 09:08:07.00 +0800`, ISO 8601, with a 12-hour
 * clock `2019-09-04 1:01:53.560 a +0900`, and in JavaScript's format, `Sat Jan
 * 31 2026 09:08:07 GMT+0800 (China Standard Time)`.
 */
#ifndef APMTOOL_LIB_BASE_TIMESTAMP_H
#define APMTOOL_LIB_BASE_TIMESTAMP_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Milliseconds since 1970 in UTC.
 *
 * @return false unless @p in is a date from 1970 to 9999 with a time zone: an
 * unknown zone is not UTC.
 */
bool timestamp_parse(struct text in, int64_t *ret_ms);

/**
 * Append the date in RFC 3339 format, in its own time zone:
 * `2026-01-31T09:08:07+08:00`, with three digits of milliseconds if it has a
 * fraction.
 *
 * @return false, with nothing appended, if timestamp_parse() rejects it.
 */
bool timestamp_add_iso(struct text in, struct str *out);

/** Seconds from 1970 to a day of the Gregorian calendar, from the year 1. */
int64_t timestamp_of_day(int64_t year, int64_t month, int64_t day);

/** `2026-01-31 09:08:07`, in UTC; @p between separates date and time. */
struct timestamp_text {
	char text[64];
};
struct timestamp_text timestamp_utc(int64_t seconds, char between);

/** Milliseconds of a monotonic clock. */
int64_t timestamp_now_ms(void);

#endif

/**
 * Dates of reports: `2026-01-31 09:08:07.00 +0800`, or ISO 8601.
 */
#ifndef APMTOOL_LIB_BASE_TIMESTAMP_H
#define APMTOOL_LIB_BASE_TIMESTAMP_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Milliseconds since 1970 in UTC.
 *
 * @return false where @p in is no date from 1970 to 9999, or names no zone: an
 *         unknown zone is not UTC.
 */
bool timestamp_parse(struct text in, int64_t *ret_ms);

#endif

// SPDX-License-Identifier: MIT
/** Dates as numbers in JSON; their magnitude gives the unit. */
#ifndef APMTOOL_PARSERS_JSON_DATE_H
#define APMTOOL_PARSERS_JSON_DATE_H

#include "lib/base/arena.h"
#include "lib/base/text.h"

#include <stdint.h>

/**
 * Format seconds, milliseconds or microseconds since 1970 as reports print
 * dates, `2026-01-31 01:08:07.123 +0000`, in UTC.
 *
 * @return NULL after the year 9999.
 */
const char *json_date(uint64_t number, struct arena *arena);

/** As json_date() for a number in text; other text unchanged. NULL if empty. */
const char *json_date_of_text(struct text text, struct arena *arena);

#endif

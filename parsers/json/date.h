// SPDX-License-Identifier: MIT
/**
 * Dates that JSON has as numbers: their size says their unit.
 */
#ifndef APMTOOL_PARSERS_JSON_DATE_H
#define APMTOOL_PARSERS_JSON_DATE_H

#include "lib/base/arena.h"
#include "lib/base/text.h"

#include <stdint.h>

/**
 * Seconds, milliseconds or microseconds since 1970 as reports print a date,
 * `2026-01-31 01:08:07.123 +0000`, in UTC.
 *
 * @return NULL where that is after the year 9999.
 */
const char *json_date(uint64_t number, struct arena *arena);

/** The same of a number as text; any other text as it is. NULL: none. */
const char *json_date_of_text(struct text text, struct arena *arena);

#endif

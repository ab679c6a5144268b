// SPDX-License-Identifier: MIT
#include "parsers/json/date.h"

#include "lib/base/number.h"
#include "lib/base/timestamp.h"

// The last second of the year 9999, the max date.
#define LAST_SECOND UINT64_C(253402300799)

const char *json_date(uint64_t number, struct arena *arena)
{
	if (number > UINT64_C(100000000000000))
		number /= 1000;
	else if (number <= UINT64_C(100000000000))
		number *= 1000;
	if (number / 1000 > LAST_SECOND)
		return NULL;
	return arena_printf(arena, "%s.%03u +0000",
	                    timestamp_utc((int64_t)(number / 1000), ' ').text,
	                    (unsigned)(number % 1000));
}

const char *json_date_of_text(struct text text, struct arena *arena)
{
	uint64_t number;

	if (number_decimal(text, &number))
		return json_date(number, arena);
	return text.size ? arena_text(arena, text) : NULL;
}

// SPDX-License-Identifier: MIT
#include "parsers/text/app_hang.h"

#include "lib/base/text.h"
#include "lib/base/units.h"

#include <string.h>

/** The unit of `between 4.8 and 5.6 seconds` is that of both. */
static uint64_t read_least(struct text message)
{
	static const char between[] = "between ";
	static const char least[] = "at least ";
	size_t at = text_find(message, between);
	struct text number;
	struct text unit;
	uint64_t one_us;
	uint64_t us;

	if (at == TEXT_NOWHERE) {
		at = text_find(message, least);
		return at == TEXT_NOWHERE
		               ? 0
		               : units_read_duration_us(text_after(
		                         message, at + strlen(least)));
	}
	message = text_after(message, at + strlen(between));
	if (!text_next_word(&message, &number) ||
	    !text_next_word(&message, &unit) || !text_is(unit, "and") ||
	    !text_next_word(&message, &unit) ||
	    !text_next_word(&message, &unit))
		return 0;
	one_us = text_starts(unit, "ms") || text_starts(unit, "milli") ? 1000
	         : text_starts(unit, "s")                              ? 1000000
	                                                               : 0;
	return one_us && units_read(number, one_us, (uint64_t)1 << 40, &us) ? us
	                                                                    : 0;
}

bool app_hang_set(struct report *report, const char *type, const char *message)
{
	if (!type || (!strstr(type, "App Hang") && !strstr(type, "AppHang")))
		return false;
	report->kind = "hang";
	report->sample_kind = SAMPLE_KIND_STALL;
	report->sampled_us = message ? read_least(text_from(message)) : 0;
	report->sampled_at_least = report->sampled_us != 0;
	return true;
}

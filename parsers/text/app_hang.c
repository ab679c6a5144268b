// SPDX-License-Identifier: MIT
#include "parsers/text/app_hang.h"

#include "lib/base/text.h"
#include "lib/base/units.h"

#include <string.h>

/** `between 4.8 and 5.6 seconds`: the unit is that of both. */
static bool read_between(struct text message, struct report *report)
{
	struct text min, max, word;
	uint64_t one_us;

	if (!text_next_word(&message, &min) ||
	    !text_next_word(&message, &word) || !text_is(word, "and") ||
	    !text_next_word(&message, &max) || !text_next_word(&message, &word))
		return false;
	one_us = text_starts(word, "ms") || text_starts(word, "milli") ? 1000
	         : text_starts(word, "s")                              ? 1000000
	                                                               : 0;
	if (!one_us ||
	    !units_read(min, one_us, (uint64_t)1 << 40, &report->sampled_us))
		return false;
	if (!units_read(max, one_us, (uint64_t)1 << 40,
	                &report->sampled_most_us) ||
	    report->sampled_most_us < report->sampled_us)
		report->sampled_most_us = 0;
	return true;
}

/** Its duration, which no SDK knows exactly. */
static void read_duration(struct text message, struct report *report)
{
	static const char between[] = "between ";
	static const char min[] = "at least ";
	size_t at = text_find(message, between);

	if (at != TEXT_NOWHERE &&
	    read_between(text_after(message, at + strlen(between)), report))
		return;
	at = text_find(message, min);
	if (at != TEXT_NOWHERE)
		report->sampled_us = units_read_duration_us(
		        text_after(message, at + strlen(min)));
}

bool app_hang_set(struct report *report, const char *type, const char *message)
{
	if (!type || (!strstr(type, "App Hang") && !strstr(type, "AppHang")))
		return false;
	report->kind = "hang";
	report->sample_kind = SAMPLE_KIND_STALL;
	if (message)
		read_duration(text_from(message), report);
	report->sampled_at_least = report->sampled_us != 0;
	return true;
}

// SPDX-License-Identifier: MIT
#include "lib/model/launch.h"

#include "lib/base/timestamp.h"

/** Roles of invisible processes in Apple's reports. */
static bool is_in_background(const char *role)
{
	struct text text = text_from(role ? role : "");

	return text_find(text, "Background") != TEXT_NOWHERE ||
	       text_is(text, "Non UI") || text_is(text, "Daemon");
}

enum at_launch report_at_launch(const struct report *report)
{
	int64_t launched, ended;

	// The record of an app that ran out of memory is of the next launch.
	if (!report->launch_time || !report->date_time || report->kind ||
	    report_section(report, "Extra Information: Memory Termination") ||
	    !timestamp_parse(text_from(report->launch_time), &launched) ||
	    !timestamp_parse(text_from(report->date_time), &ended) ||
	    ended < launched)
		return AT_LAUNCH_UNKNOWN;
	return ended - launched <= LAUNCH_MS && !is_in_background(report->role)
	               ? AT_LAUNCH_YES
	               : AT_LAUNCH_NO;
}

// SPDX-License-Identifier: MIT
/*
 * The `event` format: `apmtool.event/1`, a line a report, for indexes and
 * alarms.
 */
#include "formatters/report/json/event.h"
#include "formatters/formatter.h"
#include "formatters/report/json/report.h"

static void event_report(const struct report *report,
                         const struct format_options *options UNUSED,
                         struct out *out)
{
	struct json_writer writer = json_writer_compact(out);

	json_add_event(&writer, report, NULL);
}

const struct formatter event_formatter = {
	.name = "event",
	.summary = "a short report per line, for indexes and alarms",
	.is_stream = true,
	.explains = true,
	.signs = true,
	.report = event_report,
	.failure = json_failure_line,
};

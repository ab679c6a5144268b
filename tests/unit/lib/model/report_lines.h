// SPDX-License-Identifier: MIT
/**
 * The lines of a text report put together again, as printing without names
 * would: what the reader promises to keep.
 */
#ifndef APMTOOL_TESTS_UNIT_REPORT_LINES_H
#define APMTOOL_TESTS_UNIT_REPORT_LINES_H

#include "lib/base/str.h"
#include "lib/model/report.h"

#include <inttypes.h>

static void add_frame_lines(const struct report_frame *frame, struct str *out)
{
	size_t lines = frame->call_count ? frame->call_count : 1;

	for (size_t i = 0; i < lines; i++) {
		const char *what = frame->call_count ? frame->calls[i].verbatim
		                                     : frame->verbatim;

		if (!frame->columns) {
			str_addf(out, "<0x%" PRIx64 ">\n", frame->address);
			continue;
		}
		str_addf(out, "%-*" PRIu64 "%s%s\n", (int)frame->index_width,
		         frame->index + i, frame->columns, what);
	}
}

static void add_report_lines(const struct report *report, struct str *out)
{
	for (size_t i = 0; i < report->line_count; i++) {
		const struct report_line *line = &report->lines[i];

		if (line->text)
			str_addf(out, "%s\n", line->text);
		for (size_t k = 0; !line->text && k < line->count; k++)
			add_frame_lines(&line->stack->frames[line->first + k],
			                out);
	}
}

#endif

// SPDX-License-Identifier: MIT
/**
 * A stack as text, a line per call, for tests of parsers:
 *
 *     0x1008 pc [system] Demo main+8 main.swift:3:7 inlined
 *
 * Include cmocka's headers first.
 */
#ifndef APMTOOL_TESTS_UNIT_STACK_STRING_H
#define APMTOOL_TESTS_UNIT_STACK_STRING_H

#include "lib/base/str.h"
#include "lib/model/report.h"

#include <inttypes.h>

static void add_call_string(struct str *out, const struct report_call *call)
{
	str_addf(out, " %s", call->symbol ? call->symbol : "?");
	if (call->has_symbol_offset)
		str_addf(out, "+%" PRIu64, call->symbol_offset);
	if (call->file)
		str_addf(out, " %s", call->file);
	if (call->has_line)
		str_addf(out, ":%" PRIu32, call->line);
	if (call->column)
		str_addf(out, ":%" PRIu32, call->column);
}

static void add_frame_string(struct str *out, const struct report *report,
                             const struct report_frame *frame)
{
	const char *image = report_frame_image_name(report, frame);

	for (size_t i = 0; i == 0 || i < frame->call_count; i++) {
		str_addf(out, "0x%" PRIx64, frame->address);
		str_add(out, frame->is_pc ? " pc" : "");
		str_add(out, frame->tags & REPORT_FRAME_ASYNC ? " async" : "");
		str_add(out,
		        frame->tags & REPORT_FRAME_SYSTEM ? " system" : "");
		str_add(out, frame->tags & REPORT_FRAME_THUNK ? " thunk" : "");
		str_addf(out, " %s", image ? image : "-");
		if (frame->image != REPORT_NO_IMAGE)
			str_addf(out, "@%" PRIu64, frame->image_offset);
		if (i < frame->call_count)
			add_call_string(out, &frame->calls[i]);
		str_add(out, i + 1 < frame->call_count ? " inlined\n" : "\n");
	}
}

static UNUSED void assert_stack(const struct report *report,
                                const struct report_stack *stack,
                                const char *expected)
{
	SCOPED(str_release) struct str out = { 0 };

	for (size_t i = 0; i < stack->count; i++)
		add_frame_string(&out, report, &stack->frames[i]);
	assert_string_equal(str_cstr(&out), expected);
}

#endif

// SPDX-License-Identifier: MIT
#include "formatters/formatter.h"
#include "tests/fuzz/parse_input.h"

static void print(struct report *report)
{
	struct out *out = NULL;

	if (out_open("/dev/null", &out))
		abort();
	for (; report; report = report->next) {
		report_place_frames(report);
		text_formatter.report(report, &(struct format_options){ 0 },
		                      out);
		json_formatter.report(report, &(struct format_options){ 0 },
		                      out);
	}
	if (out_close(out))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct text in = { .data = (const char *)data, .size = size };

	print(parse_input(&metrickit_reader, in, &arena));
	return 0;
}

// SPDX-License-Identifier: MIT
#include "formatters/formatter.h"
#include "parsers/reader.h"
#include "tests/unit/read_reports.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Half of the frames, as if we had named them. */
static void name_frames(struct report_stack *stack, void *context)
{
	static struct report_call calls[] = {
		{ .symbol = "inlined", .file = "a.c", .has_line = true },
		{ .symbol = "function" },
	};
	size_t *count = context;

	for (size_t i = 0; i < stack->count; i++) {
		if ((*count)++ % 2)
			continue;
		stack->frames[i].calls = calls;
		stack->frames[i].call_count = ARRAY_SIZE(calls);
		stack->frames[i].source = REPORT_SOURCE_DWARF;
	}
}

static void write_formats(const struct report *report)
{
	struct out *out = NULL;

	if (out_open("/dev/null", &out))
		abort();
	for (size_t i = 0; formatters[i]; i++)
		if (formatters[i]->report)
			formatters[i]->report(
			        report,
			        &(struct format_options){
			                .style = TEXT_STYLE_SIDE_BY_SIDE },
			        out);
	if (out_close(out))
		abort();
}

/** Any report in any format: as it was read, with names, and from the model. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct bytes in = { .data = data, .size = size };
	struct report *report = NULL;
	size_t count = 0;

	error_free(read_reports(in, &arena, &report));
	for (; report; report = report->next) {
		write_formats(report);
		report_each_stack(report, name_frames, &count);
		write_formats(report);
		report->raw = TEXT_NONE;
		write_formats(report);
	}
	return 0;
}

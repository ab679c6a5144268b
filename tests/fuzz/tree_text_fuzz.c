// SPDX-License-Identifier: MIT
#include "formatters/formatter.h"
#include "tests/fuzz/parse_input.h"

static void print(const struct report *report, enum text_style style)
{
	const struct format_options options = { .style = style };
	struct out *out = NULL;

	if (out_open("/dev/null", &out))
		abort();
	text_formatter.report(report, &options, out);
	if (out_close(out))
		abort();
}

static void read(const struct reader *parser, struct text in)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	const struct report *report = parse_input(parser, in, &arena);

	if (!report)
		return;
	print(report, TEXT_STYLE_FULL);
	print(report, TEXT_STYLE_SIDE_BY_SIDE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text in = { .data = (const char *)data, .size = size };

	// Whatever they look like, both readers must bear it.
	read(&sample_reader, in);
	read(&spindump_reader, in);
	return 0;
}

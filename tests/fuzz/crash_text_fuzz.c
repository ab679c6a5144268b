// SPDX-License-Identifier: MIT
#include "formatters/formatter.h"
#include "tests/fuzz/parse_input.h"
#include "tests/unit/read_reports.h"

static void print(const struct report *report)
{
	struct out *out = NULL;

	if (out_open("/dev/null", &out))
		abort();
	text_formatter.report(report, &(struct format_options){ 0 }, out);
	if (out_close(out))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct bytes in = { .data = data, .size = size };
	struct report *report = NULL;
	struct error *err;

	// Detection first, then the text reader whatever that said.
	err = read_reports(in, &arena, &report);
	if (!err != !!report)
		abort();
	error_free(err);
	report = parse_input(&crash_text_reader, bytes_text(in), &arena);
	if (report)
		print(report);
	return 0;
}

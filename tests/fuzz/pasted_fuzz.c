// SPDX-License-Identifier: MIT
/*
 * The formats of other tools that people paste: each reader gets every input,
 * as it is and as its text is printed again.
 */
#include "formatters/formatter.h"
#include "tests/fuzz/parse_input.h"

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
	static const struct reader *const all[] = {
		&swift_log_reader,
		&swift_json_reader,
		&lldb_reader,
	};
	static const struct reader *const events[] = {
		&sentry_reader,
		&bugsnag_reader,
		&crash_report_kit_reader,
	};
	struct text in = { .data = (const char *)data, .size = size };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = parse_input(all[i], in, &arena);

		if (report)
			print(report);
	}
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = parse_input(events[i], in, &arena);

		if (report)
			print(report);
	}
	return 0;
}

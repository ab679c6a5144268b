// SPDX-License-Identifier: MIT
#include "formatters/formatter.h"
#include "lib/analysis/jetsam/jetsam.h"
#include "lib/analysis/jetsam/page.h"
#include "lib/analysis/jetsam/trend.h"
#include "parsers/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void analyse(struct report *report, struct arena *arena)
{
	SCOPED(jetsam_trend_release)
	struct jetsam_trend trend = { .process = "Demo" };
	SCOPED(str_release) struct str chart = { 0 };
	const struct jetsam_view view = { .top = 10 };

	jetsam_analyse(report, arena, &view);
	for (int i = 0; i < 3; i++)
		jetsam_trend_add(&trend, report);
	jetsam_trend_process(&trend, false, arena);
	jetsam_trend_chart(&trend, 60, &chart);
}

static void print(const struct formatter *formatter,
                  const struct report *report, struct arena *arena)
{
	const struct format_options options = { .terminal = true };
	struct out *out;
	struct error *err = out_open("/dev/null", &out);

	if (!err) {
		formatter->page(
		        jetsam_page(report, formatter->for_people, arena),
		        &options, out);
		err = out_close(out);
	}
	error_free(err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct reader *const ours[] = { &ips_jetsam_reader,
		                                     &jetsam_text_reader,
		                                     &jetsam_fragment_reader,
		                                     &jetsam_kernel_reader };
	struct text in = { .data = (const char *)data, .size = size };

	for (size_t i = 0; i < ARRAY_SIZE(ours); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		SCOPED(error_drop) struct error *err = NULL;
		struct report *report = NULL;

		if (!reader_sniff(ours[i], in))
			continue;
		err = reader_read(ours[i], in, &arena, &report);
		if (!err != !!report)
			__builtin_trap();
		if (err)
			continue;
		analyse(report, &arena);
		print(&text_formatter, report, &arena);
		print(&json_formatter, report, &arena);
		print(&csv_formatter, report, &arena);
	}
	return 0;
}

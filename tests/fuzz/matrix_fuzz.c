// SPDX-License-Identifier: MIT
#include "formatters/formatter.h"
#include "lib/analysis/lag/stacks.h"
#include "tests/fuzz/parse_input.h"

static void print(const struct report *report)
{
	struct out *out = NULL;

	if (out_open("/dev/null", &out))
		abort();
	text_formatter.report(report, &(struct format_options){ 0 }, out);
	json_formatter.report(report, &(struct format_options){ 0 }, out);
	if (out_close(out))
		abort();
}

static void fold(const struct report *report, enum lag_threads threads,
                 struct lag_report *lag)
{
	lag_report_clear(lag);
	if (lag_stacks_add(report, threads, lag) != !!lag->profile.sample_count)
		abort();
	lag_report_place(lag);
	calltree_sum(&lag->profile.stacks);
}

/** A file of Matrix, as a report and as the samples it holds. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(intern_release) struct intern names = { 0 };
	SCOPED(lag_report_release) struct lag_report lag;
	struct text in = { .data = (const char *)data, .size = size };
	struct report *report = parse_input(&kscrash_reader, in, &arena);

	lag_report_init(&lag, &names);
	for (; report; report = report->next) {
		print(report);
		fold(report, LAG_THREADS_MAIN, &lag);
		fold(report, LAG_THREADS_SPLIT, &lag);
	}
	return 0;
}

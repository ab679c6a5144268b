#include "formatters/formatter.h"
#include "parsers/parser.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
	struct report *report = NULL;
	struct error *err;

	parser_sniff(&metrickit_parser, in);
	err = parser_parse(&metrickit_parser, in, &arena, &report);
	if (!err != !!report)
		abort();
	error_free(err);
	print(report);
	return 0;
}

// SPDX-License-Identifier: MIT
/*
 * The `jsonl` format: the output of `json` on one line per report, for streams.
 */
#include "formatters/calltree/formats.h"
#include "formatters/formatter.h"
#include "formatters/page/formats.h"
#include "formatters/report/json/report.h"
#include "formatters/table/formats.h"

static void jsonl_report(const struct report *report,
                         const struct format_options *options UNUSED,
                         struct out *out)
{
	struct json_writer writer = json_writer_compact(out);

	json_add_report(&writer, report);
}

static void jsonl_page(const struct page *page,
                       const struct format_options *options UNUSED,
                       struct out *out)
{
	struct json_writer writer = json_writer_compact(out);

	json_add_page(&writer, page);
}

const struct formatter jsonl_formatter = {
	.name = "jsonl",
	.summary = "like json, one document per line",
	.is_stream = true,
	.report = jsonl_report,
	.table = jsonl_table,
	.calltree = jsonl_calltree,
	.page = jsonl_page,
	.failure = json_failure_line,
};

// SPDX-License-Identifier: MIT
/*
 * The `json` format: for a report `apmtool.report/1`, for a table
 * `apmtool.table/1` and so on; the schemas are in formatters/schema/.
 */
#include "formatters/calltree/formats.h"
#include "formatters/formatter.h"
#include "formatters/page/formats.h"
#include "formatters/report/json/report.h"
#include "formatters/table/formats.h"

static void json_report(const struct report *report,
                        const struct format_options *options UNUSED,
                        struct out *out)
{
	struct json_writer writer = json_writer_to(out);

	json_add_report(&writer, report);
}

static void json_page(const struct page *page,
                      const struct format_options *options UNUSED,
                      struct out *out)
{
	struct json_writer writer = json_writer_to(out);

	json_add_page(&writer, page);
}

static void json_begin(struct out *out)
{
	out_add(out, "{\"schema\":\"apmtool.reports/1\",\"reports\":[\n");
}

static void json_between(struct out *out)
{
	out_add(out, ",\n");
}

static void json_end(const struct str *list UNUSED, struct out *out)
{
	out_add(out, "]}\n");
}

static void json_failure(const char *input, const struct error *err,
                         struct out *out)
{
	struct json_writer writer = json_writer_to(out);

	json_add_failure(&writer, input, err);
}

const struct formatter json_formatter = {
	.name = "json",
	.summary = "everything, for programs (see 'apmtool schema')",
	.report = json_report,
	.table = json_table,
	.calltree = json_calltree,
	.page = json_page,
	.begin = json_begin,
	.between = json_between,
	.end = json_end,
	.failure = json_failure,
};

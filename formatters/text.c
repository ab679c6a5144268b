// SPDX-License-Identifier: MIT
/* The `text` format, for people. */
#include "formatters/calltree/formats.h"
#include "formatters/formatter.h"
#include "formatters/page/formats.h"
#include "formatters/report/text/report.h"
#include "formatters/table/formats.h"

static void text_between(struct out *out)
{
	out_add(out, "\n");
}

const struct formatter text_formatter = {
	.name = "text",
	.summary = "crash reports in Apple's text format; tables and call "
	           "trees",
	.extension = "crash",
	.for_people = true,
	.has_styles = true,
	.report = text_report,
	.table = text_table,
	.colors_kinds = true,
	.calltree = text_calltree,
	.page = text_page,
	.between = text_between,
};

/*
 * The `text` format: what a person reads.
 */
#include "formatters/calltree/formats.h"
#include "formatters/formatter.h"
#include "formatters/page/jetsam.h"
#include "formatters/report/text/report.h"
#include "formatters/table/formats.h"

static void text_report_or_page(const struct report *report,
                                const struct format_options *options,
                                struct out *out)
{
	if (report->jetsam)
		jetsam_page(report, options, out);
	else
		text_report(report, options, out);
}

static void text_between(struct out *out)
{
	out_add(out, "\n");
}

const struct formatter crash_text_formatter = {
	.name = "text",
	.summary = "crash reports in Apple's text format; tables and call "
	           "trees",
	.has_styles = true,
	.report = text_report_or_page,
	.table = text_table,
	.calltree = text_calltree,
	.between = text_between,
};

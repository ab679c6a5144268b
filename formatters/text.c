/*
 * The `text` format: Apple's text form of a crash report. A report that was
 * read from text gives its own lines back; any other is laid out.
 */
#include "formatters/calltree/formats.h"
#include "formatters/formatter.h"
#include "formatters/page/jetsam.h"
#include "formatters/report/text/frames.h"
#include "formatters/report/text/layout.h"
#include "formatters/report/text/tree_text.h"
#include "formatters/table/formats.h"

static void crash_text_lines(const struct report *report, enum text_style style,
                             struct out *out)
{
	struct frame_numbering numbering = { 0 };
	SCOPED(tree_text_writer_release)
	struct tree_text_writer trees = {
		.report = report,
		.style = style,
		.out = out,
	};

	for (size_t i = 0; i < report->line_count; i++) {
		const struct report_line *line = &report->lines[i];

		if (line->text) {
			out_add_visible(out, line->text);
			out_add(out, "\n");
		} else if (tree_text_is(line)) {
			tree_text_write(&trees, line);
		} else {
			crash_text_frames(report, line->stack, line->first,
			                  line->count, style, &numbering, out);
		}
	}
}

static void crash_text_report(const struct report *report,
                              const struct format_options *options,
                              struct out *out)
{
	if (report->jetsam)
		jetsam_page(report, options, out);
	else if (report->lines)
		crash_text_lines(report, options->style, out);
	else
		crash_text_layout(report, options->style, out);
}

static void crash_text_between(struct out *out)
{
	out_add(out, "\n");
}

const struct formatter crash_text_formatter = {
	.name = "text",
	.summary = "Apple's text form of a crash report; aligned tables, trees",
	.has_styles = true,
	.report = crash_text_report,
	.table = text_table,
	.calltree = text_calltree,
	.between = crash_text_between,
};

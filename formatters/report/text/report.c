// SPDX-License-Identifier: MIT
#include "formatters/report/text/report.h"

#include "formatters/report/text/frames.h"
#include "formatters/report/text/layout.h"
#include "formatters/report/text/tree_text.h"

static void add_lines(const struct report *report, enum text_style style,
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

void text_report(const struct report *report,
                 const struct format_options *options, struct out *out)
{
	if (report->lines)
		add_lines(report, options->style, out);
	else
		crash_text_layout(report, options->style, out);
}

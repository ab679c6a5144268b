// SPDX-License-Identifier: MIT
#include "formatters/report/text/layout.h"

#include "formatters/report/text/parts.h"
#include "lib/base/text.h"
#include "lib/darwin/platforms.h"

/** Which of Apple's layouts a report gets, in both halves. */
struct layout {
	bool macos_header;
	bool macos_body;
};

static struct layout layout_of(const struct report *report)
{
	struct text os =
	        text_from(report->os_version ? report->os_version : "");
	bool macos = report->platform == DARWIN_PLATFORM_MACOS ||
	             text_starts(os, "macOS") || text_starts(os, "Mac OS X");

	return (struct layout){
		.macos_header = macos &&
		                !darwin_platform_is_simulator(report->platform),
		.macos_body = macos,
	};
}

void crash_text_facts(const struct report *report, struct out *out)
{
	bool macos = layout_of(report).macos_header;

	if (report->kind) {
		crash_text_other_facts(report, out);
		return;
	}
	crash_text_header(report, macos, out);
	crash_text_exception(report, macos, out);
}

void crash_text_layout(const struct report *report, enum text_style style,
                       struct out *out)
{
	struct layout layout = layout_of(report);

	if (report->kind) {
		crash_text_other(report, style, out);
		return;
	}
	crash_text_header(report, layout.macos_header, out);
	crash_text_exception(report, layout.macos_header, out);
	crash_text_app_information(report, out);
	crash_text_backtraces(report, style, out);
	crash_text_sections(report, SECTION_BEFORE_THREADS, layout.macos_header,
	                    out);
	crash_text_threads(report, layout.macos_body, style, out);
	crash_text_sections(report, SECTION_AFTER_STATE, layout.macos_header,
	                    out);
	crash_text_images(report, layout.macos_body, out);
	crash_text_sections(report, SECTION_AFTER_IMAGES, layout.macos_header,
	                    out);
	crash_text_sections(report, SECTION_LAST, layout.macos_header, out);
	if (!layout.macos_header)
		out_add(out, "\nEOF\n");
	crash_text_extra(report, out);
}

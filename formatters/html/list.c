// SPDX-License-Identifier: MIT
#include "formatters/html/document.h"
#include "formatters/html/parts.h"

void html_begin_several(struct out *out)
{
	html_begin_one("Reports", out);
}

/** The script moves it to the top, where the style also shows it. */
void html_end_several(const struct str *list, struct out *out)
{
	if (list->size) {
		out_add(out, "<nav class=\"reports\" id=\"reports\" "
		             "aria-label=\"Reports\">\n<h2>Reports</h2>\n"
		             "<ol>\n");
		out_add_bytes(out, list->data, list->size);
		out_add(out, "</ol>\n</nav>\n");
	}
	html_end_one(out);
}

void html_add_entry(const struct report *report, const struct page *page,
                    struct str *list)
{
	str_addf(list, "<li><a href=\"#r%zu\"><bdi>",
	         report->number ? report->number : 1);
	html_add(list,
	         page ? html_page_title(page) : html_report_title(report));
	str_add(list, "</bdi></a>");
	if (report->input) {
		str_add(list, " <bdi class=\"aside\">");
		html_add(list, report->input);
		str_add(list, "</bdi>");
	}
	str_add(list, "</li>\n");
}

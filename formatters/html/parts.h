// SPDX-License-Identifier: MIT
/**
 * Reports, tables and pages in HTML, as documents and as parts of one.
 */
#ifndef APMTOOL_FORMATTERS_HTML_PARTS_H
#define APMTOOL_FORMATTERS_HTML_PARTS_H

#include "lib/base/out.h"
#include "lib/base/str.h"
#include "lib/model/excerpt.h"
#include "lib/model/format_options.h"
#include "lib/model/page.h"
#include "lib/model/report.h"
#include "lib/model/table.h"

/**
 * What happened, each claim with links to its evidence (line, register or
 * frame), the stack to look at first, and then the rest of the report.
 */
void html_report(const struct report *report,
                 const struct format_options *options, struct out *out);

/**
 * The rows, sortable by column. Columns that text omits are below each row,
 * collapsed.
 */
void html_table(const struct table *table, const struct format_options *options,
                struct out *out);
/** All parts in order; of an explanation, each claim with its evidence. */
void html_page(const struct page *page, const struct format_options *options,
               struct out *out);

/**
 * Append one table as a section.
 *
 * @param title  May be NULL.
 */
void html_add_table(const struct table *table, const char *title,
                    const char *note, const struct format_options *options,
                    struct out *out);

/** Append lines of a source file, the frame's line in bold. */
void html_add_excerpt(const struct excerpt *excerpt, struct str *line);

/** What happened, in one line; never NULL. */
const char *html_page_title(const struct page *page);
const char *html_report_title(const struct report *report);

/** Before several pages, and after them, with a list of links to them. */
void html_begin_several(struct out *out);
void html_end_several(const struct str *list, struct out *out);
/**
 * Append an item to that list. @p page is NULL if the report itself is shown.
 */
void html_add_entry(const struct report *report, const struct page *page,
                    struct str *list);

#endif

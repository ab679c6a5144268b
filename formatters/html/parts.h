/**
 * Tables and pages in HTML, as documents and as parts of one.
 */
#ifndef APMTOOL_FORMATTERS_HTML_PARTS_H
#define APMTOOL_FORMATTERS_HTML_PARTS_H

#include "lib/base/out.h"
#include "lib/model/format_options.h"
#include "lib/model/page.h"
#include "lib/model/table.h"

/**
 * The rows, sorted by the column that a person chooses. What text leaves out
 * for want of room is below each row, folded.
 */
void html_table(const struct table *table, const struct format_options *options,
                struct out *out);
/** From top to bottom; of an explanation, each claim with its evidence. */
void html_page(const struct page *page, const struct format_options *options,
               struct out *out);

/** One table as a section; no title: NULL. */
void html_add_table(const struct table *table, const char *title,
                    const char *note, struct out *out);

/** Before several pages, and after them. */
void html_begin_several(struct out *out);
void html_end_several(struct out *out);

#endif

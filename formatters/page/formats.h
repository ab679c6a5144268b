// SPDX-License-Identifier: MIT
/**
 * Pages in the formats that show other shapes, too.
 */
#ifndef APMTOOL_FORMATTERS_PAGE_FORMATS_H
#define APMTOOL_FORMATTERS_PAGE_FORMATS_H

#include "lib/base/out.h"
#include "lib/model/format_options.h"
#include "lib/model/page.h"
#include "lib/text/json/writer.h"

/**
 * All of it, from top to bottom, an empty line between the parts. The title
 * and the headings of tables are bold where colors are wanted; without a
 * title, the first line of the verdict is.
 */
void text_page(const struct page *page, const struct format_options *options,
               struct out *out);

/**
 * Write the document that a page shows, which has a schema of its own, or else
 * `apmtool.page/1`; the final newline included.
 */
void json_add_page(struct json_writer *w, const struct page *page);

/** The list that the page rests on, or else nothing. */
void csv_page(const struct page *page, const struct format_options *options,
              struct out *out);

#endif

// SPDX-License-Identifier: MIT
/** Pages in the formats `text`, `json` and `csv`. */
#ifndef APMTOOL_FORMATTERS_PAGE_FORMATS_H
#define APMTOOL_FORMATTERS_PAGE_FORMATS_H

#include "lib/base/out.h"
#include "lib/model/format_options.h"
#include "lib/model/page.h"
#include "lib/text/json/writer.h"

/**
 * All parts in order, separated by empty lines. In color, the title and the
 * headings of tables are bold; without a title, the first line of the verdict.
 */
void text_page(const struct page *page, const struct format_options *options,
               struct out *out);

/**
 * Write the page's document, in its own schema or else `apmtool.page/1`, with
 * the final newline.
 */
void json_add_page(struct json_writer *w, const struct page *page);

/** The list that the page is based on; nothing if it has none. */
void csv_page(const struct page *page, const struct format_options *options,
              struct out *out);

#endif

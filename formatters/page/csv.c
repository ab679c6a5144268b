// SPDX-License-Identifier: MIT
#include "formatters/page/formats.h"
#include "formatters/table/formats.h"

void csv_page(const struct page *page, const struct format_options *options,
              struct out *out)
{
	if (page->list)
		csv_table(page->list, options, out);
}

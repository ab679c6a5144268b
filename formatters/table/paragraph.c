// SPDX-License-Identifier: MIT
#include "formatters/table/paragraph.h"

#include "lib/base/columns.h"
#include "lib/base/utf8.h"

#include <string.h>

#define HANGING 4

void paragraph_write(const char *text, const struct format_options *options,
                     struct out *out)
{
	SCOPED(str_release) struct str visible = { 0 };
	SCOPED(str_release) struct str wrapped = { 0 };
	size_t blanks = strspn(text, " ");
	struct columns_lines lines = {
		.out = &wrapped,
		.width = options->columns,
		.indent = blanks + HANGING,
		.column = blanks,
	};

	if (!options->columns) {
		out_add_visible(out, text);
		return;
	}
	utf8_add_visible(&visible, text_from(text + blanks));
	str_add_repeat(&wrapped, ' ', blanks);
	columns_add_text(&lines, str_text(&visible));
	out_add_bytes(out, wrapped.data, wrapped.size);
}

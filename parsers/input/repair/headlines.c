// SPDX-License-Identifier: MIT
#include "parsers/input/repair/headlines.h"

#include "lib/darwin/headline.h"

size_t headlines_add(struct text in, struct str *out)
{
	struct headline headline = { 0 };
	struct text line;
	size_t count = 0;

	while (text_next_line(&in, &line)) {
		if (!headline_find(line, &headline) || headline.needs_frames)
			continue;
		str_add_text(out, line);
		str_add_char(out, '\n');
		count++;
	}
	return count;
}

// SPDX-License-Identifier: MIT
#include "tests/unit/parsers/lag/lag_reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Line by line gives what all at once gives. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text in = { .data = (const char *)data, .size = size };
	struct text rest = in;
	struct lag_reading whole;
	struct lag_reading lines;

	lag_reading_begin(&whole);
	lag_reading_take(&whole, in, LAG_FORMAT_COLLAPSED);
	lag_reading_begin(&lines);
	for (size_t line = 1; rest.size; line++) {
		size_t end = text_find_char(rest, '\n');

		end = end == TEXT_NOWHERE ? rest.size : end + 1;
		lag_read_collapsed(&lines.reader, text_first(rest, end), line);
		rest = text_after(rest, end);
	}
	lag_reader_end(&lines.reader);
	// An input without a line is no report when it is read by lines.
	if (size && strcmp(str_cstr(&whole.out), str_cstr(&lines.out)) != 0)
		__builtin_trap();
	lag_reading_release(&lines);
	lag_reading_release(&whole);
	return 0;
}

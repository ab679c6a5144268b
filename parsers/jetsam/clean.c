// SPDX-License-Identifier: MIT
#include "parsers/jetsam/clean.h"

#include <string.h>

/** After the end of a string that @p in begins with. */
static size_t string_size(struct text in)
{
	size_t at = 1;

	while (at < in.size && in.data[at] != '"' && in.data[at] != '\n')
		at += in.data[at] == '\\' ? 2 : 1;
	return at < in.size ? at + 1 : in.size;
}

/** How much of @p in is left out; 0: it begins with a value. */
static size_t filler_size(struct text in)
{
	static const char ellipsis[] = "\xe2\x80\xa6";
	size_t end;

	if (text_starts(in, "...") || text_starts(in, ellipsis))
		return 3;
	if (!text_starts(in, "//"))
		return 0;
	end = text_find_char(in, '\n');
	return end == TEXT_NOWHERE ? in.size : end;
}

struct text jetsam_clean(struct text in, struct arena *arena)
{
	char *out = arena_take(arena, in.size + 1);
	size_t size = 0;

	while (in.size) {
		size_t filler = filler_size(in);
		size_t taken = in.data[0] == '"' ? string_size(in) : 1;

		if (!filler) {
			memcpy(out + size, in.data, taken);
			size += taken;
		}
		in = text_after(in, filler ? filler : taken);
	}
	out[size] = '\0';
	return (struct text){ .data = out, .size = size };
}

// SPDX-License-Identifier: MIT
#include "parsers/input/repair/json_lines.h"

#include "lib/base/block.h"

enum {
	ENDS_JSON = 1,
	BEGINS_JSON = 2,
};

/** Usual last and first characters of lines. */
static const unsigned char usual_json[256] = {
	['"'] = ENDS_JSON | BEGINS_JSON,
	['{'] = ENDS_JSON | BEGINS_JSON,
	['}'] = ENDS_JSON | BEGINS_JSON,
	[']'] = ENDS_JSON | BEGINS_JSON,
	['['] = ENDS_JSON,
	[','] = ENDS_JSON,
	['0'] = ENDS_JSON,
	['1'] = ENDS_JSON,
	['2'] = ENDS_JSON,
	['3'] = ENDS_JSON,
	['4'] = ENDS_JSON,
	['5'] = ENDS_JSON,
	['6'] = ENDS_JSON,
	['7'] = ENDS_JSON,
	['8'] = ENDS_JSON,
	['9'] = ENDS_JSON,
};

/** Does the line break at @p at look like the text's usual ones? */
static bool is_usual_end(struct text in, size_t at)
{
	size_t next = at + 1;

	while (next < in.size && text_is_blank(in.data[next]))
		next++;
	return at && next < in.size &&
	       usual_json[(unsigned char)in.data[at - 1]] & ENDS_JSON &&
	       usual_json[(unsigned char)in.data[next]] & BEGINS_JSON;
}

/** is_usual_end() for the line end at bit @p i of the blocks at @p at. */
static inline bool is_usual_in_blocks(struct text in, size_t at, unsigned i,
                                      uint64_t blanks)
{
	uint64_t others = ~blanks >> i >> 1;
	size_t next = at + i + 1;

	if (!others || next == 1)
		return is_usual_end(in, next - 1);
	next += (size_t)__builtin_ctzll(others);
	return usual_json[(unsigned char)in.data[at + i - 1]] & ENDS_JSON &&
	       usual_json[(unsigned char)in.data[next]] & BEGINS_JSON;
}

struct text json_lines_pass(struct text in)
{
	size_t line = 0;
	size_t at = 0;

	for (; in.size - at >= BLOCKS_BYTES; at += BLOCKS_BYTES) {
		const struct blocks bytes = blocks_load(in.data + at);
		const uint64_t blanks = blocks_blanks(&bytes);
		uint64_t ends = blocks_bits_of(&bytes, '\n');

		for (; ends; ends &= ends - 1) {
			unsigned i = (unsigned)__builtin_ctzll(ends);

			if (!is_usual_in_blocks(in, at, i, blanks))
				return text_after(in, line);
			line = at + i + 1;
		}
	}
	for (; at < in.size; at++) {
		if (in.data[at] != '\n')
			continue;
		if (!is_usual_end(in, at))
			break;
		line = at + 1;
	}
	return text_after(in, line);
}

// SPDX-License-Identifier: MIT
#include "lib/base/utf8.h"

#include "lib/base/block.h"

#include <inttypes.h>
#include <string.h>

size_t utf8_decode(struct text in, size_t at, uint32_t *ret)
{
	static const uint32_t min[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p;
	uint32_t value;
	size_t size;

	if (at >= in.size)
		return 0;
	p = (const unsigned char *)in.data + at;
	if (p[0] < 0x80) {
		*ret = p[0];
		return 1;
	}
	if (p[0] >= 0xf0 && p[0] < 0xf8) {
		size = 4;
		value = p[0] & 7;
	} else if (p[0] >= 0xe0) {
		size = 3;
		value = p[0] & 15;
	} else {
		size = 2;
		value = p[0] & 31;
	}
	if (p[0] < 0xc2 || p[0] >= 0xf8 || in.size - at < size)
		return 0;
	for (size_t i = 1; i < size; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (p[i] & 0x3f);
	}
	if (value < min[size] || value > 0x10ffff ||
	    (value >= 0xd800 && value <= 0xdfff))
		return 0;
	*ret = value;
	return size;
}

size_t utf8_encode(uint32_t c, char *to)
{
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (size_t i = size; --i; c >>= 6)
		to[i] = (char)(0x80 | (c & 0x3f));
	to[0] = (char)(lead[size] | c);
	return size;
}

struct text utf8_first(struct text in, size_t max)
{
	if (in.size <= max)
		return in;
	while (max && ((unsigned char)in.data[max] & 0xc0) == 0x80)
		max--;
	return text_first(in, max);
}

struct range {
	uint32_t first;
	uint32_t last;
};

static bool in_ranges(uint32_t c, const struct range *ranges, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

// Unicode's East Asian Width W and F, by block; enough to align a column.
static const struct range wide[] = {
	{ 0x1100, 0x115f },   { 0x2e80, 0x303e },   { 0x3041, 0x33ff },
	{ 0x3400, 0x4dbf },   { 0x4e00, 0x9fff },   { 0xa000, 0xa4cf },
	{ 0xa960, 0xa97f },   { 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },
	{ 0xfe30, 0xfe6f },   { 0xff00, 0xff60 },   { 0xffe0, 0xffe6 },
	{ 0x1f300, 0x1f64f }, { 0x1f680, 0x1f6ff }, { 0x1f900, 0x1f9ff },
	{ 0x20000, 0x3fffd },
};

// Marks that sit on the character before them, and joiners.
static const struct range zero_width[] = {
	{ 0x0300, 0x036f }, { 0x0483, 0x0489 }, { 0x0591, 0x05bd },
	{ 0x0610, 0x061a }, { 0x064b, 0x065f }, { 0x0670, 0x0670 },
	{ 0x093c, 0x093c }, { 0x0941, 0x0948 }, { 0x094d, 0x094d },
	{ 0x0e31, 0x0e31 }, { 0x0e34, 0x0e3a }, { 0x0e47, 0x0e4e },
	{ 0x1160, 0x11ff }, { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff },
	{ 0x200b, 0x200d }, { 0x20d0, 0x20ff }, { 0x3099, 0x309a },
	{ 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f }, { 0xe0100, 0xe01ef },
};

// Characters that can act on a terminal or reorder a line: C0 except tab, DEL,
// C1, Arabic letter mark, direction marks and overrides, line separators, BOM.
static const struct range hidden[] = {
	{ 0x00, 0x08 },     { 0x0a, 0x1f },     { 0x7f, 0x9f },
	{ 0x061c, 0x061c }, { 0x200e, 0x200f }, { 0x2028, 0x202e },
	{ 0x2066, 0x2069 }, { 0xfeff, 0xfeff },
};

bool utf8_is_hidden(uint32_t c)
{
	return in_ranges(c, hidden, ARRAY_SIZE(hidden));
}

/** Columns of the character at @p at, and on to the next one. */
static size_t next_width(struct text in, size_t *at)
{
	uint32_t c = 0;
	size_t size = utf8_decode(in, *at, &c);

	*at += size ? size : 1;
	if (!size || c < zero_width[0].first)
		return 1;
	if (in_ranges(c, zero_width, ARRAY_SIZE(zero_width)))
		return 0;
	return in_ranges(c, wide, ARRAY_SIZE(wide)) ? 2 : 1;
}

size_t utf8_width(struct text in)
{
	size_t at = 0;
	size_t width;

	// Fast path for ASCII: one column per byte.
	while (in.size - at >= OCTETS &&
	       !octets_above_ascii(octets_load(in.data + at)))
		at += OCTETS;
	width = at;
	while (at < in.size) {
		bool is_ascii = (unsigned char)in.data[at] < 0x80;

		width += is_ascii ? 1 : next_width(in, &at);
		at += is_ascii;
	}
	return width;
}

size_t utf8_fit(struct text in, size_t width)
{
	size_t used = 0, end = 0;

	for (size_t at = 0; at < in.size; end = at) {
		used += next_width(in, &at);
		if (used > width)
			break;
	}
	return end;
}

size_t utf8_fit_end(struct text in, size_t width)
{
	size_t rest = utf8_width(in);
	size_t start = 0;

	for (size_t at = 0; at < in.size; start = at) {
		size_t size = next_width(in, &at);

		// A combining mark belongs to the omitted character before it.
		if (rest <= width && (size || !start))
			break;
		rest -= size;
	}
	return start;
}

/** Bytes other than printable ASCII. */
static block special_bytes(block bytes)
{
	return block_unusual(bytes, 0x20) | block_of(bytes, 0x7f);
}

/** End of the run of printable ASCII from @p at on. */
static size_t plain_end(struct text in, size_t at)
{
	block last;

	for (; in.size - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
		block bytes = block_load(in.data + at);
		unsigned found = block_bits(special_bytes(bytes));

		if (found)
			return at + block_first(found);
	}
	last = block_load_few(in.data + at, in.size - at, ' ');
	if (!block_bits(special_bytes(last)))
		return in.size;
	while (at < in.size && in.data[at] >= 0x20 && in.data[at] < 0x7f)
		at++;
	return at;
}

/** The line end at @p at: its size, or 0. */
static size_t line_end_size(struct text in, size_t at)
{
	if (in.data[at] == '\n')
		return 1;
	return in.data[at] == '\r' && in.size - at > 1 &&
	                       in.data[at + 1] == '\n'
	               ? 2
	               : 0;
}

size_t utf8_find_hidden(struct text in, size_t at)
{
	// Nearly all text is plain ASCII, and looked at in words.
	while ((at = plain_end(in, at)) < in.size) {
		size_t size = line_end_size(in, at);
		uint32_t c = 0;

		if (!size) {
			size = utf8_decode(in, at, &c);
			if (!size || utf8_is_hidden(c))
				return at;
		}
		at += size;
	}
	return at;
}

void utf8_add_visible(struct str *out, struct text in)
{
	size_t plain = 0;

	for (size_t at = 0; at < in.size;) {
		uint32_t c;
		size_t size;

		// Nearly all text is plain ASCII: copied in one piece.
		at = plain_end(in, at);
		if (at == in.size)
			break;
		size = utf8_decode(in, at, &c);
		if (size && !utf8_is_hidden(c)) {
			at += size;
			continue;
		}
		str_add_bytes(out, in.data + plain, at - plain);
		if (!size)
			str_addf(out, "\\x%02x", (unsigned char)in.data[at]);
		else if (c < 0x100)
			str_addf(out, "\\x%02" PRIx32, c);
		else
			str_addf(out, "\\u{%" PRIx32 "}", c);
		at += size ? size : 1;
		plain = at;
	}
	str_add_text(out, text_after(in, plain));
}

void utf8_add_cell(struct str *out, struct text in)
{
	size_t tab;

	while ((tab = text_find_char(in, '\t')) != TEXT_NOWHERE) {
		utf8_add_visible(out, text_first(in, tab));
		str_add(out, "\\x09");
		in = text_after(in, tab + 1);
	}
	utf8_add_visible(out, in);
}

void utf8_add_valid(struct str *out, struct text in)
{
	size_t plain = 0;

	for (size_t at = 0; at < in.size;) {
		uint32_t c;
		size_t size = utf8_decode(in, at, &c);

		if (size) {
			at += size;
			continue;
		}
		str_add_bytes(out, in.data + plain, at - plain);
		str_add(out, "\xef\xbf\xbd");
		plain = ++at;
	}
	str_add_text(out, text_after(in, plain));
}

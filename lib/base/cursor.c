// SPDX-License-Identifier: MIT
#include "lib/base/cursor.h"

#include <string.h>

bool bytes_has(struct bytes in, uint64_t offset, uint64_t size)
{
	return offset <= in.size && size <= in.size - offset;
}

struct bytes bytes_part(struct bytes in, uint64_t offset, uint64_t size)
{
	// Adding even zero to a NULL pointer is undefined.
	if (!in.data || !bytes_has(in, offset, size))
		return (struct bytes){ 0 };
	return (struct bytes){ .data = in.data + offset, .size = (size_t)size };
}

struct bytes bytes_from_text(struct text text)
{
	return (struct bytes){ .data = (const uint8_t *)text.data,
		               .size = text.size };
}

struct text bytes_text(struct bytes in)
{
	return (struct text){ .data = (const char *)in.data, .size = in.size };
}

static void cursor_fail(struct cursor *c, uint64_t wanted)
{
	if (c->failed)
		return;
	c->failed = true;
	c->failed_pos = c->pos;
	c->failed_size = wanted > SIZE_MAX ? SIZE_MAX : (size_t)wanted;
}

struct bytes cursor_bytes(struct cursor *c, uint64_t size)
{
	struct bytes part;

	if (c->failed || size > cursor_left(c)) {
		cursor_fail(c, size);
		return (struct bytes){ 0 };
	}
	part = bytes_part(c->in, c->pos, size);
	c->pos += (size_t)size;
	return part;
}

uint64_t cursor_uint_slowly(struct cursor *c, unsigned size)
{
	struct bytes raw = cursor_bytes(c, size);
	uint64_t value = 0;

	for (size_t i = 0; i < raw.size && i < 8; i++) {
		size_t at = c->order == CURSOR_BIG ? i : raw.size - 1 - i;

		value = value << 8 | raw.data[at];
	}
	return value;
}

/** A LEB128 number that began at @p start is too large. */
static void cursor_fail_number(struct cursor *c, size_t start)
{
	size_t size = c->pos - start;

	c->pos = start;
	cursor_fail(c, size);
}

uint64_t cursor_uleb_long(struct cursor *c)
{
	size_t start = c->pos;
	uint64_t value = 0;
	unsigned shift = 0;

	for (;;) {
		uint8_t byte = cursor_u8(c);
		uint64_t low = byte & 0x7f;

		if (c->failed)
			return 0;
		// Padding with zero groups is legal; lost bits are not.
		if (low && (shift > 63 || low << shift >> shift != low)) {
			cursor_fail_number(c, start);
			return 0;
		}
		if (shift < 64)
			value |= low << shift;
		shift = shift > 63 ? 64 : shift + 7;
		if (!(byte & 0x80))
			return value;
	}
}

int64_t cursor_sleb(struct cursor *c)
{
	size_t start = c->pos;
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		uint64_t low, sign;

		byte = cursor_u8(c);
		if (c->failed)
			return 0;
		low = byte & 0x7f;
		sign = value >> 63 ? 0x7f : 0;
		// The 64th bit is the sign; all above it must repeat it.
		if ((shift == 63 && low != 0 && low != 0x7f) ||
		    (shift > 63 && low != sign)) {
			cursor_fail_number(c, start);
			return 0;
		}
		if (shift < 64)
			value |= low << shift;
		shift = shift > 63 ? 64 : shift + 7;
	} while (byte & 0x80);
	if (shift < 64 && (byte & 0x40))
		value |= ~(uint64_t)0 << shift;
	return (int64_t)value;
}

void cursor_end_at(struct cursor *c, uint64_t end)
{
	if (end < c->pos || end > c->in.size)
		cursor_fail(c, end < c->pos ? 0 : end - c->pos);
	else
		c->in.size = (size_t)end;
}

const char *cursor_cstr(struct cursor *c)
{
	struct bytes rest = bytes_part(c->in, c->pos, cursor_left(c));
	const uint8_t *start = rest.data;
	const uint8_t *end = rest.size ? memchr(start, 0, rest.size) : NULL;

	if (c->failed || !end) {
		cursor_fail(c, (uint64_t)rest.size + 1);
		return "";
	}
	c->pos += (size_t)(end - start) + 1;
	return (const char *)start;
}

struct error *cursor_error(const struct cursor *c, const char *what)
{
	size_t left = c->in.size - c->failed_pos;

	// All bytes were there: only a LEB128 number fails for its value.
	if (c->failed_size <= left)
		return error_new(
		        ERROR_FORMAT,
		        "%s: offset 0x%zx: number does not fit 64 bits", what,
		        c->failed_pos);
	return error_new(ERROR_FORMAT,
	                 "%s: offset 0x%zx: expected %zu more bytes, found %zu",
	                 what, c->failed_pos, c->failed_size, left);
}

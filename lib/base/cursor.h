// SPDX-License-Identifier: MIT
/**
 * Bounds-checked reading of binary data.
 *
 * All binary files are read through a cursor: it knows the end and the byte
 * order, never reads past the end, and remembers the first failure. After a
 * failure all reads return zero, so a loop can read a whole record and check
 * once. A failed cursor does not advance: loops must check cursor_ok(), or have
 * a count bounded by the data.
 *
 *     struct cursor c = cursor_at(bytes, offset, CURSOR_LITTLE);
 *     uint32_t count = cursor_u32(&c);
 *
 *     if (!cursor_ok(&c))
 *             return cursor_error(&c, "symbol count");
 */
#ifndef APMTOOL_LIB_BASE_CURSOR_H
#define APMTOOL_LIB_BASE_CURSOR_H

#include "lib/base/error.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** Borrowed bytes. */
struct bytes {
	const uint8_t *data;
	size_t size;
};

/**
 * A part of @p in; empty if the range exceeds @p in. bytes_has() tests the
 * range.
 */
struct bytes bytes_part(struct bytes in, uint64_t offset, uint64_t size);
bool bytes_has(struct bytes in, uint64_t offset, uint64_t size);
struct bytes bytes_from_text(struct text text);
struct text bytes_text(struct bytes in);

enum cursor_order { CURSOR_LITTLE, CURSOR_BIG };

struct cursor {
	struct bytes in;
	size_t pos; ///< offset of the next byte to read
	enum cursor_order order;
	bool failed;
	size_t failed_pos;  ///< offset of the first failing read
	size_t failed_size; ///< its size
};

/** For cursor_uint(): other sizes and byte orders, and failures. */
uint64_t cursor_uint_slowly(struct cursor *c, unsigned size);

/** Load without a loop, for the common sizes of Mach-O and DWARF. */
static inline uint64_t cursor_load(const uint8_t *at, unsigned size)
{
	uint64_t value = 0;

	switch (size) {
	case 1:
		return *at;
	case 2:
		memcpy(&value, at, 2);
		break;
	case 4:
		memcpy(&value, at, 4);
		break;
	default:
		memcpy(&value, at, 8);
	}
	return value;
}

/** An unsigned number of 1, 2, 4 or 8 bytes. */
static inline uint64_t cursor_uint(struct cursor *c, unsigned size)
{
	bool is_plain = size == 1 || size == 2 || size == 4 || size == 8;

	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && is_plain &&
	    c->order == CURSOR_LITTLE && !c->failed &&
	    size <= c->in.size - c->pos) {
		const uint8_t *at = c->in.data + c->pos;

		c->pos += size;
		return cursor_load(at, size);
	}
	return cursor_uint_slowly(c, size);
}

/** For cursor_uleb(): numbers of more than two bytes, and failures. */
uint64_t cursor_uleb_long(struct cursor *c);

static inline uint8_t cursor_u8(struct cursor *c)
{
	if (!c->failed && c->pos < c->in.size)
		return c->in.data[c->pos++];
	return (uint8_t)cursor_uint_slowly(c, 1);
}

static inline uint16_t cursor_u16(struct cursor *c)
{
	return (uint16_t)cursor_uint(c, 2);
}

static inline uint32_t cursor_u32(struct cursor *c)
{
	return (uint32_t)cursor_uint(c, 4);
}

static inline uint64_t cursor_u64(struct cursor *c)
{
	return cursor_uint(c, 8);
}

/** LEB128, unsigned and signed; fails beyond 64 bits. */
static inline uint64_t cursor_uleb(struct cursor *c)
{
	// Most numbers take one byte, nearly all others two.
	if (!c->failed && c->in.size - c->pos >= 2) {
		const uint8_t *at = c->in.data + c->pos;

		if (at[0] < 0x80) {
			c->pos++;
			return at[0];
		}
		if (at[1] < 0x80) {
			c->pos += 2;
			return (at[0] & 0x7fu) | (uint64_t)at[1] << 7;
		}
	}
	return cursor_uleb_long(c);
}

int64_t cursor_sleb(struct cursor *c);
/** The next @p size bytes, borrowed; empty after a failure. */
struct bytes cursor_bytes(struct cursor *c, uint64_t size);
static inline void cursor_skip(struct cursor *c, uint64_t size)
{
	if (!c->failed && size <= c->in.size - c->pos)
		c->pos += (size_t)size;
	else
		cursor_bytes(c, size);
}

/** Move the end to @p end; fails if it was passed, or is beyond the data. */
void cursor_end_at(struct cursor *c, uint64_t end);

/** A cursor over @p in at @p offset, which may be out of range. */
static inline struct cursor cursor_at(struct bytes in, uint64_t offset,
                                      enum cursor_order order)
{
	struct cursor c = { .in = in, .order = order };

	cursor_skip(&c, offset);
	return c;
}

/** A NUL-terminated string, borrowed, including its NUL. "" on failure. */
const char *cursor_cstr(struct cursor *c);

static inline bool cursor_ok(const struct cursor *c)
{
	return !c->failed;
}

static inline size_t cursor_left(const struct cursor *c)
{
	return c->in.size - c->pos;
}

/** The failure as an error: `WHAT: offset 0x…: expected …, found …`. */
struct error *cursor_error(const struct cursor *c, const char *what);

#endif

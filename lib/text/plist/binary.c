// SPDX-License-Identifier: MIT
/*
 * Binary property lists, `bplist00`: a header, objects, a table of their
 * offsets, and a trailer of 32 bytes with the position of the table. Numbers
 * are big-endian; objects refer to each other by number.
 *
 * Source: CFBinaryPList.c of Apple's CoreFoundation.
 */
#include "lib/base/mem.h"
#include "lib/base/utf8.h"
#include "lib/text/plist/plist.h"

#include <inttypes.h>
#include <string.h>

#define HEADER_BYTES  8
#define TRAILER_BYTES 32

enum object_state { OBJECT_UNREAD, OBJECT_OPEN, OBJECT_READ };

struct reader {
	struct bytes in; ///< without the trailer: objects are before it
	struct arena *arena;
	unsigned offset_size;
	unsigned reference_size;
	uint64_t table_offset;
	uint64_t object_count;
	struct plist *objects;
	uint8_t *states; ///< enum object_state of each
	unsigned depth;
	/**
	 * Bytes of contents that may still be read. Objects do not overlap, so
	 * all contents are smaller than the file; without this limit, a million
	 * objects could share the same megabytes.
	 */
	uint64_t budget;
};

/** High half of an object's first byte. */
enum marker {
	MARKER_SIMPLE = 0x0,
	MARKER_INTEGER = 0x1,
	MARKER_REAL = 0x2,
	MARKER_DATE = 0x3,
	MARKER_DATA = 0x4,
	MARKER_ASCII = 0x5,
	MARKER_UTF16 = 0x6,
	MARKER_UID = 0x8,
	MARKER_ARRAY = 0xa,
	MARKER_ORDERED_SET = 0xb,
	MARKER_SET = 0xc,
	MARKER_DICT = 0xd,
};

static struct error *read_object(struct reader *r, uint64_t number);

static struct error *read_trailer(struct reader *r, struct bytes in,
                                  uint64_t *ret_top)
{
	struct cursor c =
	        cursor_at(in, in.size - TRAILER_BYTES + 6, CURSOR_BIG);

	r->offset_size = cursor_u8(&c);
	r->reference_size = cursor_u8(&c);
	r->object_count = cursor_u64(&c);
	*ret_top = cursor_u64(&c);
	r->table_offset = cursor_u64(&c);
	if (!r->offset_size || r->offset_size > 8 || !r->reference_size ||
	    r->reference_size > 8)
		return error_new(ERROR_FORMAT,
		                 "trailer: offsets of %u and references of %u "
		                 "bytes",
		                 r->offset_size, r->reference_size);
	if (r->object_count > PLIST_OBJECTS_MAX)
		return error_new(ERROR_LIMIT,
		                 "trailer: %" PRIu64
		                 " objects are more than %d",
		                 r->object_count, PLIST_OBJECTS_MAX);
	if (!bytes_has(r->in, r->table_offset,
	               r->object_count * r->offset_size))
		return error_new(ERROR_FORMAT,
		                 "trailer: %" PRIu64 " offsets at 0x%" PRIx64
		                 " lie outside the file",
		                 r->object_count, r->table_offset);
	return NULL;
}

/** A big-endian number of any size up to 8 bytes. */
static uint64_t read_uint(struct cursor *c, unsigned size)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < size; i++)
		value = value << 8 | cursor_u8(c);
	return value;
}

/**
 * The count in the low half of the first byte, or in an integer after it. False
 * if it is invalid. Each element takes @p unit bytes.
 */
static bool read_count(struct reader *r, struct cursor *c, unsigned low,
                       unsigned unit, uint64_t *ret)
{
	unsigned marker;

	*ret = low;
	if (low == 0xf) {
		marker = cursor_u8(c);
		if (marker >> 4 != MARKER_INTEGER || (marker & 0xf) > 3)
			return false;
		*ret = read_uint(c, 1u << (marker & 0xf));
	}
	if (!cursor_ok(c) || *ret > cursor_left(c) / unit ||
	    *ret * unit > r->budget)
		return false;
	r->budget -= *ret * unit;
	return true;
}

static bool read_integer(struct cursor *c, unsigned low, struct plist *value)
{
	value->kind = PLIST_INTEGER;
	if (low > 4)
		return false;
	if (low == 4) // 128 bits for values over 63 bits: the high half is 0
		cursor_skip(c, 8);
	value->number = read_uint(c, low == 4 ? 8 : 1u << low);
	// Only 8 bytes can be negative; shorter ones are unsigned.
	value->negative = low == 3 && value->number >> 63;
	return true;
}

static bool read_real(struct cursor *c, unsigned low, struct plist *value)
{
	if (low == 2) {
		uint32_t bits = cursor_u32(c);
		float single;

		memcpy(&single, &bits, sizeof(single));
		value->real = (double)single;
		return true;
	}
	if (low == 3) {
		uint64_t bits = cursor_u64(c);

		memcpy(&value->real, &bits, sizeof(value->real));
		return true;
	}
	return false;
}

static bool read_bytes(struct reader *r, struct cursor *c, unsigned low,
                       struct plist *value)
{
	uint64_t count;

	if (!read_count(r, c, low, 1, &count))
		return false;
	value->text = bytes_text(cursor_bytes(c, count));
	value->text.data = arena_text(r->arena, value->text);
	return true;
}

/** The next character; unpaired surrogates are replaced. */
static uint32_t read_utf16_code(struct cursor *c)
{
	uint32_t high = cursor_u16(c);
	struct cursor ahead = *c;
	uint32_t low;

	if (high < 0xd800 || high > 0xdfff)
		return high;
	low = cursor_u16(&ahead);
	if (high > 0xdbff || low < 0xdc00 || low > 0xdfff)
		return 0xfffd;
	*c = ahead;
	return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

static bool read_utf16(struct reader *r, struct cursor *c, unsigned low,
                       struct plist *value)
{
	SCOPED(str_release) struct str text = { 0 };
	struct cursor units;
	uint64_t count;

	if (!read_count(r, c, low, 2, &count))
		return false;
	units = cursor_at(cursor_bytes(c, count * 2), 0, CURSOR_BIG);
	while (cursor_left(&units)) {
		char bytes[UTF8_SIZE];
		size_t size = utf8_encode(read_utf16_code(&units), bytes);

		str_add_bytes(&text, bytes, size);
	}
	value->text.size = text.size;
	value->text.data = arena_text(r->arena, str_text(&text));
	return true;
}

/** Read the string that is an entry's key. */
static struct error *read_key(struct reader *r, uint64_t number,
                              struct text *ret)
{
	struct error *err = read_object(r, number);

	if (err)
		return err;
	if (r->objects[number].kind != PLIST_STRING)
		return error_new(ERROR_FORMAT,
		                 "object %" PRIu64 ": a key that is not a "
		                 "string",
		                 number);
	*ret = r->objects[number].text;
	return NULL;
}

/** References to values; for a dictionary, keys come first. */
static struct error *read_items(struct reader *r, struct cursor *c,
                                size_t count, struct plist *value)
{
	bool is_dict = value->kind == PLIST_DICT;
	struct plist_item *items = arena_array(r->arena, count, sizeof(*items));
	struct cursor keys = *c;

	if (is_dict)
		cursor_skip(c, count * r->reference_size);
	for (size_t i = 0; i < count; i++) {
		uint64_t number = read_uint(c, r->reference_size);
		struct error *err = read_object(r, number);

		if (!err && is_dict)
			err = read_key(r, read_uint(&keys, r->reference_size),
			               &items[i].key);
		if (err)
			return err;
		items[i].value = &r->objects[number];
	}
	value->items = items;
	value->count = count;
	return NULL;
}

/** Read the contents of an object without children, after its first byte. */
static bool read_leaf(struct reader *r, struct cursor *c, unsigned marker,
                      struct plist *value)
{
	unsigned low = marker & 0xf;

	switch (marker >> 4) {
	case MARKER_SIMPLE:
		value->kind = low ? PLIST_BOOL : PLIST_NULL;
		value->number = low == 9;
		return low == 0 || low == 8 || low == 9;
	case MARKER_INTEGER:
		return read_integer(c, low, value);
	case MARKER_REAL:
		value->kind = PLIST_REAL;
		return read_real(c, low, value);
	case MARKER_DATE:
		value->kind = PLIST_DATE;
		return low == 3 && read_real(c, low, value);
	case MARKER_DATA:
		value->kind = PLIST_DATA;
		return read_bytes(r, c, low, value);
	case MARKER_ASCII:
		value->kind = PLIST_STRING;
		return read_bytes(r, c, low, value);
	case MARKER_UTF16:
		value->kind = PLIST_STRING;
		return read_utf16(r, c, low, value);
	case MARKER_UID:
		value->kind = PLIST_UID;
		value->number = read_uint(c, low + 1);
		return low < 8;
	default:
		return false;
	}
}

static struct error *read_contents(struct reader *r, uint64_t number,
                                   struct cursor *c, struct plist *value)
{
	unsigned marker = cursor_u8(c);
	unsigned unit = r->reference_size;
	uint64_t count = 0;
	bool good;

	switch (marker >> 4) {
	case MARKER_ARRAY:
	case MARKER_ORDERED_SET:
	case MARKER_SET:
		value->kind = PLIST_ARRAY;
		good = read_count(r, c, marker & 0xf, unit, &count);
		break;
	case MARKER_DICT:
		value->kind = PLIST_DICT;
		good = read_count(r, c, marker & 0xf, 2 * unit, &count);
		break;
	default:
		good = read_leaf(r, c, marker, value);
	}
	if (!good || !cursor_ok(c))
		return error_new(ERROR_FORMAT,
		                 "object %" PRIu64 ": offset 0x%zx: marker "
		                 "0x%02x is unknown, or its contents do not "
		                 "fit the file",
		                 number, c->pos, marker);
	return count ? read_items(r, c, (size_t)count, value) : NULL;
}

/** Read an object into r->objects, once; children first. */
static struct error *read_object(struct reader *r, uint64_t number)
{
	struct cursor c;
	struct error *err;
	uint64_t offset;

	if (number >= r->object_count)
		return error_new(ERROR_FORMAT,
		                 "reference to object %" PRIu64 " of %" PRIu64,
		                 number, r->object_count);
	if (r->states[number] == OBJECT_READ)
		return NULL;
	if (r->states[number] == OBJECT_OPEN)
		return error_new(ERROR_FORMAT,
		                 "object %" PRIu64 " contains itself", number);
	if (r->depth == PLIST_DEPTH_MAX)
		return error_new(ERROR_LIMIT, "nested deeper than %d levels",
		                 PLIST_DEPTH_MAX);
	c = cursor_at(r->in, r->table_offset + number * r->offset_size,
	              CURSOR_BIG);
	offset = read_uint(&c, r->offset_size);
	if (offset < HEADER_BYTES || offset >= r->in.size)
		return error_new(ERROR_FORMAT,
		                 "object %" PRIu64 ": offset 0x%" PRIx64
		                 " lies outside the file",
		                 number, offset);
	c = cursor_at(r->in, offset, CURSOR_BIG);
	r->states[number] = OBJECT_OPEN;
	r->depth++;
	err = read_contents(r, number, &c, &r->objects[number]);
	r->depth--;
	r->states[number] = OBJECT_READ;
	return err;
}

struct error *plist_binary_parse(struct bytes in, struct arena *arena,
                                 const struct plist **ret)
{
	SCOPED(mem_drop) uint8_t *states = NULL;
	struct reader r = { .arena = arena };
	struct error *err;
	uint64_t top;

	if (in.size < HEADER_BYTES + TRAILER_BYTES)
		return error_new(ERROR_FORMAT,
		                 "the binary property list is truncated");
	r.in = bytes_part(in, 0, in.size - TRAILER_BYTES);
	r.budget = r.in.size;
	err = read_trailer(&r, in, &top);
	if (err)
		return err;
	r.states = states = mem_zalloc((size_t)r.object_count, 1);
	r.objects =
	        arena_array(arena, (size_t)r.object_count, sizeof(*r.objects));
	err = read_object(&r, top);
	if (err)
		return err;
	*ret = &r.objects[top];
	return NULL;
}

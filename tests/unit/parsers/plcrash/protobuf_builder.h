// SPDX-License-Identifier: MIT
/**
 * Messages of Protocol Buffers for tests, good and bad.
 */
#ifndef APMTOOL_TESTS_UNIT_PROTOBUF_BUILDER_H
#define APMTOOL_TESTS_UNIT_PROTOBUF_BUILDER_H

#include "lib/base/cursor.h"
#include "lib/base/str.h"

#include <stdint.h>
#include <string.h>

static inline void put_varint(struct str *out, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		str_add_char(out, (char)((value & 0x7f) | 0x80));
	str_add_char(out, (char)value);
}

static inline void put_key(struct str *out, uint64_t number, unsigned wire)
{
	put_varint(out, number << 3 | wire);
}

static inline void put_number(struct str *out, uint64_t number, uint64_t value)
{
	put_key(out, number, 0);
	put_varint(out, value);
}

static inline void put_bytes(struct str *out, uint64_t number, const void *data,
                             size_t size)
{
	put_key(out, number, 2);
	put_varint(out, size);
	str_add_bytes(out, data, size);
}

static inline void put_text(struct str *out, uint64_t number, const char *text)
{
	put_bytes(out, number, text, strlen(text));
}

/** Put @p inner into @p out, and empty it. */
static inline void put_message(struct str *out, uint64_t number,
                               struct str *inner)
{
	put_bytes(out, number, str_cstr(inner), inner->size);
	str_clear(inner);
}

static inline struct bytes built(const struct str *message)
{
	return bytes_from_text(str_text(message));
}

#endif

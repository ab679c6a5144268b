// SPDX-License-Identifier: MIT
/**
 * A growing string, always NUL-terminated, for building text.
 *
 *     SCOPED(str_release) struct str line = { 0 };
 *     str_addf(&line, "%s + %" PRIu64, symbol, offset);
 */
#ifndef APMTOOL_LIB_BASE_STR_H
#define APMTOOL_LIB_BASE_STR_H

#include "lib/base/text.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/** All zeros is the empty string (data is NULL until something is added). */
struct str {
	char *data;
	size_t size;
	size_t cap;
};

char *str_grow(struct str *str, size_t more); ///< for str_room()

/**
 * Room for @p more bytes and a NUL at the end of the string. Write to it, then
 * call str_end().
 */
static inline char *str_room(struct str *str, size_t more)
{
	return str->cap - str->size > more ? str->data + str->size
	                                   : str_grow(str, more);
}

/** Add @p more bytes that were written into the room. */
static inline void str_end(struct str *str, size_t more)
{
	str->size += more;
	str->data[str->size] = '\0';
}

// Inline, so that the compiler knows the length of literals.
static inline void str_add_bytes(struct str *str, const void *data, size_t size)
{
	char *end = str_room(str, size);

	if (size)
		memcpy(end, data, size);
	str_end(str, size);
}

static inline void str_add(struct str *str, const char *cstr)
{
	str_add_bytes(str, cstr, strlen(cstr));
}

static inline void str_add_text(struct str *str, struct text text)
{
	str_add_bytes(str, text.data, text.size);
}

static inline void str_add_char(struct str *str, char c)
{
	str_add_bytes(str, &c, 1);
}

void str_add_repeat(struct str *str, char c, size_t count);
void str_addf(struct str *str, const char *format, ...) PRINTF_LIKE(2, 3);
void str_addv(struct str *str, const char *format, va_list args)
        PRINTF_LIKE(2, 0);

/** The lower @p size bytes of a number, little-endian; at most 8. */
void str_add_le(struct str *str, uint64_t number, unsigned size);

/** In decimal; much faster than str_addf(). */
void str_add_number(struct str *str, uint64_t number);
/** In lower-case hex, at least @p digits digits; max 16. */
void str_add_hex(struct str *str, uint64_t number, unsigned digits);
/** `0x1a2b`, padded with blanks at the left to @p width. */
void str_add_address(struct str *str, uint64_t address, size_t width);

/** The string so far, NUL-terminated, borrowed; "" if empty. */
const char *str_cstr(const struct str *str);
struct text str_text(const struct str *str);

/** Empty it, keep the memory. */
void str_clear(struct str *str);
void str_release(struct str *str);

#endif

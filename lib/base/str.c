// SPDX-License-Identifier: MIT
#include "lib/base/str.h"

#include "lib/base/mem.h"
#include "lib/base/octets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Max digits of a number. */
#define NUMBER_DIGITS 20
#define HEX_DIGITS    16

char *str_grow(struct str *str, size_t more)
{
	size_t need;

	if (__builtin_add_overflow(str->size, more, &need) ||
	    __builtin_add_overflow(need, (size_t)1, &need))
		mem_fail();
	// Most strings grow in steps: begin with at least this size.
	MEM_ROOM(str->data, need < 64 ? 64 : need, str->cap);
	return str->data + str->size;
}

void str_add_repeat(struct str *str, char c, size_t count)
{
	memset(str_room(str, count), c, count);
	str_end(str, count);
}

void str_addv(struct str *str, const char *format, va_list args)
{
	size_t room = str->cap - str->size;
	va_list again;
	int size;

	va_copy(again, args);
	size = vsnprintf(room ? str->data + str->size : NULL, room, format,
	                 again);
	va_end(again);
	if (size < 0)
		mem_fail();
	// Print again only what did not fit.
	if ((size_t)size >= room)
		vsnprintf(str_room(str, (size_t)size), (size_t)size + 1, format,
		          args);
	str->size += (size_t)size;
}

void str_addf(struct str *str, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	str_addv(str, format, args);
	va_end(args);
}

// printf would dominate the time for a picture.
void str_add_le(struct str *str, uint64_t number, unsigned size)
{
	char raw[sizeof(number)];

	for (unsigned i = 0; i < size; i++)
		raw[i] = (char)(number >> 8 * i);
	str_add_bytes(str, raw, size);
}

void str_add_number(struct str *str, uint64_t number)
{
	// Twice the size, to copy a fixed number of bytes.
	char digits[2 * NUMBER_DIGITS];
	size_t at = NUMBER_DIGITS;

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	memcpy(str_room(str, NUMBER_DIGITS), digits + at, NUMBER_DIGITS);
	str_end(str, NUMBER_DIGITS - at);
}

static unsigned count_hex_digits(uint64_t number)
{
	return (67 - (unsigned)__builtin_clzll(number | 1)) / 4;
}

/** The lowest @p digits of a number, at least 1; @p to has room for 16. */
static void put_hex(char *to, uint64_t number, unsigned digits)
{
	number <<= 4 * (HEX_DIGITS - digits);
	octets_store(to, octets_hex((uint32_t)(number >> 32), 'a'));
	octets_store(to + OCTETS, octets_hex((uint32_t)number, 'a'));
}

void str_add_hex(struct str *str, uint64_t number, unsigned digits)
{
	unsigned count = count_hex_digits(number);

	if (count < digits)
		count = digits;
	put_hex(str_room(str, HEX_DIGITS), number, count);
	str_end(str, count);
}

void str_add_address(struct str *str, uint64_t address, size_t width)
{
	unsigned digits = count_hex_digits(address);
	size_t size = digits + strlen("0x");
	size_t blanks = width > size ? width - size : 0;
	char *to = str_room(str, blanks + strlen("0x") + HEX_DIGITS);

	memset(to, ' ', blanks);
	to[blanks] = '0';
	to[blanks + 1] = 'x';
	put_hex(to + blanks + 2, address, digits);
	str_end(str, blanks + size);
}

const char *str_cstr(const struct str *str)
{
	return str->data ? str->data : "";
}

struct text str_text(const struct str *str)
{
	return (struct text){ .data = str_cstr(str), .size = str->size };
}

void str_clear(struct str *str)
{
	str->size = 0;
	if (str->data)
		str->data[0] = '\0';
}

void str_release(struct str *str)
{
	free(str->data);
	*str = (struct str){ 0 };
}

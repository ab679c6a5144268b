#include "lib/base/str.h"

#include "lib/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *str_room(struct str *str, size_t more)
{
	size_t need;

	if (__builtin_add_overflow(str->size, more, &need) ||
	    __builtin_add_overflow(need, (size_t)1, &need))
		mem_fail();
	// Most texts are grown piece by piece: few begin smaller than this.
	MEM_ROOM(str->data, need < 64 ? 64 : need, str->cap);
	return str->data + str->size;
}

void str_add_bytes(struct str *str, const void *data, size_t size)
{
	char *end = str_room(str, size);

	if (size)
		memcpy(end, data, size);
	str->size += size;
	str->data[str->size] = '\0';
}

void str_add(struct str *str, const char *cstr)
{
	str_add_bytes(str, cstr, strlen(cstr));
}

void str_add_text(struct str *str, struct text text)
{
	str_add_bytes(str, text.data, text.size);
}

void str_add_char(struct str *str, char c)
{
	str_add_bytes(str, &c, 1);
}

void str_add_repeat(struct str *str, char c, size_t count)
{
	memset(str_room(str, count), c, count);
	str->size += count;
	str->data[str->size] = '\0';
}

void str_addv(struct str *str, const char *format, va_list args)
{
	va_list again;
	int size;

	va_copy(again, args);
	size = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (size < 0)
		mem_fail();
	vsnprintf(str_room(str, (size_t)size), (size_t)size + 1, format, args);
	str->size += (size_t)size;
}

void str_addf(struct str *str, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	str_addv(str, format, args);
	va_end(args);
}

// printf would take longer than all the rest of a picture.
void str_add_number(struct str *str, uint64_t number)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	str_add_bytes(str, digits + at, sizeof(digits) - at);
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

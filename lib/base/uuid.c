#include "lib/base/uuid.h"

#include <string.h>

bool uuid_parse(struct text text, struct uuid *ret)
{
	struct uuid uuid = { 0 };
	size_t digits = 0;

	for (size_t i = 0; i < text.size; i++) {
		char c = text.data[i];
		int value = text_hex_value(c);

		if (value < 0) {
			if (c == '-' || text_is_space(c) ||
			    (c && strchr("<>{}", c)))
				continue;
			return false;
		}
		if (digits == 32)
			return false;
		uuid.bytes[digits / 2] |=
		        (uint8_t)(digits % 2 ? value : value << 4);
		digits++;
	}
	if (digits != 32)
		return false;
	*ret = uuid;
	return true;
}

bool uuid_is_zero(const struct uuid *uuid)
{
	static const struct uuid zero;

	return uuid_equal(uuid, &zero);
}

bool uuid_equal(const struct uuid *a, const struct uuid *b)
{
	return uuid_compare(a, b) == 0;
}

int uuid_compare(const struct uuid *a, const struct uuid *b)
{
	return memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

static const char *format_with(const struct uuid *uuid, const char *digits,
                               bool dashes, char *out)
{
	char *end = out;

	for (size_t i = 0; i < 16; i++) {
		if (dashes && (i == 4 || i == 6 || i == 8 || i == 10))
			*end++ = '-';
		*end++ = digits[uuid->bytes[i] >> 4];
		*end++ = digits[uuid->bytes[i] & 15];
	}
	*end = '\0';
	return out;
}

const char *uuid_format(const struct uuid *uuid, char out[UUID_TEXT_SIZE])
{
	return format_with(uuid, "0123456789ABCDEF", true, out);
}

const char *uuid_format_lower(const struct uuid *uuid, char out[UUID_TEXT_SIZE])
{
	return format_with(uuid, "0123456789abcdef", true, out);
}

const char *uuid_format_compact(const struct uuid *uuid,
                                char out[UUID_TEXT_SIZE])
{
	return format_with(uuid, "0123456789abcdef", false, out);
}

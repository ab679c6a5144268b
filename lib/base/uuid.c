// SPDX-License-Identifier: MIT
#include "lib/base/uuid.h"

#include "lib/base/octets.h"

#include <string.h>

/** Positions of each byte's digits in the canonical format. */
static const unsigned char canonical_places[] = { 0,  2,  4,  6,  9,  11,
	                                          14, 16, 19, 21, 24, 26,
	                                          28, 30, 32, 34 };
/** Positions without dashes. */
static const unsigned char compact_places[] = {
	0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
};

static bool parse_digits(const char *data, const unsigned char *places,
                         struct uuid *ret)
{
	struct uuid uuid;
	int all = 0;

	for (size_t i = 0; i < sizeof(uuid.bytes); i++) {
		int upper = text_hex_value(data[places[i]]);
		int lower = text_hex_value(data[places[i] + 1]);

		all |= upper | lower;
		uuid.bytes[i] =
		        (uint8_t)((unsigned)upper << 4 | (unsigned)lower);
	}
	// Values of other characters are negative.
	if (all < 0)
		return false;
	*ret = uuid;
	return true;
}

/** Fast path for the usual formats: 32 digits, or 8-4-4-4-12. */
static bool parse_usual(struct text text, struct uuid *ret)
{
	const char *data = text.data;

	if (text.size == 32)
		return parse_digits(data, compact_places, ret);
	return text.size == UUID_TEXT_SIZE - 1 && data[8] == '-' &&
	       data[13] == '-' && data[18] == '-' && data[23] == '-' &&
	       parse_digits(data, canonical_places, ret);
}

bool uuid_parse(struct text text, struct uuid *ret)
{
	struct uuid uuid = { 0 };
	size_t digits = 0;

	if (parse_usual(text, ret))
		return true;
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

/** All digits, without dashes. */
static void put_digits(const struct uuid *uuid, char letter, char out[32])
{
	for (size_t i = 0; i < sizeof(uuid->bytes); i += sizeof(uint32_t)) {
		const uint8_t *four = &uuid->bytes[i];
		uint32_t number = (uint32_t)four[0] << 24 |
		                  (uint32_t)four[1] << 16 |
		                  (uint32_t)four[2] << 8 | four[3];

		octets_store(out + 2 * i, octets_hex(number, letter));
	}
}

static const char *format_canonical(const struct uuid *uuid, char letter,
                                    char out[UUID_TEXT_SIZE])
{
	char digits[32];

	put_digits(uuid, letter, digits);
	memcpy(out, digits, 8);
	memcpy(out + 9, digits + 8, 4);
	memcpy(out + 14, digits + 12, 4);
	memcpy(out + 19, digits + 16, 4);
	memcpy(out + 24, digits + 20, 12);
	out[8] = out[13] = out[18] = out[23] = '-';
	out[UUID_TEXT_SIZE - 1] = '\0';
	return out;
}

const char *uuid_format(const struct uuid *uuid, char out[UUID_TEXT_SIZE])
{
	return format_canonical(uuid, 'A', out);
}

const char *uuid_format_lower(const struct uuid *uuid, char out[UUID_TEXT_SIZE])
{
	return format_canonical(uuid, 'a', out);
}

const char *uuid_format_compact(const struct uuid *uuid,
                                char out[UUID_TEXT_SIZE])
{
	put_digits(uuid, 'a', out);
	out[32] = '\0';
	return out;
}

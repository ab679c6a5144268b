// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/punycode.h"

#include "lib/base/utf8.h"

#include <stdint.h>
#include <string.h>

// The parameters of RFC 3492, chapter 5.
enum {
	BASE = 36,
	T_MIN = 1,
	T_MAX = 26,
	SKEW = 38,
	DAMP = 700,
	INITIAL_BIAS = 72,
	INITIAL_N = 128,
};

/** Encoding of ASCII characters that symbols cannot contain. */
#define ESCAPED_FIRST 0xd800u
#define ESCAPED_LAST  (ESCAPED_FIRST + 0x7f)

static bool digit_of(char c, uint32_t *ret)
{
	if (c >= 'a' && c <= 'z')
		*ret = (uint32_t)(c - 'a');
	else if (c >= 'A' && c <= 'J')
		*ret = (uint32_t)(c - 'A') + 26;
	else
		return false;
	return true;
}

static uint32_t adapt(uint32_t delta, uint32_t count, bool first)
{
	uint32_t k = 0;

	delta = first ? delta / DAMP : delta / 2;
	delta += delta / count;
	while (delta > ((BASE - T_MIN) * T_MAX) / 2) {
		delta /= BASE - T_MIN;
		k += BASE;
	}
	return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

/** Read a generalised number: the distance to the next character. */
static bool next_delta(struct text *in, uint32_t bias, uint32_t *ret)
{
	uint32_t weight = 1;
	uint32_t sum = 0;

	for (uint32_t k = BASE;; k += BASE) {
		uint32_t digit;
		uint32_t limit = k <= bias           ? T_MIN
		                 : k >= bias + T_MAX ? T_MAX
		                                     : k - bias;

		if (!in->size || !digit_of(in->data[0], &digit))
			return false;
		*in = text_after(*in, 1);
		if (__builtin_mul_overflow(digit, weight, &digit) ||
		    __builtin_add_overflow(sum, digit, &sum))
			return false;
		if (digit / weight < limit)
			break;
		if (__builtin_mul_overflow(weight, BASE - limit, &weight))
			return false;
	}
	*ret = sum;
	return true;
}

/** Insert the encoded characters among the plain ones. */
static bool insert_all(struct text in, uint32_t *chars, uint32_t *count)
{
	uint32_t n = INITIAL_N;
	uint32_t i = 0;
	uint32_t bias = INITIAL_BIAS;
	bool first = true;

	while (in.size) {
		uint32_t delta;
		uint32_t places = *count + 1;

		if (places > PUNYCODE_CHARS_MAX ||
		    !next_delta(&in, bias, &delta) ||
		    __builtin_add_overflow(i, delta, &i))
			return false;
		bias = adapt(delta, places, first);
		first = false;
		if (__builtin_add_overflow(n, i / places, &n))
			return false;
		i %= places;
		memmove(&chars[i + 1], &chars[i],
		        (*count - i) * sizeof(*chars));
		chars[i++] = n;
		(*count)++;
	}
	return true;
}

static bool encode(const uint32_t *chars, uint32_t count, char *to,
                   size_t *size)
{
	*size = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t c = chars[i];

		if (c >= ESCAPED_FIRST && c <= ESCAPED_LAST)
			c -= ESCAPED_FIRST;
		if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
			return false;
		*size += utf8_encode(c, to + *size);
	}
	return true;
}

bool punycode_decode(struct text in, char *to, size_t *size)
{
	uint32_t chars[PUNYCODE_CHARS_MAX + 1];
	uint32_t count = 0;
	size_t delimiter = text_find_last_char(in, '_');

	if (delimiter != TEXT_NOWHERE) {
		if (delimiter > PUNYCODE_CHARS_MAX)
			return false;
		for (; count < delimiter; count++) {
			if ((unsigned char)in.data[count] > 0x7f)
				return false;
			chars[count] = (unsigned char)in.data[count];
		}
		in = text_after(in, delimiter + 1);
	}
	return insert_all(in, chars, &count) && encode(chars, count, to, size);
}

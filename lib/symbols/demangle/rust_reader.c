// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/rust_reader.h"

#include "lib/symbols/demangle/punycode.h"

#include <string.h>

/** Max nesting of paths, types and constants. */
#define DEPTH_MAX 100u
#define STEPS_MAX 10000u

void rust_fail(struct rust_reader *r)
{
	r->failed = true;
	r->at = r->end;
}

bool rust_enter(struct rust_reader *r)
{
	if (r->failed || r->depth >= DEPTH_MAX || ++r->steps > STEPS_MAX ||
	    r->out->size > RUST_PRINTED_MAX) {
		rust_fail(r);
		return false;
	}
	r->depth++;
	return true;
}

uint64_t rust_base62(struct rust_reader *r)
{
	uint64_t value = 0;

	if (rust_take(r, '_'))
		return 0;
	while (!rust_take(r, '_')) {
		char c = rust_next(r);
		uint64_t digit;

		if (text_is_digit(c)) {
			digit = (uint64_t)(c - '0');
		} else if (c >= 'a' && c <= 'z') {
			digit = (uint64_t)(c - 'a') + 10;
		} else if (c >= 'A' && c <= 'Z') {
			digit = (uint64_t)(c - 'A') + 36;
		} else {
			rust_fail(r);
			return 0;
		}
		if (__builtin_mul_overflow(value, 62, &value) ||
		    __builtin_add_overflow(value, digit, &value)) {
			rust_fail(r);
			return 0;
		}
	}
	return value + 1;
}

uint64_t rust_optional62(struct rust_reader *r, char letter)
{
	return rust_take(r, letter) ? rust_base62(r) + 1 : 0;
}

static uint64_t decimal(struct rust_reader *r)
{
	uint64_t value = 0;

	if (!text_is_digit(rust_peek(r))) {
		rust_fail(r);
		return 0;
	}
	if (rust_take(r, '0'))
		return 0;
	while (text_is_digit(rust_peek(r))) {
		value = 10 * value + (uint64_t)(rust_next(r) - '0');
		if (value > (uint64_t)(r->end - r->start)) {
			rust_fail(r);
			return 0;
		}
	}
	return value;
}

/**
 * Punycode with digits for 26 to 35, and `_` before the encoded letters;
 * converted for punycode_decode(), which takes `A` to `J`.
 */
static bool decode(struct text text, char *to, size_t *size)
{
	char letters[PUNYCODE_CHARS_MAX];
	size_t from = text_find_last_char(text, '_');

	if (text.size > sizeof(letters))
		return false;
	memcpy(letters, text.data, text.size);
	for (size_t i = from == TEXT_NOWHERE ? 0 : from + 1; i < text.size; i++)
		if (text_is_digit(letters[i]))
			letters[i] = (char)(letters[i] - '0' + 'A');
	return punycode_decode((struct text){ letters, text.size }, to, size);
}

void rust_identifier(struct rust_reader *r)
{
	char bytes[PUNYCODE_BYTES_MAX];
	bool is_punycode = rust_take(r, 'u');
	uint64_t length = decimal(r);
	struct text text;
	size_t size;

	rust_take(r, '_');
	if (r->failed || length > (uint64_t)(r->end - r->at)) {
		rust_fail(r);
		return;
	}
	text = (struct text){ r->at, (size_t)length };
	r->at += length;
	if (!is_punycode) {
		if (!r->silent)
			str_add_text(r->out, text);
	} else if (!decode(text, bytes, &size)) {
		rust_fail(r);
	} else if (!r->silent) {
		str_add_bytes(r->out, bytes, size);
	}
}

void rust_back_reference(struct rust_reader *r,
                         void (*read)(struct rust_reader *r))
{
	const char *here = r->at - 1;
	uint64_t at = rust_base62(r);
	const char *resume = r->at;

	if (r->failed || at >= (uint64_t)(here - r->start)) {
		rust_fail(r);
		return;
	}
	// Without printing there is no need to read it again.
	if (r->silent)
		return;
	r->at = r->start + at;
	read(r);
	if (!r->failed)
		r->at = resume;
}

bool rust_hex_value(struct text digits, uint64_t *ret)
{
	*ret = 0;
	if (digits.size > 16)
		return false;
	for (size_t i = 0; i < digits.size; i++)
		*ret = *ret << 4 | (uint64_t)text_hex_value(digits.data[i]);
	return true;
}

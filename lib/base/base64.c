// SPDX-License-Identifier: MIT
#include "lib/base/base64.h"

#include <stdint.h>

/** The six bits of a letter; or -1. */
static int digit_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+' || c == '-')
		return 62;
	if (c == '/' || c == '_')
		return 63;
	return -1;
}

size_t base64_decode_some(struct text in, struct str *out)
{
	uint32_t bits = 0;
	unsigned count = 0; // bits not written yet
	size_t at;

	for (at = 0; at < in.size && in.data[at] != '='; at++) {
		int digit = digit_of(in.data[at]);

		if (digit < 0 && text_is_space(in.data[at]))
			continue;
		if (digit < 0)
			break;
		bits = bits << 6 | (uint32_t)digit;
		count += 6;
		if (count >= 8) {
			count -= 8;
			str_add_char(out, (char)(bits >> count & 0xff));
		}
	}
	while (at < in.size &&
	       (in.data[at] == '=' || text_is_space(in.data[at])))
		at++;
	// Six bits left over are a letter too many.
	return at == in.size && count == 6 ? at - 1 : at;
}

bool base64_decode(struct text in, struct str *out)
{
	size_t start = out->size;

	if (base64_decode_some(in, out) == in.size)
		return true;
	out->size = start;
	if (out->data)
		out->data[start] = '\0';
	return false;
}

void base64_encode(struct text in, struct str *out)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                              "abcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t at = 0; at < in.size; at += 3) {
		size_t count = in.size - at < 3 ? in.size - at : 3;
		char group[] = "====";
		uint32_t bits = 0;

		for (size_t i = 0; i < 3; i++)
			bits = bits << 8 |
			       (i < count ? (unsigned char)in.data[at + i] : 0);
		for (size_t i = 0; i <= count; i++)
			group[i] = letters[bits >> (18 - 6 * i) & 63];
		str_add_bytes(out, group, 4);
	}
}

// SPDX-License-Identifier: MIT
#include "lib/base/number.h"

/** Of 64 bits. */
#define HEX_DIGITS 16

bool number_decimal(struct text field, uint64_t *ret)
{
	uint64_t value = 0;

	if (!field.size)
		return false;
	for (size_t i = 0; i < field.size; i++) {
		if (!text_is_digit(field.data[i]) ||
		    __builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(
		            value, (uint64_t)(field.data[i] - '0'), &value))
			return false;
	}
	*ret = value;
	return true;
}

bool number_hex(struct text field, uint64_t *ret)
{
	uint64_t value = 0;
	int all = 0;

	if (!text_take(&field, "0x"))
		text_take(&field, "0X");
	if (!field.size)
		return false;
	// Leading zeros do not count.
	while (field.size > HEX_DIGITS && field.data[0] == '0')
		field = text_after(field, 1);
	if (field.size > HEX_DIGITS)
		return false;
	for (size_t i = 0; i < field.size; i++) {
		int digit = text_hex_value(field.data[i]);

		all |= digit;
		value = value << 4 | ((unsigned)digit & 0xf);
	}
	// Values of other characters are negative.
	if (all < 0)
		return false;
	*ret = value;
	return true;
}

bool number_take_hex(struct text *rest, uint64_t *ret)
{
	struct text left = *rest;
	size_t size;

	if (!text_take(&left, "0x"))
		return false;
	size = text_count_hex_digits(left);
	if (!number_hex(text_first(left, size), ret))
		return false;
	*rest = text_after(left, size);
	return true;
}

bool number_any(struct text field, uint64_t *ret)
{
	if (text_starts(field, "0x") || text_starts(field, "0X"))
		return number_hex(field, ret);
	return number_decimal(field, ret);
}

bool number_signed(struct text field, int64_t *ret)
{
	bool negative = text_take(&field, "-");
	uint64_t magnitude;

	if (!number_decimal(field, &magnitude))
		return false;
	if (magnitude > (uint64_t)INT64_MAX + negative)
		return false;
	*ret = (int64_t)(negative ? -magnitude : magnitude);
	return true;
}

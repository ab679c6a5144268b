// SPDX-License-Identifier: MIT
#include "lib/base/units.h"

#include "lib/base/number.h"

#include <stddef.h>

__extension__ typedef unsigned __int128 wide;

// More digits have no effect on any amount.
#define DIGITS_MAX   ((wide)1 << 90)
#define EXPONENT_MAX 1000

/** Parse `e-3`, if present; false if malformed. */
static bool read_exponent(struct text text, int *ret)
{
	bool negative;
	uint64_t number;

	*ret = 0;
	if (!text.size)
		return true;
	if (!text_take(&text, "e") && !text_take(&text, "E"))
		return false;
	negative = text_take(&text, "-");
	if (!negative)
		text_take(&text, "+");
	if (!number_decimal(text, &number))
		return false;
	if (number > EXPONENT_MAX)
		number = EXPONENT_MAX;
	*ret = negative ? -(int)number : (int)number;
	return true;
}

/** @p value × 10^@p exponent; false over @p max. */
static bool scale(wide value, int exponent, uint64_t max, uint64_t *ret)
{
	bool round_up = false;
	uint64_t low;

	for (; exponent > 0 && value; exponent--) {
		if (value > max / 10)
			return false;
		value *= 10;
	}
	for (; exponent < 0 && value > UINT64_MAX; exponent++) {
		round_up = value % 10 >= 5;
		value /= 10;
	}
	// The rest fits the faster 64-bit division.
	low = (uint64_t)value;
	for (; exponent < 0 && (low || round_up); exponent++) {
		round_up = low % 10 >= 5;
		low /= 10;
	}
	value = (value > UINT64_MAX ? value : low) + (wide)round_up;
	if (value > max)
		return false;
	*ret = (uint64_t)value;
	return true;
}

bool units_read(struct text number, uint64_t factor, uint64_t max,
                uint64_t *ret)
{
	wide value = 0;
	bool in_fraction = false;
	int shift = 0;
	int exponent;
	size_t i = 0;

	for (; i < number.size; i++) {
		char c = number.data[i];

		if (c == '.' && i && !in_fraction) {
			in_fraction = true;
			continue;
		}
		if (!text_is_digit(c))
			break;
		if (value < DIGITS_MAX) {
			value = value * 10 + (unsigned)(c - '0');
			shift -= in_fraction;
		} else {
			shift += !in_fraction && shift < EXPONENT_MAX;
		}
	}
	if (!i || number.data[i - 1] == '.' ||
	    !read_exponent(text_after(number, i), &exponent))
		return false;
	// A product in 128 bits is divided slowly.
	for (shift += exponent; shift < 0 && factor % 10 == 0; shift++)
		factor /= 10;
	return scale(value * factor, shift, max, ret);
}

uint64_t units_read_duration_us(struct text text)
{
	static const struct {
		const char *name;
		uint64_t us;
	} units[] = {
		{ "microsecond", 1 },    { "us", 1 },
		{ "millisecond", 1000 }, { "ms", 1000 },
		{ "second", 1000000 },   { "s", 1000000 },
	};
	struct text number = text;
	uint64_t us;

	while (text.size &&
	       (text_is_digit(text.data[0]) || text.data[0] == '.'))
		text = text_after(text, 1);
	number.size -= text.size;
	text = text_trim_left(text);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (text_starts(text, units[i].name))
			return units_read(number, units[i].us, UINT64_MAX, &us)
			               ? us
			               : 0;
	return 0;
}

uint64_t units_share(uint64_t part, uint64_t whole, uint64_t units)
{
	uint64_t product;

	if (!whole)
		return 0;
	if (!__builtin_mul_overflow(part, units, &product) &&
	    !__builtin_add_overflow(product, whole / 2, &product))
		return product / whole;
	return (uint64_t)(((wide)part * units + whole / 2) / whole);
}

/** Exactly @p count decimals. */
static void add_decimals(struct str *out, uint64_t decimals, unsigned count)
{
	char digits[10];

	for (unsigned i = count; i-- > 0; decimals /= 10)
		digits[i] = (char)('0' + decimals % 10);
	str_add_char(out, '.');
	str_add_bytes(out, digits, count);
}

void units_add_fixed(struct str *out, uint64_t value, uint64_t unit,
                     unsigned decimals)
{
	uint64_t whole = value / unit;
	uint64_t places = 1;
	uint64_t part;

	for (unsigned i = 0; i < decimals; i++)
		places *= 10;
	part = units_share(value % unit, unit, places);
	str_add_number(out, whole + part / places);
	if (decimals)
		add_decimals(out, part % places, decimals);
}

void units_add_exact(struct str *out, uint64_t value, uint64_t unit)
{
	const uint64_t places = 10000000000;
	uint64_t whole = value / unit;
	uint64_t part = units_share(value % unit, unit, places);
	unsigned count = 10;

	str_add_number(out, whole + part / places);
	part %= places;
	if (!part)
		return;
	for (; part % 10 == 0; part /= 10)
		count--;
	add_decimals(out, part, count);
}

void units_add_duration(struct str *out, uint64_t ms)
{
	static const struct {
		uint64_t ms;
		const char *name;
	} units[] = {
		{ 86400000, " d" }, { 3600000, " h" }, { 60000, " min" },
		{ 1000, " s" },     { 1, " ms" },
	};
	size_t i = 0;
	uint64_t rest;

	while (i < ARRAY_SIZE(units) - 1 && ms < units[i].ms)
		i++;
	str_add_number(out, ms / units[i].ms);
	str_add(out, units[i].name);
	rest = ms % units[i].ms;
	if (units[i].ms <= 1000 || rest < units[i + 1].ms)
		return;
	str_add_char(out, ' ');
	str_add_number(out, rest / units[i + 1].ms);
	str_add(out, units[i + 1].name);
}

bool units_read_size(struct text text, uint64_t *ret)
{
	static const char letters[] = "KMG";
	struct text unit = text_trim(text);
	uint64_t factor = 1;

	if (unit.size && (unit.data[unit.size - 1] | 0x20) == 'b') {
		unit.size--;
		if (unit.size && unit.data[unit.size - 1] == 'i')
			unit.size--;
	}
	for (unsigned i = 0; letters[i] && unit.size; i++) {
		if ((unit.data[unit.size - 1] & ~0x20) != letters[i])
			continue;
		factor <<= 10 * (i + 1);
		unit.size--;
		break;
	}
	return units_read(text_trim_right(unit), factor, (uint64_t)1 << 60,
	                  ret);
}

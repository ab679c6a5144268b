// SPDX-License-Identifier: MIT
#include "lib/base/number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct number_case {
	const char *field;
	bool ok;
	uint64_t value;
};

static void check(bool (*read)(struct text, uint64_t *),
                  const struct number_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t value = 4711;

		assert_int_equal(read(text_from(cases[i].field), &value),
		                 cases[i].ok);
		// A refused field leaves the result alone.
		assert_true(value == (cases[i].ok ? cases[i].value : 4711));
	}
}

static void decimal_is_digits_and_nothing_else(void **state UNUSED)
{
	static const struct number_case cases[] = {
		{ "0", true, 0 },
		{ "007", true, 7 },
		{ "18446744073709551615", true, UINT64_MAX },
		{ "18446744073709551616", false, 0 },
		{ "99999999999999999999999", false, 0 },
		{ "", false, 0 },
		{ "-1", false, 0 },
		{ "+1", false, 0 },
		{ " 1", false, 0 },
		{ "1 ", false, 0 },
		{ "1a", false, 0 },
		{ "0x1", false, 0 },
		{ "1.0", false, 0 },
	};

	check(number_decimal, cases, ARRAY_SIZE(cases));
}

static void hex_is_read_with_or_without_its_prefix(void **state UNUSED)
{
	static const struct number_case cases[] = {
		{ "0", true, 0 },
		{ "fF", true, 255 },
		{ "0x10", true, 16 },
		{ "0X10", true, 16 },
		{ "ffffffffffffffff", true, UINT64_MAX },
		{ "0x0000000000000000001", true, 1 },
		{ "10000000000000000", false, 0 },
		{ "0x", false, 0 },
		{ "", false, 0 },
		{ "0x0x1", false, 0 },
		{ "g", false, 0 },
		{ "-1", false, 0 },
	};

	check(number_hex, cases, ARRAY_SIZE(cases));
}

static void the_prefix_decides_the_base(void **state UNUSED)
{
	static const struct number_case cases[] = {
		{ "10", true, 10 }, { "0x10", true, 16 }, { "0X1f", true, 31 },
		{ "1f", false, 0 }, { "", false, 0 },
	};

	check(number_any, cases, ARRAY_SIZE(cases));
}

static void signed_numbers_reach_both_ends(void **state UNUSED)
{
	static const struct {
		const char *field;
		bool ok;
		int64_t value;
	} cases[] = {
		{ "-1", true, -1 },
		{ "0", true, 0 },
		{ "-0", true, 0 },
		{ "9223372036854775807", true, INT64_MAX },
		{ "9223372036854775808", false, 0 },
		{ "-9223372036854775808", true, INT64_MIN },
		{ "-9223372036854775809", false, 0 },
		{ "-", false, 0 },
		{ "--1", false, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int64_t value = 4711;

		assert_int_equal(
		        number_signed(text_from(cases[i].field), &value),
		        cases[i].ok);
		assert_true(value == (cases[i].ok ? cases[i].value : 4711));
	}
}

static void a_field_ends_where_its_length_says(void **state UNUSED)
{
	struct text cut = { .data = "123456", .size = 3 };
	struct text nul = { .data = "12\0", .size = 3 };
	uint64_t value = 0;

	assert_true(number_decimal(cut, &value));
	assert_int_equal(value, 123);
	assert_false(number_decimal(nul, &value));
	assert_false(number_decimal((struct text){ 0 }, &value));
	assert_false(number_any((struct text){ 0 }, &value));
}

static void sums_and_differences_stay_within_64_bits(void **state UNUSED)
{
	assert_true(number_sum(1, 2) == 3);
	assert_true(number_sum(UINT64_MAX, 1) == UINT64_MAX);
	assert_true(number_difference(3, 1) == 2);
	assert_true(number_difference(1, 1) == 0);
	assert_true(number_difference(1, UINT64_MAX) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decimal_is_digits_and_nothing_else),
		cmocka_unit_test(hex_is_read_with_or_without_its_prefix),
		cmocka_unit_test(the_prefix_decides_the_base),
		cmocka_unit_test(signed_numbers_reach_both_ends),
		cmocka_unit_test(a_field_ends_where_its_length_says),
		cmocka_unit_test(sums_and_differences_stay_within_64_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

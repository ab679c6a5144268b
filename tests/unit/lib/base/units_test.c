// SPDX-License-Identifier: MIT
#include "lib/base/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void numbers_are_read_in_the_smaller_unit(void **state UNUSED)
{
	static const struct {
		const char *text;
		uint64_t factor;
		uint64_t value;
	} cases[] = {
		{ "0", 1000, 0 },
		{ "12.5", 1000, 12500 },
		{ "12345678901234567890123e-10", 1, 1234567890123 },
		{ "12.5", 1, 13 },
		{ "0.0004", 1000, 0 },
		{ "0.0005", 1000, 1 },
		{ "1.2e-05", 1000000, 12 },
		{ "0.066796999999999995", 1000000, 66797 },
		{ "2E+3", 1000, 2000000 },
		{ "1450.09375", UNITS_MIB, 1520533504 },
		{ "0.99999999999999999999999", 1, 1 },
		{ "0e99999999999", 1000, 0 },
		{ "1e-99999", 1000, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t value = 42;

		assert_true(units_read(text_from(cases[i].text),
		                       cases[i].factor, UINT64_MAX, &value));
		assert_int_equal(value, cases[i].value);
	}
}

static void what_is_no_number_or_too_much_is_refused(void **state UNUSED)
{
	static const char *const texts[] = {
		"",     ".",   ".5",   "5.",    "-1",
		"+1",   "1 ",  " 1",   "1,5",   "1e",
		"1e+",  "1e-", "e3",   "1.2.3", "0x1",
		"1e3x", "inf", "1.e3", "1001",  "1e99999999999",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		uint64_t value = 42;

		assert_false(units_read(text_from(texts[i]), 1, 1000, &value));
		assert_int_equal(value, 42);
	}
}

static void the_most_is_allowed_and_no_more(void **state UNUSED)
{
	uint64_t value;

	assert_true(units_read(text_from("1000"), 1, 1000, &value));
	assert_true(units_read(text_from("1000.4"), 1, 1000, &value));
	assert_int_equal(value, 1000);
	assert_false(units_read(text_from("1000.5"), 1, 1000, &value));
	assert_false(units_read(text_from("18446744073709551616"), 1,
	                        UINT64_MAX, &value));
}

static void durations_have_units(void **state UNUSED)
{
	static const struct {
		const char *text;
		uint64_t us;
	} cases[] = {
		{ "100ms sampling interval)", 100000 },
		{ "1 millisecond", 1000 },
		{ "10 milliseconds", 10000 },
		{ "1.5 s", 1500000 },
		{ "0.5us", 1 },
		{ "250 microseconds", 250 },
		{ "20 seconds", 20000000 },
		{ "3 hours", 0 },
		{ "3", 0 },
		{ "ms", 0 },
		{ "", 0 },
		{ "99999999999999 seconds", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(
		        units_read_duration_us(text_from(cases[i].text)),
		        cases[i].us);
}

static void shares_are_rounded_half_up(void **state UNUSED)
{
	assert_int_equal(units_share(1, 3, 10000), 3333);
	assert_int_equal(units_share(2, 3, 10000), 6667);
	assert_int_equal(units_share(1, 2, 1), 1);
	assert_int_equal(units_share(5, 0, 100), 0);
	assert_int_equal(units_share(UINT64_MAX, UINT64_MAX, 10000), 10000);
	assert_true(units_share(UINT64_MAX, UINT64_MAX, UINT64_MAX) ==
	            UINT64_MAX);
}

static void fixed_decimals_are_rounded_half_up(void **state UNUSED)
{
	static const struct {
		uint64_t value;
		uint64_t unit;
		unsigned decimals;
		const char *text;
	} cases[] = {
		{ 0, UNITS_MIB, 1, "0.0" },
		{ 3 * UNITS_MIB / 2, UNITS_MIB, 1, "1.5" },
		{ 2 * UNITS_MIB - 1, UNITS_MIB, 1, "2.0" },
		{ UNITS_MIB / 20, UNITS_MIB, 1, "0.0" },
		{ UNITS_MIB / 20 + 1, UNITS_MIB, 1, "0.1" },
		{ 6667, 100, 2, "66.67" },
		{ 1499, 1000, 0, "1" },
		{ 1500, 1000, 0, "2" },
		{ 9949999, 1000000, 1, "9.9" },
		{ 9950000, 1000000, 1, "10.0" },
		{ UINT64_MAX, 1, 2, "18446744073709551615.00" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str text = { 0 };

		units_add_fixed(&text, cases[i].value, cases[i].unit,
		                cases[i].decimals);
		assert_string_equal(str_cstr(&text), cases[i].text);
	}
}

static void exact_amounts_have_no_more_decimals_than_needed(void **state UNUSED)
{
	static const struct {
		uint64_t value;
		uint64_t unit;
		const char *text;
	} cases[] = {
		{ 0, 1000, "0" },
		{ 1500000, 1000, "1500" },
		{ 50, 1000, "0.05" },
		{ 1, 1000, "0.001" },
		{ 2030500, 1000, "2030.5" },
		{ 10010, 1000, "10.01" },
		{ UINT64_MAX, 1000, "18446744073709551.615" },
		{ 1024, UNITS_MIB, "0.0009765625" },
		{ 1520566272, UNITS_MIB, "1450.125" },
		{ 2 * UNITS_MIB - 1, UNITS_MIB, "1.9999990463" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str text = { 0 };

		units_add_exact(&text, cases[i].value, cases[i].unit);
		assert_string_equal(str_cstr(&text), cases[i].text);
	}
}

static void durations_show_their_two_largest_units(void **state UNUSED)
{
	static const struct {
		uint64_t ms;
		const char *text;
	} cases[] = {
		{ 0, "0 ms" },           { 999, "999 ms" },
		{ 1999, "1 s" },         { 60000, "1 min" },
		{ 61999, "1 min 1 s" },  { 3600000, "1 h" },
		{ 3659999, "1 h" },      { 3660000, "1 h 1 min" },
		{ 90061000, "1 d 1 h" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str text = { 0 };

		units_add_duration(&text, cases[i].ms);
		assert_string_equal(str_cstr(&text), cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read_in_the_smaller_unit),
		cmocka_unit_test(what_is_no_number_or_too_much_is_refused),
		cmocka_unit_test(the_most_is_allowed_and_no_more),
		cmocka_unit_test(durations_have_units),
		cmocka_unit_test(shares_are_rounded_half_up),
		cmocka_unit_test(fixed_decimals_are_rounded_half_up),
		cmocka_unit_test(
		        exact_amounts_have_no_more_decimals_than_needed),
		cmocka_unit_test(durations_show_their_two_largest_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

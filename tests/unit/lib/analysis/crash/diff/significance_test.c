// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/diff/significance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/** In millionths, so that a difference shows. */
static long millionths(uint64_t old, uint64_t now, uint64_t old_exposure,
                       uint64_t now_exposure)
{
	return (long)(significance(old, now, old_exposure, now_exposure) * 1e6 +
	              0.5);
}

// Of R: binom.test(now, old + now, share).
static void values_are_those_of_the_exact_test(void **state UNUSED)
{
	assert_int_equal(millionths(2, 3, 1, 1), 1000000);
	assert_int_equal(millionths(0, 5, 1, 1), 62500);
	assert_int_equal(millionths(0, 6, 1, 1), 31250);
	assert_int_equal(millionths(10, 25, 1, 1), 16674);
	assert_int_equal(millionths(25, 10, 1, 1), 16674);
	assert_int_equal(millionths(10, 25, 1000, 2500), 1000000);
	assert_int_equal(millionths(3, 9, 1, 3), 1000000);
	assert_int_equal(millionths(9, 3, 1, 3), 392);
}

static void nothing_and_much_are_no_special_cases(void **state UNUSED)
{
	assert_int_equal(millionths(0, 0, 1, 1), 1000000);
	assert_int_equal(millionths(0, 1, 1, 1), 1000000);
	assert_int_equal(millionths(1000000, 1000000, 1, 1), 1000000);
	assert_int_equal(millionths(1000000, 2000000, 1, 1), 0);
	assert_int_equal(millionths(0, 4000000000, 1, 1), 0);
	assert_int_equal(millionths(1, 1, 1, UINT64_MAX), 0);
	assert_int_equal(millionths(UINT64_MAX, 1, 1, 1), 0);
	assert_int_equal(millionths(UINT64_MAX, UINT64_MAX, 1, 1), 1000000);
	assert_int_equal(millionths(UINT64_MAX, 5, UINT64_MAX, 1), 3660);
	assert_int_equal(millionths(5, UINT64_MAX, 1, UINT64_MAX), 3660);
	// One deviation and three, of counts whose walk would be too long.
	assert_in_range(millionths(50000000000, 50000316228, 1, 1), 314000,
	                320000);
	assert_in_range(millionths(50000000000, 50000948683, 1, 1), 2600, 2800);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_those_of_the_exact_test),
		cmocka_unit_test(nothing_and_much_are_no_special_cases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

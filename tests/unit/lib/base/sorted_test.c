// SPDX-License-Identifier: MIT
#include "lib/base/sorted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NUMBERS_MAX ((size_t)5000)

static const uint64_t numbers[] = { 2, 4, 4, 4, 7 };

static void lower_bound_is_the_first_not_below(void **state UNUSED)
{
	const struct {
		uint64_t wanted;
		size_t index;
	} cases[] = { { 0, 0 }, { 2, 0 }, { 3, 1 }, { 4, 1 },
		      { 5, 4 }, { 7, 4 }, { 8, 5 } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(SORTED_SKIP(at, ARRAY_SIZE(numbers),
		                             numbers[at] < cases[i].wanted),
		                 cases[i].index);
}

static void upper_bound_is_the_first_above(void **state UNUSED)
{
	const struct {
		uint64_t wanted;
		size_t index;
	} cases[] = { { 0, 0 }, { 2, 1 }, { 3, 1 }, { 4, 4 },
		      { 5, 4 }, { 7, 5 }, { 8, 5 } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(SORTED_SKIP(at, ARRAY_SIZE(numbers),
		                             numbers[at] <= cases[i].wanted),
		                 cases[i].index);
}

static void of_nothing_nothing_is_skipped_or_asked(void **state UNUSED)
{
	assert_int_equal(SORTED_SKIP(at, 0, numbers[at] != 99), 0);
}

static void every_length_finds_every_place(void **state UNUSED)
{
	for (size_t count = 0; count < 40; count++)
		for (size_t place = 0; place <= count; place++)
			assert_int_equal(SORTED_SKIP(at, count, at < place),
			                 place);
}

static void few_elements_of_many_are_looked_at(void **state UNUSED)
{
	unsigned looked = 0;

	assert_int_equal(
	        SORTED_SKIP(at, (size_t)1 << 40, (looked++, at < 123456789)),
	        123456789);
	assert_true(looked <= 41);
}

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/** As many numbers of so many bits, some of them twice, against qsort(). */
static void check_order(size_t count, unsigned bits)
{
	static uint64_t sorted[NUMBERS_MAX], plain[NUMBERS_MAX];
	uint64_t state = count * 64 + bits;
	size_t unique = 0;

	for (size_t i = 0; i < count; i++) {
		state = state * UINT64_C(6364136223846793005) + 1;
		sorted[i] = state >> (64 - bits);
		if (i % 5 == 4)
			sorted[i] = sorted[i / 2];
	}
	memcpy(plain, sorted, sizeof(plain));
	qsort(plain, count, sizeof(plain[0]), compare);
	for (size_t i = 0; i < count; i++)
		if (!unique || plain[unique - 1] != plain[i])
			plain[unique++] = plain[i];
	assert_int_equal(sorted_once(sorted, count), unique);
	assert_memory_equal(sorted, plain, unique * sizeof(sorted[0]));
}

static void numbers_are_in_order_and_each_once(void **state UNUSED)
{
	const size_t counts[] = { 1, 2, 255, 256, 257, 1000, NUMBERS_MAX };
	const unsigned bits[] = { 1, 8, 9, 16, 17, 33, 45, 56, 57, 64 };
	uint64_t none;

	assert_int_equal(sorted_once(&none, 0), 0);
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		for (size_t k = 0; k < ARRAY_SIZE(bits); k++)
			check_order(counts[i], bits[k]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lower_bound_is_the_first_not_below),
		cmocka_unit_test(upper_bound_is_the_first_above),
		cmocka_unit_test(of_nothing_nothing_is_skipped_or_asked),
		cmocka_unit_test(every_length_finds_every_place),
		cmocka_unit_test(few_elements_of_many_are_looked_at),
		cmocka_unit_test(numbers_are_in_order_and_each_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

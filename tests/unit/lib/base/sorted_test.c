#include "lib/base/sorted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lower_bound_is_the_first_not_below),
		cmocka_unit_test(upper_bound_is_the_first_above),
		cmocka_unit_test(of_nothing_nothing_is_skipped_or_asked),
		cmocka_unit_test(every_length_finds_every_place),
		cmocka_unit_test(few_elements_of_many_are_looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

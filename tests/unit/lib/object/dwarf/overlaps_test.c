// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/overlaps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#define PLACES 64
#define RANGES 12
#define NOBODY RANGES

/** Who was given each place. */
struct given {
	size_t owners[PLACES];
	uint64_t end; ///< of what was given last
	size_t last;
	size_t calls;
};

static void take(void *context, const struct overlap_range *own)
{
	struct given *given = context;

	assert_true(own->low < own->high && own->low >= given->end);
	// What lies side by side is given at once.
	assert_false(given->calls && own->low == given->end &&
	             own->item == given->last);
	for (uint64_t i = own->low; i < own->high; i++)
		given->owners[i] = own->item;
	given->end = own->high;
	given->last = own->item;
	given->calls++;
}

static size_t owner_of(const struct overlap_range *ranges, size_t count,
                       uint64_t place)
{
	size_t owner = NOBODY;

	for (size_t i = 0; i < count; i++)
		if (ranges[i].low <= place && place < ranges[i].high &&
		    (owner == NOBODY || ranges[i].rank < ranges[owner].rank))
			owner = i;
	return owner;
}

static void each_place_is_given_to_the_one_that_counts(void **state)
{
	uint64_t numbers = 1;
	size_t calls = 0;

	(void)state;
	for (unsigned i = 0; i < 5000; i++) {
		struct overlap_range ranges[RANGES];
		struct overlap_range copy[RANGES];
		struct given given = { 0 };
		size_t count = i % (RANGES + 1);

		for (size_t j = 0; j < count; j++) {
			numbers = numbers * 6364136223846793005u + 1;
			ranges[j] = (struct overlap_range){
				.low = numbers >> 58,
				.high = numbers >> 52 & (PLACES - 1),
				.rank = numbers >> 50 & 3,
				.item = j,
			};
			copy[j] = ranges[j];
		}
		for (size_t j = 0; j < PLACES; j++)
			given.owners[j] = NOBODY;
		overlaps_resolve(copy, count, take, &given);
		for (size_t j = 0; j < PLACES; j++)
			assert_int_equal(given.owners[j],
			                 owner_of(ranges, count, j));
		assert_true(given.calls <= 2 * count);
		calls += given.calls;
	}
	assert_true(calls > 5000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_place_is_given_to_the_one_that_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/base/map.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/** Numbers, each once; a map finds them. */
struct table {
	struct map map;
	uint64_t *numbers;
	size_t count;
	size_t cap;
};

static void table_release(struct table *table)
{
	free(table->numbers);
	map_release(&table->map);
}

static uint64_t hash_it(uint64_t seed, const void *key)
{
	return map_hash_number(seed, *(const uint64_t *)key);
}

static bool is_it(const void *context, uint32_t index, const void *key)
{
	const struct table *table = context;

	assert_true(index < table->count);
	return table->numbers[index] == *(const uint64_t *)key;
}

/** All keys belong into one slot. */
static uint64_t hash_alike(uint64_t seed UNUSED, const void *key UNUSED)
{
	return UINT64_MAX;
}

static const struct map_keys number_keys = { hash_it, is_it };
static const struct map_keys alike_keys = { hash_alike, is_it };

static uint32_t add(struct table *table, const struct map_keys *keys,
                    uint64_t number)
{
	uint32_t at = map_add(&table->map, keys, table, &number, table->count);

	if (at == table->count) {
		MEM_GROW(table->numbers, table->count, table->cap);
		table->numbers[table->count++] = number;
	}
	return at;
}

static uint32_t find(const struct table *table, uint64_t number)
{
	return map_find(&table->map, &number_keys, table, &number);
}

static void a_key_gets_the_index_it_was_first_given(void **state UNUSED)
{
	SCOPED(table_release) struct table table = { 0 };

	assert_int_equal(add(&table, &number_keys, 70), 0);
	assert_int_equal(add(&table, &number_keys, 80), 1);
	assert_int_equal(add(&table, &number_keys, 70), 0);
	assert_int_equal(find(&table, 80), 1);
	assert_int_equal(table.map.count, 2);
}

static void find_adds_nothing(void **state UNUSED)
{
	SCOPED(table_release) struct table table = { 0 };

	assert_int_equal(find(&table, 1), MAP_NONE);
	add(&table, &number_keys, 2);
	assert_int_equal(find(&table, 1), MAP_NONE);
	assert_int_equal(table.map.count, 1);
}

static void many_keys_are_all_found_and_a_quarter_is_free(void **state UNUSED)
{
	SCOPED(table_release) struct table table = { 0 };

	for (uint64_t i = 0; i < 100000; i++)
		assert_int_equal(add(&table, &number_keys, i << 12), i);
	for (uint64_t i = 0; i < 100000; i++) {
		assert_int_equal(find(&table, i << 12), i);
		assert_int_equal(find(&table, (i << 12) + 1), MAP_NONE);
	}
	assert_true(map_most((size_t)table.map.mask + 1) >= 100000);
	assert_true(map_most(((size_t)table.map.mask + 1) / 2) < 100000);
}

static void equal_hashes_do_not_make_equal_keys(void **state UNUSED)
{
	SCOPED(table_release) struct table table = { 0 };

	// Across the end of the slots, and as the map grows.
	for (uint64_t round = 0; round < 2; round++)
		for (uint64_t i = 0; i < 200; i++)
			assert_int_equal(add(&table, &alike_keys, i), i);
	assert_int_equal(table.map.count, 200);
}

/** Of few slots: runs are long, and go across the end. */
static uint64_t hash_nearby(uint64_t seed UNUSED, const void *key)
{
	return (*(const uint64_t *)key * 3 / 5) << 32;
}

static const struct map_keys nearby_keys = { hash_nearby, is_it };

static void what_runs_across_the_end_is_found_as_a_map_grows(
        void **state UNUSED)
{
	SCOPED(table_release) struct table table = { 0 };

	// At each size, some are before the end and some after it.
	for (uint64_t i = 0; i < 3000; i++) {
		add(&table, &nearby_keys, UINT32_MAX / 8 - i);
		for (uint64_t k = i < 100 ? 0 : i - 100; k <= i; k++) {
			uint64_t number = UINT32_MAX / 8 - k;

			assert_int_equal(map_find(&table.map, &nearby_keys,
			                          &table, &number),
			                 k);
		}
	}
	map_room(&table.map, 100000);
	for (uint64_t k = 0; k < 3000; k++) {
		uint64_t number = UINT32_MAX / 8 - k;

		assert_int_equal(
		        map_find(&table.map, &nearby_keys, &table, &number), k);
	}
}

static void clear_forgets_and_keeps_what_was_needed(void **state UNUSED)
{
	SCOPED(table_release) struct table table = { 0 };
	const struct map_slot *slots;

	for (uint64_t i = 0; i < 10000; i++)
		add(&table, &number_keys, i);
	slots = table.map.slots;
	map_clear(&table.map);
	table.count = 0;
	assert_ptr_equal(table.map.slots, slots);
	assert_int_equal(find(&table, 5), MAP_NONE);
	assert_int_equal(add(&table, &number_keys, 5), 0);
	// Too many slots for one key: the next user starts small.
	map_clear(&table.map);
	table.count = 0;
	assert_null(table.map.slots);
	assert_int_equal(find(&table, 5), MAP_NONE);
	assert_int_equal(add(&table, &number_keys, 6), 0);
	assert_int_equal(find(&table, 6), 0);
}

static void two_maps_have_seeds_of_their_own(void **state UNUSED)
{
	SCOPED(table_release) struct table one = { 0 };
	SCOPED(table_release) struct table other = { 0 };

	add(&one, &number_keys, 1);
	add(&other, &number_keys, 1);
	assert_int_not_equal(one.map.seed, other.map.seed);
}

static void room_for_many_is_made_once(void **state UNUSED)
{
	struct table table = { 0 };
	const struct map_slot *slots;

	add(&table, &number_keys, 7);
	map_room(&table.map, 1000);
	slots = table.map.slots;
	for (uint64_t i = 0; i < 1000; i++)
		add(&table, &number_keys, 1000 + i);
	assert_ptr_equal(table.map.slots, slots);
	assert_int_equal(add(&table, &number_keys, 7), 0);
	assert_int_equal(add(&table, &number_keys, 1999), 1000);
	map_room(&table.map, 0);
	assert_ptr_equal(table.map.slots, slots);
	table_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_gets_the_index_it_was_first_given),
		cmocka_unit_test(find_adds_nothing),
		cmocka_unit_test(many_keys_are_all_found_and_a_quarter_is_free),
		cmocka_unit_test(equal_hashes_do_not_make_equal_keys),
		cmocka_unit_test(
		        what_runs_across_the_end_is_found_as_a_map_grows),
		cmocka_unit_test(clear_forgets_and_keeps_what_was_needed),
		cmocka_unit_test(two_maps_have_seeds_of_their_own),
		cmocka_unit_test(room_for_many_is_made_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

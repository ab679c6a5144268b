// SPDX-License-Identifier: MIT
#include "lib/model/image_map.h"

#include "lib/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define MAP(ranges, signing, map) \
	SCOPED(image_map_release) \
	struct image_map map;     \
	image_map_init(&map, ranges, ARRAY_SIZE(ranges), signing)

/** The image at @p address; IMAGE_NONE if none is. */
static size_t at(const struct image_map *map, uint64_t address)
{
	struct image_place place;

	return image_map_find(map, address, &place) ? place.image : IMAGE_NONE;
}

static void both_ends_of_an_image_belong_to_it(void **state UNUSED)
{
	static const struct image_range ranges[] = {
		{ .base = 0x2000, .size = 0x1000 },
		{ .base = 0x1000, .size = 0x800 },
	};
	struct image_place place;

	MAP(ranges, POINTERS_PLAIN, map);
	assert_true(at(&map, 0xfff) == IMAGE_NONE);
	assert_int_equal(at(&map, 0x1000), 1);
	assert_true(image_map_find(&map, 0x17ff, &place));
	assert_int_equal(place.image, 1);
	assert_int_equal(place.address, 0x17ff);
	assert_int_equal(place.offset, 0x7ff);
	assert_true(at(&map, 0x1800) == IMAGE_NONE);
	assert_int_equal(at(&map, 0x2000), 0);
	assert_true(at(&map, 0x3000) == IMAGE_NONE);
}

static void the_smallest_that_covers_the_address_wins(void **state UNUSED)
{
	static const struct image_range ranges[] = {
		{ .base = 0x1000, .size = 0x10000 }, // a cache
		{ .base = 0x2000, .size = 0x1000 },  // inside of it
		{ .base = 0x2000, .size = 0x1000 },  // its twin
		{ .base = 0x2800, .size = 0x2000 },  // across its end
		{ .base = 0, .size = UINT64_MAX },   // a stand-in for none
	};

	MAP(ranges, POINTERS_PLAIN, map);
	assert_int_equal(at(&map, 0x1fff), 0);
	// Of two of one size, the first, whatever begins later.
	assert_int_equal(at(&map, 0x2000), 1);
	assert_int_equal(at(&map, 0x2900), 1);
	assert_int_equal(at(&map, 0x2fff), 1);
	assert_int_equal(at(&map, 0x3000), 3);
	assert_int_equal(at(&map, 0x4800), 0);
	assert_true(at(&map, 0x20000) == IMAGE_NONE);
	assert_true(at(&map, 0) == IMAGE_NONE);
}

static void without_a_size_an_image_reaches_to_the_next_base(
        void **state UNUSED)
{
	static const struct image_range ranges[] = {
		{ .base = 0x3000 },
		{ .base = 0x1000 },
		{ .base = 0x2000, .size = 0x100 },
		{ .base = 0x3000 },
		{ .base = 0xfffffe0007000000 },
	};

	MAP(ranges, POINTERS_PLAIN, map);
	assert_int_equal(at(&map, 0x1000), 1);
	assert_int_equal(at(&map, 0x1fff), 1);
	assert_int_equal(at(&map, 0x20ff), 2);
	assert_true(at(&map, 0x2100) == IMAGE_NONE);
	// Both reach beyond their common base: the first.
	assert_int_equal(at(&map, 0x3000), 0);
	assert_int_equal(at(&map, 0x7fffffffffff), 0);
	assert_true(at(&map, 0x800000000000) == IMAGE_NONE);
	assert_int_equal(at(&map, 0xfffffe0007004000), 4);
}

static void an_image_with_a_size_goes_before_one_without(void **state UNUSED)
{
	static const struct image_range ranges[] = {
		{ .base = 0x2000 },
		{ .base = 0x1000, .size = 0x9000 },
	};

	MAP(ranges, POINTERS_PLAIN, map);
	assert_int_equal(at(&map, 0x2000), 1);
	assert_int_equal(at(&map, 0x9fff), 1);
	assert_int_equal(at(&map, 0xa000), 0);
}

static void an_image_may_reach_the_end_of_the_address_space(void **state UNUSED)
{
	static const struct image_range ranges[] = {
		{ .base = UINT64_MAX - 0xfff, .size = UINT64_MAX },
	};

	MAP(ranges, POINTERS_SIGNED, map);
	assert_int_equal(at(&map, UINT64_MAX), 0);
	assert_true(at(&map, 0x1000) == IMAGE_NONE);
}

static void signatures_are_stripped_as_the_processor_signs(void **state UNUSED)
{
	static const struct image_range ranges[] = {
		{ .base = 0x100000000, .size = 0x10000 },
	};
	static const struct {
		enum pointer_signing signing;
		uint64_t address;
		bool found;
	} cases[] = {
		{ POINTERS_SIGNED, 0x3f8e000100001010, true },  // 47 bits
		{ POINTERS_SIGNED, 0x00007f8100001010, true },  // 39 bits
		{ POINTERS_SIGNED, 0x0000001100001010, true },  // 36 bits
		{ POINTERS_SIGNED, 0xffff800100001010, false }, // kernel
		{ POINTERS_PLAIN, 0x3f8e000100001010, false },
		{ POINTERS_UNKNOWN, 0x3f8e000100001010, true },
		// It could be an address of an Intel processor.
		{ POINTERS_UNKNOWN, 0x00007f8100001010, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct image_place place = { 0 };

		MAP(ranges, cases[i].signing, map);
		assert_int_equal(image_map_find(&map, cases[i].address, &place),
		                 cases[i].found);
		assert_int_equal(place.address,
		                 cases[i].found ? 0x100001010 : 0);
		assert_int_equal(place.offset, cases[i].found ? 0x1010 : 0);
	}
}

static void names_of_architectures_say_who_signs(void **state UNUSED)
{
	assert_int_equal(pointer_signing_of("arm64e"), POINTERS_SIGNED);
	assert_int_equal(pointer_signing_of("ARM-64 (Native)"),
	                 POINTERS_SIGNED);
	assert_int_equal(pointer_signing_of("armv7s"), POINTERS_PLAIN);
	assert_int_equal(pointer_signing_of("arm64_32"), POINTERS_PLAIN);
	assert_int_equal(pointer_signing_of("ARM64_32"), POINTERS_PLAIN);
	assert_int_equal(pointer_signing_of(""), POINTERS_PLAIN);
	assert_int_equal(pointer_signing_of(NULL), POINTERS_UNKNOWN);
}

static void a_name_finds_the_greatest_base_below(void **state UNUSED)
{
	static const struct image_range ranges[] = {
		{ .base = 0x5000, .size = 0x100, .name = 1 },
		{ .base = 0x2000, .size = 0x100, .name = 2 },
		{ .base = 0x1000, .size = 0x100, .name = 1 },
		{ .name = 3 },
		{ .base = 0x1000, .name = 3 },
	};
	struct image_place place;

	MAP(ranges, POINTERS_SIGNED, map);
	assert_true(image_map_find_named(&map, 1, 0x4fff, &place));
	assert_int_equal(place.image, 2);
	assert_int_equal(place.offset, 0x3fff);
	assert_true(image_map_find_named(&map, 1, 0x5000, &place));
	assert_int_equal(place.image, 0);
	assert_true(image_map_find_named(&map, 1, 0x9a3f000000006000, &place));
	assert_int_equal(place.image, 0);
	assert_int_equal(place.address, 0x6000);
	assert_false(image_map_find_named(&map, 2, 0x1fff, &place));
	assert_false(image_map_find_named(&map, 3, 0x800, &place));
	assert_false(image_map_find_named(&map, 7, 0x2000, &place));
	assert_false(image_map_find_named(&map, 0, 0x2000, &place));
	assert_int_equal(image_map_lowest_named(&map, 1), 2);
	assert_int_equal(image_map_lowest_named(&map, 3), 3);
	assert_true(image_map_lowest_named(&map, 0) == IMAGE_NONE);
	assert_true(image_map_lowest_named(&map, 7) == IMAGE_NONE);
}

static void a_base_finds_its_first_image(void **state UNUSED)
{
	static const struct image_range ranges[] = {
		{ .base = 0x2000, .size = 0x10 },
		{ .base = 0x1000, .size = 0x100 },
		{ .base = 0x1000, .size = 0x10 },
	};

	MAP(ranges, POINTERS_PLAIN, map);
	assert_int_equal(image_map_find_base(&map, 0x1000), 1);
	assert_int_equal(image_map_find_base(&map, 0x2000), 0);
	assert_true(image_map_find_base(&map, 0x1001) == IMAGE_NONE);
	assert_true(image_map_find_base(&map, 0) == IMAGE_NONE);
	assert_true(image_map_find_base(&map, 0x3000) == IMAGE_NONE);
}

/** The last address of an image, from all others. */
static uint64_t last_naively(const struct image_range *ranges, size_t count,
                             size_t image)
{
	uint64_t last = POINTER_MASK;

	if (ranges[image].size)
		return ranges[image].base + ranges[image].size - 1;
	for (size_t i = 0; i < count; i++)
		if (ranges[i].base > ranges[image].base &&
		    ranges[i].base - 1 < last)
			last = ranges[i].base - 1;
	return last;
}

static size_t find_naively(const struct image_range *ranges, size_t count,
                           uint64_t address)
{
	size_t best = IMAGE_NONE;

	for (size_t i = 0; i < count; i++) {
		if (!ranges[i].base || address < ranges[i].base ||
		    address > last_naively(ranges, count, i))
			continue;
		if (best == IMAGE_NONE ||
		    ranges[i].size - 1 < ranges[best].size - 1)
			best = i;
	}
	return best;
}

static void it_finds_what_a_naive_search_finds(void **state UNUSED)
{
	uint32_t random = 12345;

	for (unsigned round = 0; round < 3000; round++) {
		struct image_range ranges[12] = { 0 };

		for (size_t i = 0; i < 1 + round % ARRAY_SIZE(ranges); i++) {
			random = random * 1664525 + 1013904223;
			ranges[i].base = random >> 8 & 63;
			ranges[i].size = random >> 16 & (round % 2 ? 31 : 3);
		}
		MAP(ranges, POINTERS_PLAIN, map);
		for (uint64_t i = 0; i < 100; i++)
			assert_true(
			        at(&map, i) ==
			        find_naively(ranges, ARRAY_SIZE(ranges), i));
	}
}

// Every image in every other: a search through all would take minutes.
static void many_overlapping_images_take_no_time(void **state UNUSED)
{
	const size_t count = 50000;
	SCOPED(mem_drop)
	struct image_range *ranges = mem_zalloc(count, sizeof(*ranges));
	SCOPED(image_map_release) struct image_map map;

	for (size_t i = 0; i < count; i++)
		ranges[i] = (struct image_range){
			.base = 0x10000 + i,
			.size = 2 * (count - i),
			.name = 1,
		};
	image_map_init(&map, ranges, count, POINTERS_PLAIN);
	for (size_t i = 0; i < 2 * count; i++)
		assert_true(image_map_lowest_named(&map, 1) == 0);
	assert_int_equal(at(&map, 0x10000 + 5), 5);
	assert_int_equal(at(&map, 0x10000 + count - 1), count - 1);
	assert_int_equal(at(&map, 0x10000 + count + 1), count - 2);
	assert_true(at(&map, 0x10000 + 2 * count) == IMAGE_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ends_of_an_image_belong_to_it),
		cmocka_unit_test(the_smallest_that_covers_the_address_wins),
		cmocka_unit_test(
		        without_a_size_an_image_reaches_to_the_next_base),
		cmocka_unit_test(an_image_with_a_size_goes_before_one_without),
		cmocka_unit_test(
		        an_image_may_reach_the_end_of_the_address_space),
		cmocka_unit_test(
		        signatures_are_stripped_as_the_processor_signs),
		cmocka_unit_test(names_of_architectures_say_who_signs),
		cmocka_unit_test(a_name_finds_the_greatest_base_below),
		cmocka_unit_test(a_base_finds_its_first_image),
		cmocka_unit_test(it_finds_what_a_naive_search_finds),
		cmocka_unit_test(many_overlapping_images_take_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

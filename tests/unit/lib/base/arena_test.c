// SPDX-License-Identifier: MIT
#include "lib/base/arena.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void memory_is_zeroed_and_aligned(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	for (size_t size = 0; size < 300; size++) {
		unsigned char *ptr = arena_alloc(&arena, size);

		assert_non_null(ptr);
		assert_int_equal((uintptr_t)ptr % alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(ptr[i], 0);
		// What comes next must not lie on top of this.
		memset(ptr, 0xff, size);
	}
}

static void large_objects_leave_the_others_alone(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	char *before = arena_strdup(&arena, "before");
	unsigned char *large = arena_alloc(&arena, 1 << 20);
	char *after = arena_strdup(&arena, "after");

	memset(large, 0xff, 1 << 20);
	assert_string_equal(before, "before");
	assert_string_equal(after, "after");
	assert_true(arena.total_bytes >= (1 << 20) + 13);
}

static void a_large_object_can_be_given_back(void **state UNUSED)
{
	// First, in the middle, and alone.
	for (unsigned before = 0; before < 3; before++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		char *small = before ? arena_strdup(&arena, "before") : NULL;
		size_t bytes = arena.total_bytes;
		char *large = arena_alloc(&arena, 1 << 20);
		char *after = before < 2 ? arena_strdup(&arena, "after") : NULL;
		size_t more = arena.total_bytes - bytes - (1 << 20);

		memset(large, 'x', 1 << 20);
		arena_drop(&arena, large, 1 << 20);
		assert_int_equal(arena.total_bytes, bytes + more);
		assert_string_equal(small ? small : "before", "before");
		assert_string_equal(after ? after : "after", "after");
		// What is handed out next lies on top of nothing.
		memset(arena_alloc(&arena, 100), 0xff, 100);
		assert_string_equal(small ? small : "before", "before");
		assert_string_equal(after ? after : "after", "after");
	}
}

static void an_object_that_shares_a_block_stays(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	char *all = arena_strdup(&arena, "all of it");
	char *next = arena_strdup(&arena, "next");

#ifndef APMTOOL_SANITIZE
	arena_drop(&arena, all, strlen(all) + 1);
	arena_drop(&arena, all + 4, strlen(all + 4) + 1);
	assert_string_equal(all, "all of it");
#else
	(void)all;
#endif
	assert_string_equal(next, "next");
}

static void strings_are_copied_and_terminated(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct text cut = { .data = "abcdef", .size = 3 };

	assert_string_equal(arena_text(&arena, cut), "abc");
	assert_string_equal(arena_text(&arena, (struct text){ 0 }), "");
	assert_string_equal(arena_strndup(&arena, NULL, 0), "");
	assert_string_equal(arena_strdup(&arena, "x"), "x");
	assert_string_equal(arena_printf(&arena, "%d-%s", 7, "y"), "7-y");
	assert_string_equal(arena_printf(&arena, "%s", ""), "");
}

static void an_array_grows_and_keeps_its_elements(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	uint32_t *numbers = NULL;
	size_t count = 0, cap = 0;

	for (uint32_t i = 0; i < 1100000; i++) {
		ARENA_GROW(&arena, numbers, count, cap);
		assert_int_equal(numbers[count], 0);
		numbers[count++] = i;
	}
	for (uint32_t i = 0; i < 1100000; i++)
		assert_int_equal(numbers[i], i);
	// Nearly as many would be spare if it always became twice as large.
	assert_true(cap - count <= count / 8);
	// Only the small ones stay beside their copies.
	assert_true(arena.total_bytes < sizeof(*numbers) * cap * 3 / 2);
}

static void the_last_array_grows_in_its_place(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	char *name = arena_strdup(&arena, "name");
	// Of 3 bytes: 8 of them are rounded up to 32 bytes, 16 take 48.
	struct triple {
		unsigned char bytes[3];
	} *first = NULL, *last = NULL;
	size_t first_count = 0, first_cap = 0, last_count = 0, last_cap = 0;

	for (; first_count < 9; first_count++) {
		ARENA_GROW(&arena, first, first_count, first_cap);
		memset(&first[first_count], 0x11, sizeof(*first));
	}
	for (; last_count < 40000; last_count++) {
		struct triple *before = last;

		ARENA_GROW(&arena, last, last_count, last_cap);
		for (size_t i = 0; i < sizeof(*last); i++)
			assert_int_equal(last[last_count].bytes[i], 0);
		memset(&last[last_count], 0xff, sizeof(*last));
#ifndef APMTOOL_SANITIZE
		// As long as the first block of this arena has room.
		assert_true(last_count == 0 || last_count > 128 ||
		            last == before);
#else
		(void)before;
#endif
		// At its end, downwards, are strings.
		if (last_count % 64 == 0)
			assert_string_equal(arena_strdup(&arena, "end"), "end");
	}
	// One that is not the last one is copied.
	memset(arena_alloc(&arena, 10), 0x22, 10);
	for (; first_count < 40000; first_count++) {
		ARENA_GROW(&arena, first, first_count, first_cap);
		memset(&first[first_count], 0x11, sizeof(*first));
	}
	assert_string_equal(name, "name");
	for (size_t i = 0; i < 40000 * sizeof(*last); i++) {
		assert_int_equal(((unsigned char *)last)[i], 0xff);
		assert_int_equal(((unsigned char *)first)[i], 0x11);
	}
}

static void an_array_grows_that_is_the_first_object(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct row {
		unsigned char bytes[16384];
	} *rows = NULL;
	size_t count = 0, cap = 0;
	char *small = NULL;

	// More than a block from the beginning.
	for (unsigned i = 0; i < 40; i++) {
		ARENA_GROW(&arena, rows, count, cap);
		assert_int_equal(rows[count].bytes[16383], 0);
		memset(&rows[count++], (int)i + 1, sizeof(*rows));
		// What is handed out next goes on after it, not where it was.
		if (arena.end && !small)
			assert_ptr_equal(arena.end, rows + cap);
		if (i == 20)
			small = arena_strdup(&arena, "small");
	}
	for (unsigned i = 0; i < 40; i++)
		assert_int_equal(rows[i].bytes[16383], i + 1);
	assert_string_equal(small, "small");
	assert_true(arena.total_bytes < sizeof(*rows) * cap * 3 / 2);
}

static void a_cleared_arena_gives_zeroed_memory_again(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 100; i++) {
			unsigned char *ptr = arena_alloc(&arena, 1000);

			for (size_t at = 0; at < 1000; at++)
				assert_int_equal(ptr[at], 0);
			memset(ptr, 0xff, 1000);
		}
		arena_alloc(&arena, 1 << 18);
		arena_clear(&arena);
		assert_int_equal(arena.total_bytes, 0);
	}
}

static void an_empty_arena_can_be_released_twice(void **state UNUSED)
{
	struct arena arena = { 0 };

	arena_clear(&arena);
	arena_release(&arena);
	arena_release(&arena);
	assert_non_null(arena_alloc(&arena, 1));
	arena_release(&arena);
}

static void a_long_string_loses_its_end(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	static const char name[] = "abcdéfgh";

	(void)state;
	assert_ptr_equal(arena_abridge(&arena, name, 9), name);
	assert_string_equal(arena_abridge(&arena, name, 8), "abcd…");
	// The é is not cut in two.
	assert_string_equal(arena_abridge(&arena, "abcdéfghij", 8), "abcd…");
	assert_string_equal(arena_abridge(&arena, "abcdéfghij", 9), "abcdé…");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zeroed_and_aligned),
		cmocka_unit_test(large_objects_leave_the_others_alone),
		cmocka_unit_test(a_large_object_can_be_given_back),
		cmocka_unit_test(an_object_that_shares_a_block_stays),
		cmocka_unit_test(strings_are_copied_and_terminated),
		cmocka_unit_test(an_array_grows_and_keeps_its_elements),
		cmocka_unit_test(the_last_array_grows_in_its_place),
		cmocka_unit_test(an_array_grows_that_is_the_first_object),
		cmocka_unit_test(a_cleared_arena_gives_zeroed_memory_again),
		cmocka_unit_test(an_empty_arena_can_be_released_twice),
		cmocka_unit_test(a_long_string_loses_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

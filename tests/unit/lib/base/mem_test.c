#include "lib/base/mem.h"

#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define BLOCKS      64
#define BLOCK_BYTES ((size_t)64 << 10)

/** What was foreseen needs nothing from the system any more. */
static void foreseen_memory_is_there(void **state UNUSED)
{
#ifdef __GLIBC__
	char *blocks[BLOCKS];
	void *end;

	mem_keep_freed();
	mem_foresee(2 * BLOCKS * BLOCK_BYTES);
	end = sbrk(0);
	for (size_t i = 0; i < BLOCKS; i++) {
		blocks[i] = mem_alloc(BLOCK_BYTES);
		memset(blocks[i], (int)i, BLOCK_BYTES);
	}
	assert_ptr_equal(sbrk(0), end);
	for (size_t i = 0; i < BLOCKS; i++) {
		assert_int_equal(blocks[i][BLOCK_BYTES - 1], (char)i);
		free(blocks[i]);
	}
#endif
}

static void a_long_vector_has_room_to_grow(void **state UNUSED)
{
#ifdef __GLIBC__
	const size_t count = ((size_t)1 << 20) / sizeof(uint32_t);
	uint32_t *items = NULL;
	uint32_t *first;
	size_t cap = 0;

	mem_keep_freed();
	for (size_t i = 0; i < count; i++) {
		MEM_GROW(items, i, cap);
		items[i] = (uint32_t)i;
	}
	first = items;
	for (size_t i = count; i < 16 * count; i++) {
		MEM_GROW(items, i, cap);
		items[i] = (uint32_t)i;
	}
	assert_ptr_equal(items, first);
	// It moves, with all that is in it.
	MEM_ROOM(items, 64 * count, cap);
	for (size_t i = 0; i < 16 * count; i++)
		assert_int_equal(items[i], i);
	free(items);
#endif
}

/** The end of a heap is far ahead of what is used, in large pages or not. */
static void a_heap_grows_in_large_steps(void **state UNUSED)
{
#if defined(__GLIBC__) && !defined(APMTOOL_SANITIZE)
	char *blocks[16 * BLOCKS];
	size_t steps = 0;
	void *end;

	mem_keep_freed();
	mem_take_large_pages();
	end = sbrk(0);
	for (size_t i = 0; i < ARRAY_SIZE(blocks); i++) {
		blocks[i] = mem_alloc(BLOCK_BYTES);
		memset(blocks[i], 1, BLOCK_BYTES);
		mem_take_large_pages();
		steps += sbrk(0) != end;
		end = sbrk(0);
	}
	// 64 MB in steps of 16.
	assert_in_range(steps, 3, 5);
	for (size_t i = 0; i < ARRAY_SIZE(blocks); i++)
		free(blocks[i]);
	for (size_t i = 0; i < ARRAY_SIZE(blocks); i++)
		blocks[i] = mem_alloc(BLOCK_BYTES);
	assert_ptr_equal(sbrk(0), end);
	for (size_t i = 0; i < ARRAY_SIZE(blocks); i++)
		free(blocks[i]);
#endif
}

#if defined(__linux__) && !defined(APMTOOL_SANITIZE)
/** Are large pages asked for at @p inside? */
static bool asks_for_large_pages(const void *inside)
{
	FILE *maps = fopen("/proc/self/smaps", "r");
	uintptr_t start, end;
	bool is_here = false;
	bool asks = false;
	char line[256];

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &start, &end) ==
		    2)
			is_here = start <= (uintptr_t)inside &&
			          (uintptr_t)inside < end;
		else if (is_here && !strncmp(line, "VmFlags:", 8))
			asks = strstr(line, " hg") != NULL;
	}
	fclose(maps);
	return asks;
}

static void *begin_thread(void *context UNUSED)
{
	mem_begin_thread();
	return mem_alloc(BLOCK_BYTES);
}
#endif

static void heaps_of_threads_have_large_pages(void **state UNUSED)
{
#if defined(__GLIBC__) && defined(__linux__) && !defined(APMTOOL_SANITIZE)
	void *block = NULL;
	pthread_t thread;

	if (access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK))
		skip();
	mem_keep_freed();
	mem_take_large_pages();
	assert_int_equal(pthread_create(&thread, NULL, begin_thread, NULL), 0);
	assert_int_equal(pthread_join(thread, &block), 0);
	assert_true(asks_for_large_pages(block));
	free(block);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		// What is foreseen leaves one heap for all threads.
		cmocka_unit_test(heaps_of_threads_have_large_pages),
		cmocka_unit_test(foreseen_memory_is_there),
		cmocka_unit_test(a_long_vector_has_room_to_grow),
		cmocka_unit_test(a_heap_grows_in_large_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

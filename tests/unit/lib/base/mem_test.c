#include "lib/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

/** The end of a heap is far ahead of what is used, in large pages or not. */
static void a_heap_grows_in_large_steps(void **state UNUSED)
{
#if defined(__GLIBC__) && !defined(APMTOOL_SANITIZE)
	char *blocks[16 * BLOCKS];
	size_t steps = 0;
	void *end;

	mem_keep_freed();
	mem_take_large_pages();
	mem_begin_thread();
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(foreseen_memory_is_there),
		cmocka_unit_test(a_heap_grows_in_large_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define ITEMS 100000

static void a_vector_keeps_its_elements_as_it_grows(void **state UNUSED)
{
	size_t *items = NULL;
	size_t cap = 0;

	for (size_t i = 0; i < ITEMS; i++) {
		MEM_GROW(items, i, cap);
		assert_in_range(cap, i + 1, 8 + i + i / 2);
		items[i] = i;
	}
	for (size_t i = 0; i < ITEMS; i++)
		assert_int_equal(items[i], i);
	free(items);
}

static void what_a_zeroed_vector_gains_is_zero(void **state UNUSED)
{
	uint32_t *items = NULL;
	size_t cap = 0;

	for (size_t i = 0; i < ITEMS; i++) {
		items = mem_grow_zeroed(items, &cap, i + 1, sizeof(*items));
		assert_int_equal(items[i], 0);
		items[i] = UINT32_MAX;
	}
	free(items);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_vector_keeps_its_elements_as_it_grows),
		cmocka_unit_test(what_a_zeroed_vector_gains_is_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

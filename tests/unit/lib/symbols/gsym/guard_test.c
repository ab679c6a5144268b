// SPDX-License-Identifier: MIT
#include "lib/symbols/gsym/guard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BLOCK  64
#define BLOCKS 20
/** A last block that is not full. */
#define BODY_BYTES (BLOCK * BLOCKS - 10)

struct guarded {
	uint8_t data[BODY_BYTES];
	struct str sums;
	struct gsym_guard guard;
};

static void guard_up(struct guarded *g)
{
	const struct bytes body = { .data = g->data, .size = BODY_BYTES };

	for (size_t i = 0; i < BODY_BYTES; i++)
		g->data[i] = (uint8_t)(i * 7 + i / BLOCK);
	guard_add_sums(body, BLOCK, &g->sums);
	assert_int_equal(g->sums.size, BLOCKS * GUARD_SUM_BYTES);
	assert_true(guard_init(&g->guard, body, BLOCK,
	                       bytes_from_text(str_text(&g->sums))));
}

static void guard_down(struct guarded *g)
{
	guard_release(&g->guard);
	str_release(&g->sums);
}

static void only_blocks_that_are_read_are_compared(void **state UNUSED)
{
	struct guarded g = { 0 };

	guard_up(&g);
	g.data[BLOCK * 5] ^= 1;
	assert_true(guard_check(&g.guard, 0, BLOCK * 5));
	assert_int_equal(guard_block_rest(&g.guard, BLOCK + 4), BLOCK - 4);
	assert_true(guard_check(&g.guard, BODY_BYTES - 1, 1));
	assert_false(g.guard.damaged);
	assert_false(guard_check(&g.guard, BLOCK * 5 - 1, 2));
	assert_true(g.guard.damaged);
	assert_false(guard_check(&g.guard, 0, 1));
	guard_down(&g);
}

static void nothing_outside_may_be_read(void **state UNUSED)
{
	struct guarded g = { 0 };

	guard_up(&g);
	assert_false(guard_check(&g.guard, BODY_BYTES - 1, 2));
	guard_down(&g);
	guard_up(&g);
	assert_true(guard_check(&g.guard, 0, BODY_BYTES));
	assert_true(g.guard.is_sound);
	assert_false(guard_check(&g.guard, BODY_BYTES, 1));
	guard_down(&g);
}

/** Most of it was read: the damage in the rest is found before it is. */
static void what_few_blocks_are_left_is_compared_at_once(void **state UNUSED)
{
	struct guarded g = { 0 };

	guard_up(&g);
	assert_true(guard_check(&g.guard, 0, BLOCK * 14));
	assert_false(g.guard.is_sound);
	assert_true(guard_check(&g.guard, BLOCK * 14, 1));
	assert_true(g.guard.is_sound);
	assert_true(guard_block_rest(&g.guard, 0) >= BODY_BYTES);
	guard_down(&g);
	guard_up(&g);
	g.data[BLOCK * 19] ^= 1;
	assert_true(guard_check(&g.guard, 0, BLOCK * 14));
	assert_false(guard_check(&g.guard, BLOCK * 14, 1));
	assert_true(g.guard.damaged);
	guard_down(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_blocks_that_are_read_are_compared),
		cmocka_unit_test(nothing_outside_may_be_read),
		cmocka_unit_test(what_few_blocks_are_left_is_compared_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

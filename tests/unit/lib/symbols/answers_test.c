// SPDX-License-Identifier: MIT
#include "lib/symbols/answers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#define OFFSETS 100000

static void an_answer_is_found_by_its_offset_alone(void **state)
{
	struct symbol_answers answers = { 0 };
	(void)state;

	assert_null(symbol_answers_find(&answers, 0));
	for (uint32_t i = 0; i < 1000; i++)
		symbol_answers_add(&answers, 4 * i,
		                   &(struct symbol_answer){ .count = i });
	for (size_t i = 0; i < 1000; i++) {
		assert_int_equal(symbol_answers_find(&answers, 4 * i)->count,
		                 i);
		assert_null(symbol_answers_find(&answers, 4 * i + 1));
	}
	symbol_answers_release(&answers);
}

/** 1 / @p odd, modulo 2^64: each step doubles the bits that are right. */
static uint64_t inverse(uint64_t odd)
{
	uint64_t x = odd;

	for (int i = 0; i < 6; i++)
		x *= 2 - odd * x;
	return x;
}

static void offsets_cannot_be_chosen_to_share_a_slot(void **state)
{
	// All of these times the usual constant have the same middle bits.
	uint64_t step = inverse(0x9e3779b97f4a7c15u) << 40;
	struct symbol_answers answers = { 0 };
	(void)state;

	// A moment; minutes where each is looked for after all others.
	alarm(10);
	for (uint32_t i = 1; i <= OFFSETS; i++)
		symbol_answers_add(&answers, i * step,
		                   &(struct symbol_answer){ .count = i });
	alarm(0);
	assert_int_equal(answers.count, OFFSETS);
	symbol_answers_release(&answers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_is_found_by_its_offset_alone),
		cmocka_unit_test(offsets_cannot_be_chosen_to_share_a_slot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

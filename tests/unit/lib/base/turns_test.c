#include "lib/base/turns.h"

#include "lib/base/parallel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define PIECES  2000
#define THREADS 8

struct work {
	struct turns taking;
	struct turns printing;
	size_t taken; ///< in the turn to take
	size_t printed[PIECES];
	size_t count; ///< in the turn to print
};

/** As much as the number says, so that pieces end in another order. */
static void spend_time(size_t number)
{
	for (volatile size_t i = 0; i < number * 7919 % 1000; i++)
		;
}

static void do_pieces(size_t index, void *context)
{
	struct work *work = context;

	(void)index;
	for (;;) {
		size_t number;

		turns_take(&work->taking);
		number = work->taken++;
		turns_pass(&work->taking);
		if (number >= PIECES)
			break;
		spend_time(number);
		turns_wait(&work->printing, number);
		work->printed[work->count++] = number;
		turns_pass(&work->printing);
	}
}

static void steps_are_in_the_order_of_their_numbers(void **state UNUSED)
{
	struct work work = { .taking = TURNS_INIT, .printing = TURNS_INIT };

	parallel_each(THREADS, THREADS, do_pieces, &work);
	assert_int_equal(work.count, PIECES);
	for (size_t i = 0; i < PIECES; i++)
		assert_int_equal(work.printed[i], i);
	// Each thread took one more, to learn that there is none.
	assert_int_equal(work.taken, PIECES + THREADS);
	turns_release(&work.taking);
	turns_release(&work.printing);
}

static void a_turn_that_has_come_is_not_waited_for(void **state UNUSED)
{
	struct turns turns = TURNS_INIT;

	turns_wait(&turns, 0);
	turns_wait(&turns, 0);
	turns_pass(&turns);
	turns_wait(&turns, 1);
	turns_release(&turns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_in_the_order_of_their_numbers),
		cmocka_unit_test(a_turn_that_has_come_is_not_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

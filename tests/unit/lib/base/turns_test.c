// SPDX-License-Identifier: MIT
#include "lib/base/turns.h"

#include "lib/base/compiler.h"
#include "lib/base/parallel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#define PIECES  100
#define THREADS 4
/** Of a millisecond, at most. */
#define PAUSES 20

struct work {
	struct turns taking;
	struct turns printing;
	size_t taken; ///< in the turn to take
	atomic_bool is_done[PIECES + 1];
	size_t printed[PIECES];
	atomic_size_t count;
};

/**
 * A piece is done after the one that follows it, and some time later. A machine
 * that gives no thread has nobody to do that one meanwhile.
 */
static void work_on(struct work *work, size_t number)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0;
	     number % 2 == 0 && !work->is_done[number + 1] && i < PAUSES; i++)
		nanosleep(&pause, NULL);
	if (number % 2 == 0)
		nanosleep(&pause, NULL);
	work->is_done[number] = true;
}

static void do_pieces(size_t index UNUSED, void *context)
{
	struct work *work = context;

	for (;;) {
		size_t number;

		turns_take(&work->taking);
		number = work->taken++;
		turns_pass(&work->taking);
		if (number >= PIECES)
			break;
		work_on(work, number);
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

	assert_false(turns_has_come(&turns, 1));
	turns_wait(&turns, 0);
	turns_wait(&turns, 0);
	turns_pass(&turns);
	assert_true(turns_has_come(&turns, 1));
	assert_false(turns_has_come(&turns, 0));
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

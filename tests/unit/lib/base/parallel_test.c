#include "lib/base/parallel.h"

#include "lib/base/compiler.h"

#ifdef __linux__
#include <dirent.h>
#endif
#include <pthread.h>
#ifdef __linux__
#include <sched.h>
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define PIECES 1000
#define JOBS   4

struct counts {
	atomic_size_t of[PIECES];
};

static void count_piece(size_t index, void *context)
{
	struct counts *counts = context;

	counts->of[index]++;
}

static void each_piece_is_done_once(void **state UNUSED)
{
	for (unsigned jobs = 1; jobs <= JOBS; jobs++) {
		struct counts counts = { 0 };

		parallel_each(PIECES, jobs, count_piece, &counts);
		for (size_t i = 0; i < PIECES; i++)
			assert_int_equal(counts.of[i], 1);
	}
}

/** Whoever did a piece, in the order of the calls. */
struct doers {
	pthread_t of[2];
	atomic_size_t here;
};

/** Of a millisecond, at most: a machine that gives no thread has no other. */
#define PAUSES 2000

static void be_one_of_two(size_t index, void *context)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct doers *doers = context;

	doers->of[index] = pthread_self();
	doers->here++;
	for (int i = 0; doers->here < 2 && i < PAUSES; i++)
		nanosleep(&pause, NULL);
}

/** The thread, other than the caller, that did one of two pieces. */
static pthread_t find_other(void)
{
	struct doers doers = { 0 };

	parallel_each(2, 2, be_one_of_two, &doers);
	assert_int_equal(doers.here, 2);
	assert_false(pthread_equal(doers.of[0], doers.of[1]));
	return doers.of[pthread_equal(doers.of[0], pthread_self()) ? 1 : 0];
}

static void each_piece_is_done_in_a_child(void)
{
	struct counts counts = { 0 };
	pid_t pid = fork();
	int status;

	if (!pid) {
		parallel_each(PIECES, JOBS, count_piece, &counts);
		for (size_t i = 0; i < PIECES; i++)
			if (counts.of[i] != 1)
				_exit(1);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

#ifdef __linux__
/** Of this process. */
static size_t count_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	const struct dirent *entry;
	size_t count = 0;

	assert_non_null(tasks);
	while ((entry = readdir(tasks)))
		count += entry->d_name[0] != '.';
	closedir(tasks);
	return count;
}
#endif

static void threads_can_be_kept(void **state UNUSED)
{
	pthread_t first;

	parallel_keep_threads();
	first = find_other();
	assert_true(pthread_equal(find_other(), first));
	each_piece_is_done_once(NULL);
	each_piece_is_done_in_a_child();
	parallel_end_threads();
	// One can be had all the same, and is not kept.
	find_other();
	parallel_end_threads();
#ifdef __linux__
	assert_int_equal(count_threads(), 1);
#endif
}

static void do_more(size_t index UNUSED, void *context)
{
	parallel_each(PIECES, JOBS, count_piece, context);
}

static void pieces_may_have_pieces(void **state UNUSED)
{
	for (int keeps = 0; keeps < 2; keeps++) {
		struct counts counts = { 0 };

		if (keeps)
			parallel_keep_threads();
		parallel_each(JOBS, JOBS, do_more, &counts);
		for (size_t i = 0; i < PIECES; i++)
			assert_int_equal(counts.of[i], JOBS);
	}
	parallel_end_threads();
}

static void note_own(void *own_context)
{
	bool *is_done = own_context;

	*is_done = true;
}

static void the_caller_has_its_own_and_no_piece_is_none(void **state UNUSED)
{
	struct counts counts = { 0 };
	bool is_done = false;

	parallel_each_beside(2, JOBS, count_piece, &counts, note_own, &is_done);
	assert_true(is_done);
	assert_int_equal(counts.of[0] + counts.of[1], 2);
	is_done = false;
	parallel_each_beside(0, JOBS, count_piece, &counts, note_own, &is_done);
	assert_true(is_done);
	assert_int_equal(counts.of[0] + counts.of[1], 2);
}

#ifdef __linux__
struct places {
	cpu_set_t allowed;
	size_t jobs;
	atomic_size_t here;
	atomic_size_t bound; ///< threads that may not go where the caller may
};

/** Each thread has one piece: none is done before all have been begun. */
static void look_where_it_may_run(size_t index UNUSED, void *context)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct places *places = context;
	cpu_set_t allowed;

	places->here++;
	for (int i = 0; places->here < places->jobs && i < PAUSES; i++)
		nanosleep(&pause, NULL);
	if (sched_getaffinity(0, sizeof(allowed), &allowed) ||
	    !CPU_EQUAL(&allowed, &places->allowed))
		places->bound++;
}

static void threads_may_run_where_the_caller_may(void **state UNUSED)
{
	struct places places = { 0 };

	assert_int_equal(
	        sched_getaffinity(0, sizeof(places.allowed), &places.allowed),
	        0);
	places.jobs = (size_t)CPU_COUNT(&places.allowed) + 1;
	parallel_each(places.jobs, (unsigned)places.jobs, look_where_it_may_run,
	              &places);
	assert_int_equal(places.here, places.jobs);
	assert_int_equal(places.bound, 0);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_piece_is_done_once),
		cmocka_unit_test(the_caller_has_its_own_and_no_piece_is_none),
		cmocka_unit_test(threads_can_be_kept),
		cmocka_unit_test(pieces_may_have_pieces),
#ifdef __linux__
		cmocka_unit_test(threads_may_run_where_the_caller_may),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

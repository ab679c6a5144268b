// SPDX-License-Identifier: MIT
#include "lib/base/parallel.h"

#include "lib/base/compiler.h"

#ifdef __linux__
#include <dirent.h>
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
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

static void no_thread_is_left_behind(void **state UNUSED)
{
	each_piece_is_done_once(NULL);
#ifdef __linux__
	assert_int_equal(count_threads(), 1);
#endif
	each_piece_is_done_in_a_child();
}

static void do_more(size_t index UNUSED, void *context)
{
	parallel_each(PIECES, JOBS, count_piece, context);
}

static void pieces_may_have_pieces(void **state UNUSED)
{
	struct counts counts = { 0 };

	parallel_each(JOBS, JOBS, do_more, &counts);
	for (size_t i = 0; i < PIECES; i++)
		assert_int_equal(counts.of[i], JOBS);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_piece_is_done_once),
		cmocka_unit_test(the_caller_has_its_own_and_no_piece_is_none),
		cmocka_unit_test(no_thread_is_left_behind),
		cmocka_unit_test(pieces_may_have_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

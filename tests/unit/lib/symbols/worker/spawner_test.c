// SPDX-License-Identifier: MIT
// Children are copies of a process that has nothing; and whoever of the
// three dies, the others neither hang nor stay.
#include "lib/symbols/worker/spawner.h"

#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/text.h"
#include "lib/symbols/worker/worker.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cmocka.h>

#ifdef __linux__

#define SECRET      "the password is in register x20"
#define SECRET_SIZE (sizeof(SECRET) - 1)
/** Larger areas are those that a sanitizer sets aside. */
#define AREA_BYTES_MAX ((uint64_t)64 << 20)

#endif

static struct error *sleep_on(const struct child_input *input UNUSED,
                              struct str *result UNUSED)
{
	while (pause())
		;
	return NULL;
}

static struct error *give_back(const struct child_input *input,
                               struct str *result)
{
	str_add_text(result, bytes_text(input->request));
	return NULL;
}

/** What the limit of threads is in the child. */
static struct error *tell_limit(const struct child_input *input UNUSED,
                                struct str *result)
{
	str_addf(result, "%zu", limit_get(LIMIT_THREADS));
	return NULL;
}

static const child_job jobs[] = { sleep_on, give_back, tell_limit };
static const struct spawner_jobs spawner_jobs = { jobs, ARRAY_SIZE(jobs) };

/** What the runner does when it is executed as a spawner. */
void serve_as_spawner(void);
void serve_as_spawner(void)
{
	spawner_serve(&spawner_jobs);
}

static struct spawner *start_spawner(void)
{
	struct spawner *spawner = spawner_new(&spawner_jobs);

	assert_null(spawner_start(spawner));
	return spawner;
}

static const struct work sleeping = {
	.job = sleep_on,
	.file = -1,
	.limits = {
		.memory_bytes = (uint64_t)4 << 30,
		.cpu_seconds = 20,
		.wall_ms = 20000,
		.result_bytes = (uint64_t)1 << 20,
	},
};

#ifdef __linux__

/** The hex digits before @p after. */
static uint64_t take_number(struct text *rest, char after)
{
	size_t at = text_find_char(*rest, after);
	uint64_t value;

	assert_int_not_equal(at, TEXT_NOWHERE);
	assert_true(number_hex(text_first(*rest, at), &value));
	*rest = text_after(*rest, at + 1);
	return value;
}

static FILE *open_proc(pid_t pid, const char *name)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	file = fopen(path, "r");
	assert_non_null(file);
	return file;
}

/** How often the secret is in some memory of a process; its pages may go. */
static size_t secrets_in_area(FILE *memory, uint64_t low, uint64_t high)
{
	size_t size = (size_t)(high - low), count = 0;
	char *copy = mem_alloc(size);
	size_t got = 0;

	if (!fseeko(memory, (off_t)low, SEEK_SET))
		got = fread(copy, 1, size, memory);
	for (size_t at = 0; at + SECRET_SIZE <= got; at++)
		count += !memcmp(copy + at, SECRET, SECRET_SIZE);
	memset(copy, 0, size);
	free(copy);
	return count;
}

/** In what a process can write: where reports are. */
static size_t secrets_in(pid_t pid)
{
	FILE *maps = open_proc(pid, "maps");
	FILE *memory = open_proc(pid, "mem");
	size_t count = 0;
	char line[512];

	setvbuf(memory, NULL, _IONBF, 0);
	while (fgets(line, sizeof(line), maps)) {
		struct text rest = text_from(line);
		uint64_t low = take_number(&rest, '-');
		uint64_t high = take_number(&rest, ' ');

		// `low-high rw-p …`
		if (text_starts(rest, "rw") && high - low <= AREA_BYTES_MAX)
			count += secrets_in_area(memory, low, high);
	}
	fclose(maps);
	fclose(memory);
	return count;
}

static void read_proc(pid_t pid, const char *name, struct str *ret)
{
	FILE *file = open_proc(pid, name);
	int byte;

	while ((byte = fgetc(file)) != EOF)
		str_add_char(ret, byte ? (char)byte : '\n');
	fclose(file);
}

#endif

static void a_spawner_has_nothing_of_what_was_read(void **state UNUSED)
{
#ifndef __linux__
	print_message("skipped: the areas of memory are not known\n");
	skip();
#else
	char *report = malloc(SECRET_SIZE);
	struct spawner *spawner;
	SCOPED(str_release) struct str words = { 0 };

	assert_non_null(report);
	for (size_t i = 0; i < SECRET_SIZE; i++)
		report[i] = SECRET[i];
	setenv("APMTOOL_SECRET", SECRET, 1);
	spawner = start_spawner();
	unsetenv("APMTOOL_SECRET");
	// Without this, the search might look in the wrong places.
	assert_true(secrets_in(getpid()) > 0);
	assert_int_equal(secrets_in(spawner_pid(spawner)), 0);
	read_proc(spawner_pid(spawner), "environ", &words);
	assert_null(strstr(str_cstr(&words), "SECRET"));
	assert_null(strstr(str_cstr(&words), "HOME="));
	str_clear(&words);
	read_proc(spawner_pid(spawner), "cmdline", &words);
	assert_string_equal(str_cstr(&words), "apmtool-reader\n");
	free(report);
	spawner_stop(spawner);
#endif
}

static void a_spawner_has_the_limits(void **state UNUSED)
{
	const struct work work = { .job = tell_limit,
		                   .file = -1,
		                   .limits = sleeping.limits };
	SCOPED(str_release) struct str result = { 0 };
	struct spawner *spawner = spawner_new(&spawner_jobs);

	limit_set(LIMIT_THREADS, 7);
	assert_int_equal(spawner_pid(spawner), 0);
	assert_null(worker_run(spawner, &work, &result));
	limit_set(LIMIT_THREADS, LIMIT_DEFAULT_THREADS);
	assert_string_equal(str_cstr(&result), "7");
	assert_int_not_equal(spawner_pid(spawner), 0);
	spawner_stop(spawner);
}

// The three of them, dying

static void assert_ended(struct error *err)
{
	assert_non_null(err);
	assert_string_equal(error_message(err),
	                    "the process that starts readers has ended");
	assert_int_equal(error_code(err), ERROR_SHORTAGE);
	error_free(err);
}

static void a_spawner_that_died_is_an_error(void **state UNUSED)
{
	struct spawner *spawner = start_spawner();
	SCOPED(str_release) struct str result = { 0 };

	kill(spawner_pid(spawner), SIGKILL);
	assert_ended(worker_run(spawner, &sleeping, &result));
	assert_ended(worker_run(spawner, &sleeping, &result));
	spawner_stop(spawner);
}

static void a_spawner_takes_its_children_along(void **state UNUSED)
{
#ifndef __linux__
	print_message("skipped: they stay until their alarm\n");
	skip();
#else
	struct spawner *spawner = start_spawner();
	SCOPED(str_release) struct str result = { 0 };
	struct worker *worker;

	assert_null(worker_start(spawner, &sleeping, &worker));
	kill(spawner_pid(spawner), SIGKILL);
	assert_ended(worker_finish(worker, &result));
	spawner_stop(spawner);
#endif
}

static void no_child_outlives_the_parent(void **state UNUSED)
{
#ifndef __linux__
	print_message("skipped: they stay until their alarm\n");
	skip();
#else
	size_t ended = 0;
	pid_t parent;

	// What is orphaned comes to this process.
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
	parent = fork();
	assert_true(parent >= 0);
	if (!parent) {
		struct spawner *spawner = spawner_new(&spawner_jobs);
		struct worker *worker;

		if (worker_start(spawner, &sleeping, &worker))
			_exit(1);
		raise(SIGKILL);
	}
	alarm(20);
	while (waitpid(-1, NULL, 0) > 0)
		ended++;
	alarm(0);
	assert_int_equal(errno, ECHILD);
	// The parent, the spawner, and the child, unless its end came before
	// that of the spawner.
	assert_true(ended >= 2);
	prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
#endif
}

static void stopping_it_leaves_no_child(void **state UNUSED)
{
	struct spawner *spawner = start_spawner();

	spawner_stop(spawner);
	spawner_stop(NULL);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

// Signals meanwhile, and children that are not there

static void do_nothing(int number UNUSED)
{
}

/** An alarm every 200 microseconds, which breaks calls off. */
static void set_alarms(bool on)
{
	const struct sigaction action = {
		.sa_handler = on ? do_nothing : SIG_DFL,
	};
	const suseconds_t pause = on ? 200 : 0;
	const struct itimerval timer = { { 0, pause }, { 0, pause } };

	if (on)
		sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	if (!on)
		sigaction(SIGALRM, &action, NULL);
}

static void alarms_break_nothing_off(void **state UNUSED)
{
	const struct work work = { .job = give_back,
		                   .file = -1,
		                   .request = bytes_from_text(text_from("a")),
		                   .limits = sleeping.limits };

	set_alarms(true);
	for (int i = 0; i < 20; i++) {
		struct spawner *spawner = i % 2 ? start_spawner() : NULL;
		SCOPED(str_release) struct str result = { 0 };

		assert_null(worker_run(spawner, &work, &result));
		assert_string_equal(str_cstr(&result), "a");
		spawner_stop(spawner);
	}
	set_alarms(false);
}

static void a_child_without_a_parent_has_ended(void **state UNUSED)
{
	struct spawner *spawner = start_spawner();
	bool killed = false;
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_null(spawner_wait(NULL, pid, INT64_MAX, &status, &killed));
	assert_true(killed);
	killed = false;
	assert_null(spawner_wait(spawner, pid, INT64_MAX, &status, &killed));
	assert_true(killed);
	spawner_stop(spawner);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_spawner_has_nothing_of_what_was_read),
		cmocka_unit_test(a_spawner_has_the_limits),
		cmocka_unit_test(a_spawner_that_died_is_an_error),
		cmocka_unit_test(a_spawner_takes_its_children_along),
		cmocka_unit_test(no_child_outlives_the_parent),
		cmocka_unit_test(stopping_it_leaves_no_child),
		cmocka_unit_test(alarms_break_nothing_off),
		cmocka_unit_test(a_child_without_a_parent_has_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
// Children are copies of a process that has read nothing; and whoever of the
// three dies, the others neither hang nor stay.
#include "lib/symbols/worker/spawner.h"

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
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cmocka.h>

#ifdef __linux__

/** A child is given the secret with all bits flipped, to search for it. */
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

struct area {
	uint64_t low;
	uint64_t high;
};

// A child that hostile bytes have taken over, in search of a report

static sigjmp_buf unreadable;

static void go_on(int number)
{
	(void)number;
	siglongjmp(unreadable, 1);
}

// Sanitizers would end a process that reads what was never allocated.
#if defined(__clang__) || defined(__GNUC__)
__attribute__((no_sanitize("address", "undefined", "thread")))
#endif
static bool
is_secret_at(const volatile uint8_t *at, const uint8_t *flipped)
{
	for (size_t i = 0; i < SECRET_SIZE; i++)
		if ((at[i] ^ flipped[i]) != 0xff)
			return false;
	return true;
}

/** The areas are those of the parent: a copy of it has the same. */
static struct error *search_memory(const struct child_input *input,
                                   struct str *result)
{
	struct sigaction action = { .sa_handler = go_on,
		                    .sa_flags = SA_NODEFER };
	const uint8_t *flipped = input->request.data;
	const uint8_t *areas = flipped + SECRET_SIZE;
	volatile size_t found = 0;

	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	for (volatile size_t at = SECRET_SIZE; at < input->request.size;
	     at += sizeof(struct area)) {
		struct area area;

		memcpy(&area, areas + at - SECRET_SIZE, sizeof(area));
		for (volatile uint64_t page = area.low; page < area.high;
		     page += 4096) {
			uint64_t end = page + 4096;

			if (end > area.high - SECRET_SIZE)
				end = area.high - SECRET_SIZE;
			if (sigsetjmp(unreadable, 0))
				continue;
			for (uint64_t i = page; i < end; i++)
				found += is_secret_at(
				        (const uint8_t *)(uintptr_t)i, flipped);
		}
	}
	str_add_bytes(result, (const void *)&found, sizeof(found));
	return NULL;
}

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

/** What can be written in this process: where reports are. */
static void add_areas(struct str *request)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps)) {
		struct text rest = text_from(line);
		struct area area;

		// `low-high rw-p …`
		area.low = take_number(&rest, '-');
		area.high = take_number(&rest, ' ');
		if (text_starts(rest, "rw") &&
		    area.high - area.low <= AREA_BYTES_MAX)
			str_add_bytes(request, &area, sizeof(area));
	}
	fclose(maps);
}

static size_t secrets_in_child(struct spawner *spawner)
{
	SCOPED(str_release) struct str request = { 0 };
	SCOPED(str_release) struct str result = { 0 };
	struct work work = { .job = search_memory,
		             .file = -1,
		             .limits = sleeping.limits };
	size_t found;

	for (size_t i = 0; i < SECRET_SIZE; i++)
		str_add_char(&request, (char)~SECRET[i]);
	add_areas(&request);
	work.request = bytes_from_text(str_text(&request));
	assert_null(worker_run(spawner, &work, &result));
	assert_int_equal(result.size, sizeof(found));
	memcpy(&found, result.data, sizeof(found));
	return found;
}

#endif

static void a_child_has_nothing_of_what_was_read(void **state UNUSED)
{
#ifndef __linux__
	print_message("skipped: the areas of memory are not known\n");
	skip();
#else
	struct spawner *spawner = spawner_start();
	char *report = malloc(SECRET_SIZE);

	assert_non_null(report);
	for (size_t i = 0; i < SECRET_SIZE; i++)
		report[i] = SECRET[i];
	// Without this, the search might look in the wrong places.
	assert_true(secrets_in_child(NULL) > secrets_in_child(spawner));
	// The constant in the program itself is not writable.
	assert_int_equal(secrets_in_child(spawner), 0);
	free(report);
	spawner_stop(spawner);
#endif
}

// The three of them, dying

static void assert_ended(struct error *err)
{
	assert_non_null(err);
	assert_string_equal(error_message(err),
	                    "the process that starts others has ended");
	assert_int_equal(error_code(err), ERROR_SHORTAGE);
	error_free(err);
}

static void a_spawner_that_died_is_an_error(void **state UNUSED)
{
	struct spawner *spawner = spawner_start();
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
	struct spawner *spawner = spawner_start();
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
		struct spawner *spawner = spawner_start();
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
	struct spawner *spawner = spawner_start();

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

static struct error *give_back(const struct child_input *input,
                               struct str *result)
{
	str_add_text(result, bytes_text(input->request));
	return NULL;
}

static void alarms_break_nothing_off(void **state UNUSED)
{
	const struct work work = { .job = give_back,
		                   .file = -1,
		                   .request = bytes_from_text(text_from("a")),
		                   .limits = sleeping.limits };

	set_alarms(true);
	for (int i = 0; i < 20; i++) {
		struct spawner *spawner = i % 2 ? spawner_start() : NULL;
		SCOPED(str_release) struct str result = { 0 };

		assert_null(worker_run(spawner, &work, &result));
		assert_string_equal(str_cstr(&result), "a");
		spawner_stop(spawner);
	}
	set_alarms(false);
}

static void a_child_without_a_parent_has_ended(void **state UNUSED)
{
	struct spawner *spawner = spawner_start();
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
		cmocka_unit_test(a_child_has_nothing_of_what_was_read),
		cmocka_unit_test(a_spawner_that_died_is_an_error),
		cmocka_unit_test(a_spawner_takes_its_children_along),
		cmocka_unit_test(no_child_outlives_the_parent),
		cmocka_unit_test(stopping_it_leaves_no_child),
		cmocka_unit_test(alarms_break_nothing_off),
		cmocka_unit_test(a_child_without_a_parent_has_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

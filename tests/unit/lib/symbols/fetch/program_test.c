// SPDX-License-Identifier: MIT
#include "lib/symbols/fetch/program.h"

#include "lib/base/file.h"
#include "lib/base/timestamp.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

#define LIMIT_MS 10000

static struct program_result run(const char *script, unsigned limit_ms)
{
	char *arguments[] = { (char *)"/bin/sh", (char *)"-c", (char *)script,
		              NULL };
	const struct program program = { .arguments = arguments,
		                         .time_limit_ms = limit_ms,
		                         .file = "made",
		                         .file_bytes_max = 100000 };
	struct program_result result;
	struct error *err = program_run(&program, &result);

	if (err)
		fail_msg("%s", error_message(err));
	return result;
}

static void its_status_and_first_line_are_known(void **state UNUSED)
{
	struct program_result result = run(
	        "echo lost; echo why >&2; echo more >&2; exit 22", LIMIT_MS);

	assert_int_equal(result.end, PROGRAM_ENDED);
	assert_int_equal(result.number, 22);
	assert_string_equal(result.says, "why");
	result = run("kill -9 $$", LIMIT_MS);
	assert_int_equal(result.end, PROGRAM_CRASHED);
	assert_int_equal(result.number, SIGKILL);
}

static void what_it_prints_is_bounded(void **state UNUSED)
{
	struct program_result result =
	        run("yes x | tr -d '\\n' | head -c 1000000 >&2", LIMIT_MS);

	assert_int_equal(result.end, PROGRAM_ENDED);
	assert_int_equal(result.number, 0);
	assert_int_equal(strlen(result.says), PROGRAM_SAYS_BYTES - 1);
}

static void at_the_limit_its_whole_group_is_killed(void **state UNUSED)
{
	int64_t began_ms = timestamp_now_ms();
	struct program_result result =
	        run("(sleep 1; : >late) & sleep 60", 200);

	assert_int_equal(result.end, PROGRAM_TOO_LONG);
	// It keeps standard error open, which is not waited for either.
	result = run("(sleep 1; : >late) & exit 0", LIMIT_MS);
	assert_int_equal(result.end, PROGRAM_ENDED);
	assert_true(timestamp_now_ms() - began_ms < 5000);
	usleep(1500000);
	assert_int_not_equal(access("late", F_OK), 0);
}

static void its_file_does_not_grow_beyond_the_limit(void **state UNUSED)
{
	struct program_result result =
	        run("yes >made; echo done >&2; sleep 60", LIMIT_MS);
	struct file_stamp stamp;

	assert_int_equal(result.end, PROGRAM_TOO_LARGE);
	assert_true(file_stamp_read("made", &stamp));
	assert_true(stamp.size <= 100001);
}

static void it_has_none_of_our_descriptors(void **state UNUSED)
{
	int fd = open("/dev/null", O_RDONLY);

	// Not closed when another program is executed.
	assert_int_equal(dup2(fd, 9), 9);
	assert_int_not_equal(run(": <&9", LIMIT_MS).number, 0);
	assert_int_equal(run("read line && exit 5; exit 0", LIMIT_MS).number,
	                 0);
	close(9);
	close(fd);
}

static void what_cannot_be_executed_is_an_error(void **state UNUSED)
{
	char *arguments[] = { (char *)"/nowhere/curl", NULL };
	const struct program program = { .arguments = arguments,
		                         .time_limit_ms = LIMIT_MS,
		                         .file = "made",
		                         .file_bytes_max = 1 };
	struct program_result result;
	SCOPED(error_drop) struct error *err = program_run(&program, &result);

	assert_non_null(err);
	assert_int_equal(error_code(err), ERROR_OS);
	assert_string_equal(error_message(err),
	                    "cannot execute '/nowhere/curl': no such file "
	                    "or directory");
}

#define TEST(name)                                                  \
	cmocka_unit_test_setup_teardown(name, test_directory_setup, \
	                                test_directory_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(its_status_and_first_line_are_known),
		TEST(what_it_prints_is_bounded),
		TEST(at_the_limit_its_whole_group_is_killed),
		TEST(its_file_does_not_grow_beyond_the_limit),
		TEST(it_has_none_of_our_descriptors),
		TEST(what_cannot_be_executed_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

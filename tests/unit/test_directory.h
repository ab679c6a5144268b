// SPDX-License-Identifier: MIT
/**
 * A directory for one test: made in /tmp, the current one while the test runs,
 * and gone after it with all that is in it. Include cmocka's headers first.
 */
#ifndef APMTOOL_TESTS_UNIT_TEST_DIRECTORY_H
#define APMTOOL_TESTS_UNIT_TEST_DIRECTORY_H

#include "lib/base/arena.h"
#include "lib/base/out.h"
#include "lib/base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct test_directory {
	char path[32];
	struct arena arena; ///< for what the test makes
};

static UNUSED void test_directory_enter(struct test_directory *directory)
{
	directory->arena = (struct arena){ 0 };
	snprintf(directory->path, sizeof(directory->path),
	         "/tmp/apmtool-test.XXXXXX");
	assert_non_null(mkdtemp(directory->path));
	assert_int_equal(chdir(directory->path), 0);
}

static UNUSED void test_directory_leave(struct test_directory *directory)
{
	SCOPED(str_release) struct str command = { 0 };

	assert_int_equal(chdir("/"), 0);
	str_addf(&command, "rm -rf '%s'", directory->path);
	assert_int_equal(system(str_cstr(&command)), 0);
	arena_release(&directory->arena);
}

/** Setup and teardown of a test that needs nothing else: its state. */
static UNUSED int test_directory_setup(void **state)
{
	static struct test_directory directory;

	test_directory_enter(&directory);
	*state = &directory;
	return 0;
}

static UNUSED int test_directory_teardown(void **state)
{
	test_directory_leave(*state);
	return 0;
}

/** Write a file, with the directories above it. */
static UNUSED void test_file_write(const char *path, const void *data,
                                   size_t size)
{
	SCOPED(str_release) struct str directory = { 0 };
	struct out *out;
	struct error *err;

	for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
		str_clear(&directory);
		str_add_bytes(&directory, path, (size_t)(slash - path));
		mkdir(str_cstr(&directory), 0777);
	}
	err = out_open(path, &out);
	if (!err) {
		out_add_bytes(out, data, size);
		err = out_close(out);
	}
	if (err)
		fail_msg("%s", error_message(err));
}

static UNUSED void test_file_write_text(const char *path, const char *text)
{
	test_file_write(path, text, strlen(text));
}

#endif

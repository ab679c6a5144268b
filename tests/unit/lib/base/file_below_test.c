// SPDX-License-Identifier: MIT
#include "lib/base/file_below.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

#define MOST ((size_t)100)

/** A file in the root, one below it, and one beside it. */
static int open_root(void)
{
	int root;

	test_file_write("root/a/b.c", "inside", 6);
	test_file_write("root/c.c", "above", 5);
	test_file_write("secret", "outside", 7);
	root = open("root", O_RDONLY | O_DIRECTORY);
	assert_true(root >= 0);
	return root;
}

/** @param expected  NULL: nothing is read, and nothing appended. */
static void assert_reads(int root, const char *path, const char *expected)
{
	SCOPED(str_release) struct str out = { 0 };

	str_add(&out, ">");
	assert_int_equal(file_read_below(root, path, MOST, &out),
	                 expected != NULL);
	assert_string_equal(str_cstr(&out) + 1, expected ? expected : "");
}

static void files_below_the_directory_are_read(void **state UNUSED)
{
	int root = open_root();

	assert_reads(root, "c.c", "above");
	assert_reads(root, "a/b.c", "inside");
	assert_reads(root, "/a/b.c", "inside");
	assert_reads(root, "a//./b.c", "inside");
	// The directory is open as before.
	assert_reads(root, "a/b.c", "inside");
	close(root);
}

static void what_is_no_file_there_is_not_read(void **state UNUSED)
{
	int root = open_root();

	assert_reads(root, "", NULL);
	assert_reads(root, "/", NULL);
	assert_reads(root, ".", NULL);
	assert_reads(root, "a", NULL);
	assert_reads(root, "a/", NULL);
	assert_reads(root, "a/none.c", NULL);
	assert_reads(root, "none/b.c", NULL);
	assert_reads(root, "c.c/b.c", NULL);
	close(root);
}

static void nothing_leads_out_of_the_directory(void **state UNUSED)
{
	int root = open_root();

	assert_int_equal(symlink("../secret", "root/file"), 0);
	assert_int_equal(symlink("..", "root/directory"), 0);
	assert_int_equal(symlink("c.c", "root/within"), 0);
	assert_reads(root, "../secret", NULL);
	assert_reads(root, "a/../../secret", NULL);
	assert_reads(root, "a/../c.c", NULL);
	assert_reads(root, "file", NULL);
	assert_reads(root, "directory/secret", NULL);
	assert_reads(root, "within", NULL);
	close(root);
}

static void a_pipe_is_not_waited_for(void **state UNUSED)
{
	int root = open_root();

	assert_int_equal(mkfifo("root/pipe", 0600), 0);
	assert_reads(root, "pipe", NULL);
	close(root);
}

static void a_larger_file_is_not_read(void **state UNUSED)
{
	int root = open_root();
	SCOPED(str_release) struct str out = { 0 };

	assert_false(file_read_below(root, "a/b.c", 5, &out));
	assert_int_equal(out.size, 0);
	assert_true(file_read_below(root, "a/b.c", 6, &out));
	assert_string_equal(str_cstr(&out), "inside");
	close(root);
}

static void a_path_too_deep_is_not_read(void **state UNUSED)
{
	SCOPED(str_release) struct str path = { 0 };
	int root = open_root();

	for (size_t i = 0; i < 255; i++)
		str_add(&path, "./");
	str_add(&path, "c.c");
	assert_reads(root, str_cstr(&path), "above");
	str_clear(&path);
	for (size_t i = 0; i < 256; i++)
		str_add(&path, "./");
	str_add(&path, "c.c");
	assert_reads(root, str_cstr(&path), NULL);
	close(root);
}

#define TEST(name)                                                  \
	cmocka_unit_test_setup_teardown(name, test_directory_setup, \
	                                test_directory_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(files_below_the_directory_are_read),
		TEST(what_is_no_file_there_is_not_read),
		TEST(nothing_leads_out_of_the_directory),
		TEST(a_pipe_is_not_waited_for),
		TEST(a_larger_file_is_not_read),
		TEST(a_path_too_deep_is_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

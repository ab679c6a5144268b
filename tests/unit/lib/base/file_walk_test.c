// SPDX-License-Identifier: MIT
#include "lib/base/file_walk.h"

#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

static void assert_fails(struct error *err, enum error_code code,
                         const char *message)
{
	assert_non_null(err);
	assert_string_equal(error_message(err), message);
	assert_int_equal(error_code(err), code);
	error_free(err);
}

static struct error *note_path(const struct file_found *found, void *context)
{
	str_addf(context, "%s:%d ", found->path, (int)found->size_bytes);
	return NULL;
}

static void a_walk_is_in_order_and_knows_no_circles(void **state UNUSED)
{
	SCOPED(str_release) struct str seen = { 0 };
	struct error *skipped;

	assert_int_equal(mkdir("b", 0700), 0);
	assert_int_equal(mkdir("b/B", 0700), 0);
	test_file_write_text("c", "123");
	test_file_write_text("a", "1");
	test_file_write_text("b/z", "12");
	test_file_write_text("b/B/x", "");
	assert_int_equal(symlink("..", "b/up"), 0);
	assert_int_equal(symlink("../c", "b/link"), 0);
	assert_int_equal(symlink("nowhere", "b/dangling"), 0);
	assert_int_equal(mkfifo("b/fifo", 0600), 0);
	assert_null(file_walk(".", note_path, &seen, &skipped));
	assert_string_equal(str_cstr(&seen),
	                    "./a:1 ./b/B/x:0 ./b/link:3 ./b/z:2 ./c:3 ");
	assert_null(skipped);
	str_clear(&seen);
	assert_null(file_walk("b/up/b/", note_path, &seen, NULL));
	assert_string_equal(str_cstr(&seen),
	                    "b/up/b/B/x:0 b/up/b/link:3 b/up/b/z:2 ");
}

static void a_walk_starts_at_a_file_too(void **state UNUSED)
{
	SCOPED(str_release) struct str seen = { 0 };

	test_file_write_text("a", "1");
	assert_null(file_walk("a", note_path, &seen, NULL));
	assert_string_equal(str_cstr(&seen), "a:1 ");
	assert_fails(file_walk("none", note_path, &seen, NULL), ERROR_OS,
	             "cannot open 'none': no such file or directory");
	assert_fails(file_walk("/dev/null", note_path, &seen, NULL), ERROR_OS,
	             "'/dev/null' is neither a file nor a directory");
}

static struct error *refuse(const struct file_found *found, void *context)
{
	(*(int *)context)++;
	return error_new(ERROR_FORMAT, "%s", found->path);
}

static void an_error_ends_the_walk(void **state UNUSED)
{
	int calls = 0;

	assert_int_equal(mkdir("d", 0700), 0);
	test_file_write_text("d/a", "");
	test_file_write_text("d/b", "");
	test_file_write_text("e", "");
	assert_fails(file_walk(".", refuse, &calls, NULL), ERROR_FORMAT,
	             "./d/a");
	assert_int_equal(calls, 1);
}

static void a_walk_ends_at_its_depth(void **state UNUSED)
{
	SCOPED(str_release) struct str seen = { 0 };
	SCOPED(str_release) struct str path = { 0 };
	struct error *skipped;

	str_add(&path, ".");
	for (int i = 0; i < 70; i++) {
		str_add(&path, "/d");
		assert_int_equal(mkdir(path.data, 0700), 0);
	}
	assert_null(file_walk(".", note_path, &seen, &skipped));
	assert_non_null(skipped);
	assert_non_null(strstr(error_message(skipped),
	                       "/d' is left out: more than 64 directories "
	                       "deep"));
	error_free(skipped);
}

static struct error *count_file(const struct file_found *found UNUSED,
                                void *context)
{
	++*(size_t *)context;
	return NULL;
}

static void a_walk_without_descriptors_is_a_shortage(void **state UNUSED)
{
	struct rlimit before, none;
	struct error *skipped;
	size_t count = 0;
	struct error *err;
	int next = dup(0);

	assert_true(next >= 0);
	close(next);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = (rlim_t)next;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	err = file_walk(".", count_file, &count, &skipped);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_non_null(err);
	assert_int_equal(error_code(err), ERROR_SHORTAGE);
	assert_int_equal(count, 0);
	assert_null(skipped);
	error_free(err);
}

/** What a walk with a budget finds, and how it ends. */
static struct error *find(const char *path, struct file_budget *budget,
                          struct str *seen)
{
	struct error *err;

	str_clear(seen);
	str_add(seen, "");
	file_budget_begin(budget);
	err = file_walk_found(path, note_path, seen, budget, NULL);
	file_budget_end(budget);
	return err;
}

static void unnamed_directories_are_walked_without_links(void **state UNUSED)
{
	struct file_budget budget = FILE_BUDGET;
	SCOPED(str_release) struct str seen = { 0 };

	test_file_write_text("outside", "1");
	test_file_write_text("d/a", "12");
	test_file_write_text("d/b/c", "123");
	assert_int_equal(symlink("../outside", "d/link"), 0);
	assert_int_equal(mkfifo("d/pipe", 0600), 0);
	assert_null(find("d", &budget, &seen));
	assert_string_equal(str_cstr(&seen), "d/a:2 d/b/c:3 ");
	assert_int_equal(budget.entries, FILE_BUDGET_ENTRIES - 5);
	// The start may be one: whoever names it could name what it leads to.
	assert_int_equal(symlink("d", "start"), 0);
	assert_null(find("start", &budget, &seen));
	assert_string_equal(str_cstr(&seen), "start/a:2 start/b/c:3 ");
}

static void a_budget_ends_a_walk(void **state UNUSED)
{
	struct file_budget budget = { .entries = 4, .ms = 10000 };
	SCOPED(str_release) struct str seen = { 0 };

	test_file_write_text("a", "");
	test_file_write_text("b/1", "");
	test_file_write_text("b/2", "");
	test_file_write_text("c", "");
	assert_fails(find(".", &budget, &seen), ERROR_LIMIT,
	             "the search ended after 50000 files and directories, or 5 "
	             "seconds");
	assert_string_equal(str_cstr(&seen), "./a:0 ./b/1:0 ./b/2:0 ");
	assert_int_equal(budget.entries, 0);
	// The names of a directory that is larger are not even read.
	budget.entries = 2;
	error_free(find(".", &budget, &seen));
	assert_string_equal(str_cstr(&seen), "");
	budget = (struct file_budget){ .entries = 9, .ms = 0 };
	error_free(find(".", &budget, &seen));
	assert_string_equal(str_cstr(&seen), "");
	assert_int_equal(budget.entries, 0);
}

static void empty_directories_cost_as_much_as_files(void **state UNUSED)
{
	struct file_budget budget = { .entries = 3, .ms = 10000 };
	SCOPED(str_release) struct str seen = { 0 };

	test_file_write_text("d/d/d/d/file", "");
	error_free(find(".", &budget, &seen));
	assert_string_equal(str_cstr(&seen), "");
	assert_int_equal(budget.entries, 0);
}

static void what_belongs_to_others_is_not_found(void **state UNUSED)
{
	struct file_budget budget = FILE_BUDGET;
	SCOPED(str_release) struct str seen = { 0 };

	test_file_write_text("d/mine", "");
	test_file_write_text("d/other", "");
	test_file_write_text("d/e/file", "");
	if (chown("d/other", 65533, 0)) {
		print_message("skipped: only root may give files away\n");
		skip();
	}
	assert_int_equal(chown("d/e", 65533, 0), 0);
	assert_null(find("d", &budget, &seen));
	assert_string_equal(str_cstr(&seen), "d/mine:0 ");
	// The owner of all of it is trusted with it.
	assert_int_equal(chown("d", 65533, 0), 0);
	assert_null(find("d", &budget, &seen));
	assert_string_equal(str_cstr(&seen), "d/e/file:0 d/mine:0 d/other:0 ");
}

static void the_systems_places_are_not_walked(void **state UNUSED)
{
	struct file_budget budget = FILE_BUDGET;
	SCOPED(str_release) struct str seen = { 0 };
	size_t count = 0;

	if (access("/proc/self/fd", F_OK))
		skip();
	assert_fails(find("/proc", &budget, &seen), ERROR_OS,
	             "'/proc' is the system's");
	assert_fails(find("/proc/self/fd", &budget, &seen), ERROR_OS,
	             "'/proc/self/fd' is the system's");
	assert_fails(find("/dev", &budget, &seen), ERROR_OS,
	             "'/dev' is the system's");
	// Who names it has it.
	assert_null(file_walk("/proc/self/fdinfo", count_file, &count, NULL));
	assert_true(count > 0);
}

static struct error *refuse_system(const struct file_found *found,
                                   void *context)
{
	struct text path = text_from(found->path);

	++*(size_t *)context;
	if (text_starts(path, "/proc/") || text_starts(path, "/sys/") ||
	    text_starts(path, "/dev/"))
		fail_msg("visited %s", found->path);
	return NULL;
}

static void not_even_from_the_root(void **state UNUSED)
{
	struct file_budget budget = FILE_BUDGET;
	size_t count = 0;

	file_budget_begin(&budget);
	error_free(file_walk_found("/", refuse_system, &count, &budget, NULL));
	file_budget_end(&budget);
	assert_true(count > 0);
	assert_true(budget.ms <= FILE_BUDGET_SECONDS * 1000);
}

int main(void)
{
#define TEST(f)                                                  \
	cmocka_unit_test_setup_teardown(f, test_directory_setup, \
	                                test_directory_teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_walk_is_in_order_and_knows_no_circles),
		TEST(a_walk_starts_at_a_file_too),
		TEST(an_error_ends_the_walk),
		TEST(a_walk_ends_at_its_depth),
		TEST(unnamed_directories_are_walked_without_links),
		TEST(a_budget_ends_a_walk),
		TEST(empty_directories_cost_as_much_as_files),
		TEST(what_belongs_to_others_is_not_found),
		cmocka_unit_test(a_walk_without_descriptors_is_a_shortage),
		cmocka_unit_test(the_systems_places_are_not_walked),
		cmocka_unit_test(not_even_from_the_root),
	};
#undef TEST

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "lib/symbols/cache_directory.h"

#include "lib/base/mem.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

#define HOUR 3600

struct fixture {
	struct test_directory directory;
	struct cache_directory *cache;
};

static int set_up(void **state)
{
	struct fixture *f = mem_zalloc(1, sizeof(*f));

	test_directory_enter(&f->directory);
	f->cache = cache_directory_new("a/b", 100);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	cache_directory_free(f->cache);
	cache_directory_free(NULL);
	test_directory_leave(&f->directory);
	free(f);
	return 0;
}

/** The message of putting so many bytes; "" if it is done. */
static void check_put(struct cache_directory *cache, const char *name,
                      size_t size, const char *message)
{
	SCOPED(str_release) struct str contents = { 0 };
	SCOPED(error_drop) struct error *err = NULL;

	str_add(&contents, "");
	str_add_repeat(&contents, 'x', size);
	err = cache_directory_put(cache, name, &contents);
	assert_string_equal(err ? error_message(err) : "", message);
}

/** Of the files with the suffix, those used the latest first. */
static void check_list(const struct cache_directory *cache,
                       const char *expected, size_t removed)
{
	SCOPED(cache_files_release) struct cache_files files;
	SCOPED(str_release) struct str names = { 0 };

	cache_directory_list(cache, ".gsym", &files);
	str_add(&names, "");
	for (size_t i = 0; i < files.count; i++)
		str_addf(&names, "%s ", files.files[i].name);
	assert_string_equal(str_cstr(&names), expected);
	assert_int_equal(files.removed_count, removed);
}

static bool can_map(const struct cache_directory *cache, const char *name)
{
	struct file_data file;

	if (!cache_directory_map(cache, name, &file))
		return false;
	file_release(&file);
	return true;
}

/** When a file was used, in seconds from now. */
static void set_used(const char *path, time_t seconds)
{
	const time_t used = time(NULL) + seconds;
	const struct timespec times[] = { { .tv_sec = used },
		                          { .tv_sec = used } };

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void it_is_made_when_it_is_needed(void **state)
{
	struct fixture *f = *state;
	struct stat info;

	check_list(f->cache, "", 0);
	assert_false(can_map(f->cache, "1.gsym"));
	check_put(f->cache, "1.gsym", 10, "");
	assert_true(can_map(f->cache, "1.gsym"));
	check_list(f->cache, "1.gsym ", 0);
	assert_int_equal(stat("a/b", &info), 0);
	assert_int_equal(info.st_mode & 0777, 0700);
	assert_int_equal(access("a/b/CACHEDIR.TAG", F_OK), 0);
	assert_null(cache_directory_remove(f->cache, "1.gsym"));
	check_list(f->cache, "", 0);
}

static void what_was_not_used_lately_goes(void **state)
{
	struct fixture *f = *state;

	check_put(f->cache, "1.gsym", 101,
	          "'1.gsym' is larger than the cache may be");
	check_put(f->cache, "1.gsym", 40, "");
	check_put(f->cache, "2.gsym", 40, "");
	set_used("a/b/1.gsym", -20);
	set_used("a/b/2.gsym", -20);
	check_list(f->cache, "1.gsym 2.gsym ", 0);
	set_used("a/b/1.gsym", -30);
	check_list(f->cache, "2.gsym 1.gsym ", 0);
	cache_directory_touch(f->cache, "1.gsym");
	check_list(f->cache, "1.gsym 2.gsym ", 0);
	check_put(f->cache, "3.gsym", 50, "");
	set_used("a/b/3.gsym", 20);
	check_list(f->cache, "3.gsym 1.gsym ", 0);
}

static void a_cache_that_is_no_directory_is_refused(void **state)
{
	struct fixture *f = *state;

	test_file_write_text("a", "");
	check_put(f->cache, "1.gsym", 1, "cannot make 'a/b': not a directory");
	unlink("a");
	assert_int_equal(mkdir("a", 0700), 0);
	test_file_write_text("a/b", "");
	check_put(f->cache, "1.gsym", 1, "'a/b' is not a directory");
}

/** Others may not choose what a cache says. */
static void what_others_may_write_is_not_read(void **state)
{
	struct fixture *f = *state;

	check_put(f->cache, "1.gsym", 1, "");
	chmod("a/b/1.gsym", 0666);
	// They cannot enter.
	assert_true(can_map(f->cache, "1.gsym"));
	chmod("a/b", 0711);
	assert_false(can_map(f->cache, "1.gsym"));
	chmod("a/b/1.gsym", 0600);
	assert_true(can_map(f->cache, "1.gsym"));
	chmod("a/b", 0777);
	assert_false(can_map(f->cache, "1.gsym"));
	check_put(f->cache, "1.gsym", 1,
	          "the cache 'a/b' is not used: other users may write to it: "
	          "run 'chmod go-w a/b'");
	chmod("a/b", 01777);
	assert_null(cache_directory_check_access(f->cache));
	chmod("a/b", 0700);
	assert_int_equal(symlink("1.gsym", "a/b/2.gsym"), 0);
	assert_false(can_map(f->cache, "2.gsym"));
}

static void what_belongs_to_others_is_not_read(void **state)
{
	struct fixture *f = *state;

	check_put(f->cache, "1.gsym", 1, "");
	if (chown("a/b/1.gsym", 65534, 65534)) {
		print_message("skipped: only root may give files away\n");
		skip();
	}
	assert_false(can_map(f->cache, "1.gsym"));
	assert_int_equal(chown("a/b/1.gsym", 0, 0), 0);
	assert_true(can_map(f->cache, "1.gsym"));
	assert_int_equal(chown("a/b", 65534, 65534), 0);
	assert_false(can_map(f->cache, "1.gsym"));
}

static void what_cannot_be_read_is_not_empty(void **state)
{
	struct fixture *f = *state;
	int status;
	pid_t child;

	assert_null(cache_directory_check(f->cache));
	assert_null(cache_directory_check_access(f->cache));
	check_put(f->cache, "1.gsym", 1, "");
	assert_null(cache_directory_check(f->cache));
	assert_int_equal(chmod("a/b", 0), 0);
	child = fork();
	if (!child) {
		struct error *err;

		// Root reads everything.
		if (!geteuid() && setuid(65534))
			_exit(1);
		err = cache_directory_check_access(f->cache);
		status = !err || !strstr(error_message(err),
		                         "cannot read the cache 'a/b': ");
		error_free(err);
		_exit(status);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	chmod("a/b", 0700);
}

static void what_cannot_be_removed_is_not_counted_as_removed(void **state)
{
	struct fixture *f = *state;
	int status;
	pid_t child;

	check_put(f->cache, "1.gsym", 3, "");
	check_put(f->cache, "2.gsym", 4, "");
	for (const char *const *i = (const char *const[]){ ".", "a", NULL }; *i;
	     i++)
		assert_int_equal(chmod(*i, 0755), 0);
	assert_int_equal(chmod("a/b", 0555), 0);
	child = fork();
	if (!child) {
		struct cache_pruned pruned;
		struct error *err;

		// Root removes everything.
		if (!geteuid() && setuid(65534))
			_exit(1);
		err = cache_directory_prune(f->cache, 0, &pruned);
		status = !err ||
		         !strstr(error_message(err), "cannot remove 'a/b/") ||
		         pruned.count != 2 || pruned.removed != 0 ||
		         pruned.removed_bytes != 0 || pruned.stuck != 2;
		error_free(err);
		err = cache_directory_remove(f->cache, "1.gsym");
		status |= !err || strcmp(error_message(err),
		                         "cannot remove 'a/b/1.gsym': "
		                         "permission denied");
		error_free(err);
		_exit(status);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(chmod("a/b", 0700), 0);
	// What another process has removed is gone.
	assert_null(cache_directory_remove(f->cache, "1.gsym"));
	assert_null(cache_directory_remove(f->cache, "1.gsym"));
}

static void nothing_changes_in_a_frozen_one(void **state)
{
	struct fixture *f = *state;
	struct file_stamp before, after;
	struct cache_pruned pruned;
	int lock = 0;

	check_put(f->cache, "1.gsym", 3, "");
	set_used("a/b/1.gsym", -20);
	test_file_write_text("a/b/uuids.1-1", "");
	set_used("a/b/uuids.1-1", -2 * HOUR);
	assert_true(file_stamp_read("a/b/1.gsym", &before));
	cache_directory_freeze(f->cache);
	cache_directory_touch(f->cache, "1.gsym");
	check_put(f->cache, "1.gsym", 4, "");
	check_put(f->cache, "2.gsym", 4, "");
	assert_null(cache_directory_remove(f->cache, "1.gsym"));
	assert_null(cache_directory_lock(f->cache, &lock));
	assert_int_equal(lock, -1);
	assert_null(cache_directory_prune(f->cache, 0, &pruned));
	assert_int_equal(pruned.removed, 1);
	assert_int_equal(pruned.removed_bytes, 3);
	check_list(f->cache, "1.gsym ", 0);
	assert_true(file_stamp_read("a/b/1.gsym", &after));
	assert_true(file_stamp_equal(&before, &after));
	assert_int_equal(access("a/b/uuids.1-1", F_OK), 0);
	assert_int_not_equal(access("a/b/lock", F_OK), 0);
}

/** Through a link it would be written somewhere else. */
static void what_is_no_file_gives_way(void **state)
{
	struct fixture *f = *state;

	check_put(f->cache, "1.gsym", 1, "");
	assert_int_equal(symlink("/nowhere/at/all", "a/b/2.gsym"), 0);
	check_put(f->cache, "2.gsym", 1, "");
	assert_true(can_map(f->cache, "2.gsym"));
	assert_int_equal(mkdir("a/b/3.gsym", 0700), 0);
	check_put(f->cache, "3.gsym", 1,
	          "cannot remove 'a/b/3.gsym': is a directory");
	rmdir("a/b/3.gsym");
}

/** The id of a process that has ended. */
static pid_t ended(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return pid;
}

static void what_was_left_behind_is_removed(void **state)
{
	static const char *const kept[] = {
		"a/b/1.gsym.1-0",       "a/b/uuids.99999999999-0",
		"a/b/CACHEDIR.TAG.x-0", "a/b/1.gsym.no",
		"a/b/1.gsym.",          "a/b/other.1-0",
	};
	struct fixture *f = *state;
	char gone[64];

	check_put(f->cache, "1.gsym", 1, "");
	snprintf(gone, sizeof(gone), "a/b/1.gsym.%ld-0", (long)ended());
	test_file_write_text(gone, "");
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		test_file_write_text(kept[i], "");
	check_list(f->cache, "1.gsym ", 1);
	assert_int_not_equal(access(gone, F_OK), 0);
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		assert_int_equal(access(kept[i], F_OK), 0);
	// After an hour, whoever writes them; also where clocks went back.
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		set_used(kept[i], i % 2 ? 2 * HOUR : -2 * HOUR);
	check_list(f->cache, "1.gsym ", ARRAY_SIZE(kept) - 1);
	assert_int_equal(access("a/b/other.1-0", F_OK), 0);
	unlink("a/b/other.1-0");
}

/** A process that takes the lock, and is killed after @p wait_ns. */
static pid_t hold_lock(struct cache_directory *cache, long wait_ns)
{
	const struct timespec wait = { .tv_nsec = wait_ns };
	char held = 0;
	int ends[2];
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		int lock = -1;

		if (cache_directory_lock(cache, &lock) || lock < 0 ||
		    write(ends[1], &held, 1) != 1)
			_exit(1);
		nanosleep(&wait, NULL);
		raise(SIGKILL);
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], &held, 1), 1);
	close(ends[0]);
	return pid;
}

static void a_lock_is_waited_for_and_goes_with_its_process(void **state)
{
	struct fixture *f = *state;
	pid_t pid = hold_lock(f->cache, 200000000);
	int lock = -1;
	int status;

	assert_null(cache_directory_lock(f->cache, &lock));
	assert_true(lock >= 0);
	// It was dead before: nothing else gave the lock back.
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	cache_directory_unlock(&lock);
	assert_null(cache_directory_lock(f->cache, &lock));
	cache_directory_unlock(&lock);
}

static void without_a_place_for_it_there_is_no_lock(void **state)
{
	struct fixture *f = *state;
	int lock = 7;

	check_put(f->cache, "1.gsym", 1, "");
	assert_int_equal(symlink("elsewhere", "a/b/lock"), 0);
	assert_null(cache_directory_lock(f->cache, &lock));
	assert_int_equal(lock, -1);
	assert_int_not_equal(access("a/b/elsewhere", F_OK), 0);
	cache_directory_unlock(&lock);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(it_is_made_when_it_is_needed),
		TEST(what_was_not_used_lately_goes),
		TEST(a_cache_that_is_no_directory_is_refused),
		TEST(what_others_may_write_is_not_read),
		TEST(what_belongs_to_others_is_not_read),
		TEST(what_cannot_be_read_is_not_empty),
		TEST(what_cannot_be_removed_is_not_counted_as_removed),
		TEST(nothing_changes_in_a_frozen_one),
		TEST(what_is_no_file_gives_way),
		TEST(what_was_left_behind_is_removed),
		TEST(a_lock_is_waited_for_and_goes_with_its_process),
		TEST(without_a_place_for_it_there_is_no_lock),
	};
#undef TEST

	return cmocka_run_group_tests(tests, NULL, NULL);
}

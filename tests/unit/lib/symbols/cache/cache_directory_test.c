// SPDX-License-Identifier: MIT
#include "lib/symbols/cache/cache_directory.h"

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
/** What has the name of one, and the least size. */
#define ENTRY(digit) "00000000-0000-0000-0000-00000000000" digit ".gsym"
#define ENTRY_BYTES  256

struct fixture {
	struct test_directory directory;
	struct cache_directory *cache;
};

static int set_up(void **state)
{
	struct fixture *f = mem_zalloc(1, sizeof(*f));

	test_directory_enter(&f->directory);
	f->cache = cache_directory_new("a/b", 1000);
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

/** The message of putting an entry of that size; "" if it is done. */
static void check_put(struct cache_directory *cache, const char *name,
                      size_t size, const char *message)
{
	SCOPED(str_release) struct str contents = { 0 };
	SCOPED(error_drop) struct error *err = NULL;

	str_add_repeat(&contents, 'x', size - ENTRY_BYTES);
	str_add(&contents, "apmtseal");
	str_add_repeat(&contents, 'x', size - contents.size);
	err = cache_directory_put(cache, name, &contents);
	assert_string_equal(err ? error_message(err) : "", message);
}

/** Of the files with the suffix, those used the latest first. */
static void check_list(const struct cache_directory *cache,
                       const char *expected, size_t removed)
{
	SCOPED(cache_files_release) struct cache_files files;
	SCOPED(str_release) struct str names = { 0 };

	cache_directory_list(cache, &files);
	str_add(&names, "");
	for (size_t i = 0; i < files.count; i++)
		str_addf(&names, "%s ", strchr(files.files[i].name, '.') - 1);
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
	assert_false(can_map(f->cache, ENTRY("1")));
	check_put(f->cache, ENTRY("1"), ENTRY_BYTES, "");
	assert_true(can_map(f->cache, ENTRY("1")));
	check_list(f->cache, "1.gsym ", 0);
	assert_int_equal(stat("a/b", &info), 0);
	assert_int_equal(info.st_mode & 0777, 0700);
	assert_int_equal(access("a/b/CACHEDIR.TAG", F_OK), 0);
	assert_null(cache_directory_remove(f->cache, ENTRY("1")));
	check_list(f->cache, "", 0);
}

static void what_was_not_used_lately_goes(void **state)
{
	struct fixture *f = *state;

	check_put(f->cache, ENTRY("1"), 1001,
	          "'" ENTRY("1") "' is larger than the cache may be");
	check_put(f->cache, ENTRY("1"), 400, "");
	check_put(f->cache, ENTRY("2"), 400, "");
	set_used("a/b/" ENTRY("1"), -20);
	set_used("a/b/" ENTRY("2"), -20);
	check_list(f->cache, "1.gsym 2.gsym ", 0);
	set_used("a/b/" ENTRY("1"), -30);
	check_list(f->cache, "2.gsym 1.gsym ", 0);
	cache_directory_touch(f->cache, ENTRY("1"));
	check_list(f->cache, "1.gsym 2.gsym ", 0);
	check_put(f->cache, ENTRY("3"), 500, "");
	set_used("a/b/" ENTRY("3"), 20);
	check_list(f->cache, "3.gsym 1.gsym ", 0);
}

static void a_cache_that_is_no_directory_is_refused(void **state)
{
	struct fixture *f = *state;

	test_file_write_text("a", "");
	check_put(f->cache, ENTRY("1"), ENTRY_BYTES,
	          "cannot make 'a/b': not a directory");
	unlink("a");
	assert_int_equal(mkdir("a", 0700), 0);
	test_file_write_text("a/b", "");
	check_put(f->cache, ENTRY("1"), ENTRY_BYTES,
	          "'a/b' is not a directory");
}

/** Others may not choose what a cache says. */
static void what_others_may_write_is_not_read(void **state)
{
	struct fixture *f = *state;

	check_put(f->cache, ENTRY("1"), ENTRY_BYTES, "");
	chmod("a/b/" ENTRY("1"), 0666);
	// They cannot enter.
	assert_true(can_map(f->cache, ENTRY("1")));
	chmod("a/b", 0711);
	assert_false(can_map(f->cache, ENTRY("1")));
	chmod("a/b/" ENTRY("1"), 0600);
	assert_true(can_map(f->cache, ENTRY("1")));
	chmod("a/b", 0777);
	assert_false(can_map(f->cache, ENTRY("1")));
	check_put(f->cache, ENTRY("1"), ENTRY_BYTES,
	          "the cache 'a/b' is not used: other users may write to it: "
	          "run 'chmod go-w a/b'");
	chmod("a/b", 01777);
	assert_null(cache_directory_check_access(f->cache));
	chmod("a/b", 0700);
	assert_int_equal(symlink(ENTRY("1"), "a/b/" ENTRY("2")), 0);
	assert_false(can_map(f->cache, ENTRY("2")));
}

static void what_belongs_to_others_is_not_read(void **state)
{
	struct fixture *f = *state;

	check_put(f->cache, ENTRY("1"), ENTRY_BYTES, "");
	if (chown("a/b/" ENTRY("1"), 65534, 65534)) {
		print_message("skipped: only root may give files away\n");
		skip();
	}
	assert_false(can_map(f->cache, ENTRY("1")));
	assert_int_equal(chown("a/b/" ENTRY("1"), 0, 0), 0);
	assert_true(can_map(f->cache, ENTRY("1")));
	assert_int_equal(chown("a/b", 65534, 65534), 0);
	assert_false(can_map(f->cache, ENTRY("1")));
}

static void what_cannot_be_read_is_not_empty(void **state)
{
	struct fixture *f = *state;
	int status;
	pid_t child;

	assert_null(cache_directory_check(f->cache));
	assert_null(cache_directory_check_access(f->cache));
	check_put(f->cache, ENTRY("1"), ENTRY_BYTES, "");
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

	check_put(f->cache, ENTRY("1"), ENTRY_BYTES, "");
	check_put(f->cache, ENTRY("2"), ENTRY_BYTES, "");
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
		err = cache_directory_remove(f->cache, ENTRY("1"));
		status |= !err || strcmp(error_message(err),
		                         "cannot remove 'a/b/" ENTRY(
		                                 "1") "': "
		                                      "permission denied");
		error_free(err);
		_exit(status);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(chmod("a/b", 0700), 0);
	// What another process has removed is gone.
	assert_null(cache_directory_remove(f->cache, ENTRY("1")));
	assert_null(cache_directory_remove(f->cache, ENTRY("1")));
}

static void nothing_changes_in_a_frozen_one(void **state)
{
	struct fixture *f = *state;
	struct file_stamp before, after;
	struct cache_pruned pruned;
	int lock = 0;

	check_put(f->cache, ENTRY("1"), ENTRY_BYTES, "");
	set_used("a/b/" ENTRY("1"), -20);
	test_file_write_text("a/b/uuids.1-1", "");
	set_used("a/b/uuids.1-1", -2 * HOUR);
	assert_true(file_stamp_read("a/b/" ENTRY("1"), &before));
	cache_directory_freeze(f->cache);
	cache_directory_touch(f->cache, ENTRY("1"));
	check_put(f->cache, ENTRY("1"), ENTRY_BYTES, "");
	check_put(f->cache, ENTRY("2"), ENTRY_BYTES, "");
	assert_null(cache_directory_remove(f->cache, ENTRY("1")));
	assert_null(cache_directory_lock(f->cache, &lock));
	assert_int_equal(lock, -1);
	assert_null(cache_directory_prune(f->cache, 0, &pruned));
	assert_int_equal(pruned.removed, 1);
	assert_int_equal(pruned.removed_bytes, ENTRY_BYTES);
	check_list(f->cache, "1.gsym ", 0);
	assert_true(file_stamp_read("a/b/" ENTRY("1"), &after));
	assert_true(file_stamp_equal(&before, &after));
	assert_int_equal(access("a/b/uuids.1-1", F_OK), 0);
	assert_int_not_equal(access("a/b/lock", F_OK), 0);
}

/** Through a link it would be written somewhere else. */
static void what_is_no_file_gives_way(void **state)
{
	struct fixture *f = *state;

	check_put(f->cache, ENTRY("1"), ENTRY_BYTES, "");
	assert_int_equal(symlink("/nowhere/at/all", "a/b/" ENTRY("2")), 0);
	check_put(f->cache, ENTRY("2"), ENTRY_BYTES, "");
	assert_true(can_map(f->cache, ENTRY("2")));
	assert_int_equal(mkdir("a/b/" ENTRY("3"), 0700), 0);
	check_put(f->cache, ENTRY("3"), ENTRY_BYTES,
	          "cannot remove 'a/b/" ENTRY("3") "': is a directory");
	rmdir("a/b/" ENTRY("3"));
}

/** The directory may be one that the user keeps other files in. */
static void what_is_not_ours_is_not_removed(void **state)
{
	static const char *const others[] = {
		"a/b/notes.txt",          "a/b/App.gsym",
		"a/b/" ENTRY("2"),        "a/b/" ENTRY("4"),
		"a/b/sub/" ENTRY("1"),    "a/b/" ENTRY("a"),
		"a/b/" ENTRY("5") ".bak",
	};
	struct fixture *f = *state;
	struct cache_pruned pruned;

	check_put(f->cache, ENTRY("1"), ENTRY_BYTES, "");
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		test_file_write_text(others[i], "GSYM of another tool");
	assert_int_equal(symlink(ENTRY("1"), "a/b/" ENTRY("6")), 0);
	assert_int_equal(mkfifo("a/b/" ENTRY("7"), 0600), 0);
	assert_int_equal(mkdir("a/b/" ENTRY("8"), 0700), 0);
	assert_null(cache_directory_prune(f->cache, 0, &pruned));
	assert_int_equal(pruned.count, 1);
	assert_int_equal(pruned.removed, 1);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (access(others[i], F_OK))
			fail_msg("%s is gone", others[i]);
	assert_int_equal(unlink("a/b/" ENTRY("6")), 0);
	assert_int_equal(unlink("a/b/" ENTRY("7")), 0);
	assert_int_equal(rmdir("a/b/" ENTRY("8")), 0);
	assert_int_not_equal(access("a/b/" ENTRY("1"), F_OK), 0);
}

/** Nor does it count: else nothing of ours would stay beside it. */
static void what_is_not_ours_takes_no_room(void **state)
{
	struct fixture *f = *state;
	SCOPED(str_release) struct str large = { 0 };

	str_add_repeat(&large, 'x', 5000);
	check_put(f->cache, ENTRY("1"), 400, "");
	test_file_write("a/b/" ENTRY("2"), large.data, large.size);
	check_put(f->cache, ENTRY("3"), 400, "");
	assert_int_equal(access("a/b/" ENTRY("1"), F_OK), 0);
	assert_int_equal(access("a/b/" ENTRY("2"), F_OK), 0);
	assert_int_equal(access("a/b/" ENTRY("3"), F_OK), 0);
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
		"a/b/" ENTRY("1") ".1-0",
		"a/b/uuids.1-17",
		"a/b/CACHEDIR.TAG.1-0",
	};
	// Whatever their age.
	static const char *const others[] = {
		"a/b/CACHEDIR.TAG.x-0", "a/b/" ENTRY("1") ".no",
		"a/b/" ENTRY("1") ".",  "a/b/other.1-0",
		"a/b/notes.gsym.1-0",   "a/b/" ENTRY("1") ".1-x",
		"a/b/my-uuids.1-0",     "a/b/uuids.99999999999-0",
	};
	struct fixture *f = *state;
	char gone[128];

	check_put(f->cache, ENTRY("1"), ENTRY_BYTES, "");
	snprintf(gone, sizeof(gone), "a/b/" ENTRY("1") ".%ld-0", (long)ended());
	test_file_write_text(gone, "");
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		test_file_write_text(kept[i], "");
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		test_file_write_text(others[i], "");
		set_used(others[i], -2 * HOUR);
	}
	check_list(f->cache, "1.gsym ", 1);
	assert_int_not_equal(access(gone, F_OK), 0);
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		assert_int_equal(access(kept[i], F_OK), 0);
	// After an hour, whoever writes them; also where clocks went back.
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		set_used(kept[i], i % 2 ? 2 * HOUR : -2 * HOUR);
	check_list(f->cache, "1.gsym ", ARRAY_SIZE(kept));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_int_equal(access(others[i], F_OK), 0);
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

	check_put(f->cache, ENTRY("1"), ENTRY_BYTES, "");
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
		TEST(what_is_not_ours_is_not_removed),
		TEST(what_is_not_ours_takes_no_room),
		TEST(what_was_left_behind_is_removed),
		TEST(a_lock_is_waited_for_and_goes_with_its_process),
		TEST(without_a_place_for_it_there_is_no_lock),
	};
#undef TEST

	return cmocka_run_group_tests(tests, NULL, NULL);
}

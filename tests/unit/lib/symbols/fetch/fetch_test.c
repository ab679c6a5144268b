// SPDX-License-Identifier: MIT
#include "lib/symbols/fetch/fetch.h"

#include "lib/base/file.h"
#include "lib/base/text.h"
#include "lib/symbols/index/store_write.h"
#include "lib/symbols/index/uuid_index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

#define DEMO \
	APMTOOL_SOURCE_DIR "/samples/Demo.dSYM/Contents/Resources/DWARF/Demo"
#define ARM64_DIRECTORY "cache/fetched/4c/4c44bd55553144a18b1d7a14acc538"
#define X86_DIRECTORY   "cache/fetched/4c/4c447155553144a165859a782cd8ba"

static const char arm64[] = "4C4C44BD-5555-3144-A18B-1D7A14ACC538";
static const char x86[] = "4C4C4471-5555-3144-A165-859A782CD8BA";

/** The slices of the sample, as a server would have them. */
static void fill_remote(void)
{
	struct uuid_index *index = uuid_index_new();
	const struct uuid_entry *entries;
	size_t count;

	assert_null(uuid_index_add(index, DEMO));
	entries = uuid_index_all(index, &count);
	assert_int_equal(count, 2);
	for (size_t i = 0; i < count; i++) {
		SCOPED(str_release) struct str path = { 0 };
		enum store_added added;

		assert_null(store_add("remote", &entries[i], &path, &added));
		assert_int_equal(added, STORE_NEW);
	}
	uuid_index_free(index);
}

static struct fetch *fetch_by(const struct test_directory *f,
                              const char *const *command, size_t count,
                              uint64_t limit_bytes)
{
	static char cache[64];

	snprintf(cache, sizeof(cache), "%s/cache", f->path);
	return fetch_new(&(struct fetch_settings){
	        .command = command,
	        .count = count,
	        .cache = cache,
	        .limit_bytes = limit_bytes,
	        .time_limit_ms = 1000,
	});
}

static void count_file(const char *path, void *context)
{
	size_t *count = context;

	assert_true(text_ends(text_from(path), "/debuginfo"));
	++*count;
}

static size_t get(struct fetch *fetch, const char *text)
{
	struct uuid uuid;
	size_t count = 0;

	assert_true(uuid_parse(text_from(text), &uuid));
	fetch_get(fetch, &uuid, "arm64", count_file, &count);
	return count;
}

static void what_was_used_the_longest_ago_goes(void **state)
{
	static const char *const command[] = { "/bin/cp",
		                               "remote/{path}/debuginfo",
		                               "{file}" };
	const struct utimbuf old = { 1000000000, 1000000000 };
	struct fetch *fetch = fetch_by(*state, command, 3, 40000);
	struct file_stamp stamp;

	fill_remote();
	assert_int_equal(get(fetch, arm64), 1);
	assert_int_equal(utime(ARM64_DIRECTORY, &old), 0);
	// Both are larger than may be kept; what was just fetched stays.
	assert_int_equal(get(fetch, x86), 1);
	assert_int_not_equal(access(ARM64_DIRECTORY, F_OK), 0);
	assert_true(file_stamp_read(X86_DIRECTORY "/debuginfo", &stamp));
	fetch_free(fetch);
	// Use is what counts.
	fetch = fetch_by(*state, command, 3, 60000);
	assert_int_equal(utime(X86_DIRECTORY, &old), 0);
	assert_int_equal(get(fetch, x86), 1);
	assert_int_equal(get(fetch, arm64), 1);
	assert_int_equal(access(X86_DIRECTORY "/debuginfo", F_OK), 0);
	fetch_free(fetch);
}

static void a_file_larger_than_may_be_kept_is_refused(void **state)
{
	static const char *const command[] = { "/bin/cp",
		                               "remote/{path}/debuginfo",
		                               "{file}" };
	struct fetch *fetch = fetch_by(*state, command, 3, 1000);
	size_t count;

	fill_remote();
	assert_int_equal(get(fetch, arm64), 0);
	assert_non_null(fetch_problem(fetch, &count));
	assert_int_equal(count, 1);
	assert_int_equal(access(ARM64_DIRECTORY "/miss", F_OK), 0);
	assert_int_not_equal(access(ARM64_DIRECTORY "/debuginfo", F_OK), 0);
	fetch_free(fetch);
}

static void several_processes_fetch_a_uuid_once(void **state)
{
	static const char *const command[] = {
		"/bin/sh", "-c",
		"echo x >>asked; sleep 0.3; cp remote/{path}/debuginfo {file}"
	};
	SCOPED(file_release) struct file_data asked = { 0 };
	pid_t children[4];
	int status;

	fill_remote();
	for (size_t i = 0; i < ARRAY_SIZE(children); i++) {
		children[i] = fork();
		if (!children[i]) {
			struct fetch *fetch =
			        fetch_by(*state, command, 3, 1 << 20);
			size_t count = get(fetch, arm64);

			fetch_free(fetch);
			_exit(count != 1);
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(children); i++) {
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(status, 0);
	}
	assert_null(file_read("asked", 1000, &asked));
	assert_int_equal(asked.bytes.size, 2);
}

static void a_miss_is_remembered_for_an_hour(void **state)
{
	static const char *const command[] = { "/bin/sh", "-c",
		                               "echo x >>asked # {file}" };
	const time_t now = time(NULL);
	const struct utimbuf recent = { now - 3500, now - 3500 };
	const struct utimbuf old = { now - 3700, now - 3700 };
	SCOPED(file_release) struct file_data asked = { 0 };

	for (int i = 0; i < 4; i++) {
		struct fetch *fetch = fetch_by(*state, command, 3, 1 << 20);

		assert_int_equal(get(fetch, arm64), 0);
		assert_int_equal(get(fetch, arm64), 0);
		fetch_free(fetch);
		assert_int_equal(
		        utime(ARM64_DIRECTORY "/miss", i == 1 ? &old : &recent),
		        0);
	}
	assert_null(file_read("asked", 1000, &asked));
	assert_int_equal(asked.bytes.size, 4);
}

static void three_time_limits_in_a_row_end_it_for_the_run(void **state)
{
	static const char *const command[] = {
		"/bin/sh", "-c", "echo x >>asked; exec sleep 60; # {file}"
	};
	struct fetch *fetch = fetch_by(*state, command, 3, 1 << 20);
	SCOPED(file_release) struct file_data asked = { 0 };
	char text[] = "00000000-0000-0000-0000-000000000000";
	size_t count;

	for (char c = '1'; c <= '6'; c++) {
		text[0] = c;
		assert_int_equal(get(fetch, text), 0);
	}
	assert_string_equal(fetch_problem(fetch, &count),
	                    "10000000-0000-0000-0000-000000000000: '/bin/sh' "
	                    "was ended at the time limit");
	assert_int_equal(count, 3);
	fetch_free(fetch);
	assert_null(file_read("asked", 1000, &asked));
	assert_int_equal(asked.bytes.size, 6);
}

/** It is a report's, and may be anything. */
static void an_architecture_is_a_word_or_empty(void **state)
{
	static const char *const command[] = { "/bin/sh", "-c",
		                               "echo \"$0\" >>asked",
		                               "[{arch}]", "{file}" };
	static const char *const archs[] = {
		"arm64_32", "$(touch x)",        "-o",
		"a;b",      "abcdefghijklmnopq", NULL,
	};
	SCOPED(file_release) struct file_data asked = { 0 };
	struct fetch *fetch = fetch_by(*state, command, 5, 1 << 20);
	char text[] = "00000000-0000-0000-0000-000000000001";

	for (size_t i = 0; i < ARRAY_SIZE(archs); i++) {
		struct uuid uuid;

		text[0] = (char)('1' + i);
		assert_true(uuid_parse(text_from(text), &uuid));
		fetch_get(fetch, &uuid, archs[i], count_file, NULL);
	}
	fetch_free(fetch);
	assert_null(file_read("asked", 1000, &asked));
	assert_true(text_is(bytes_text(asked.bytes),
	                    "[arm64_32]\n[]\n[]\n[]\n[]\n[]\n"));
}

/** Whoever may write there chooses what is found. */
static void a_directory_of_others_is_not_used(void **state)
{
	static const char *const command[] = { "/bin/sh", "-c",
		                               "echo x >>asked # {file}" };
	struct fetch *fetch = fetch_by(*state, command, 3, 1 << 20);
	size_t count;

	assert_int_equal(mkdir("cache", 0700), 0);
	assert_int_equal(mkdir("cache/fetched", 0700), 0);
	assert_int_equal(chmod("cache/fetched", 0777), 0);
	assert_int_equal(get(fetch, arm64), 0);
	assert_non_null(fetch_problem(fetch, &count));
	assert_int_not_equal(access("asked", F_OK), 0);
	fetch_free(fetch);
}

#define TEST(name)                                                  \
	cmocka_unit_test_setup_teardown(name, test_directory_setup, \
	                                test_directory_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_was_used_the_longest_ago_goes),
		TEST(a_file_larger_than_may_be_kept_is_refused),
		TEST(several_processes_fetch_a_uuid_once),
		TEST(a_miss_is_remembered_for_an_hour),
		TEST(three_time_limits_in_a_row_end_it_for_the_run),
		TEST(an_architecture_is_a_word_or_empty),
		TEST(a_directory_of_others_is_not_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/cache_verify.h"

#include "lib/symbols/cache/cache_entry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

static void count_fault(const char *path, const char *reason, void *context)
{
	(void)path;
	(void)reason;
	++*(size_t *)context;
}

/** In a directory that the child cannot write to. */
static int check_stuck(struct cache_directory *cache)
{
	size_t faults = 0;
	struct cache_verify verify = { .directory = cache,
		                       .fault = count_fault,
		                       .context = &faults };
	struct error *err;
	int status;

	// Root removes everything.
	if (!geteuid() && setuid(65534))
		return 1;
	err = cache_verify_run(&verify);
	status = !err || !strstr(error_message(err), "cannot remove 'a/") ||
	         faults != 2 || verify.fault_count != 2 || verify.stuck != 2;
	error_free(err);
	cache_directory_freeze(cache);
	err = cache_verify_run(&verify);
	status |= err || faults != 4 || verify.stuck != 2;
	error_free(err);
	cache_directory_free(cache);
	return status;
}

static void what_cannot_be_removed_is_named(void **state)
{
	struct test_directory directory;
	struct cache_directory *cache = cache_directory_new("a", 1000);
	struct str contents = { 0 };
	int status;
	pid_t child;

	(void)state;
	test_directory_enter(&directory);
	str_add(&contents, "apmtseal");
	str_add_repeat(&contents, 'x', 256 - contents.size);
	assert_null(cache_directory_put(
	        cache, "00000000-0000-0000-0000-000000000001.gsym", &contents));
	assert_null(cache_directory_put(
	        cache, "00000000-0000-0000-0000-000000000002.gsym", &contents));
	str_release(&contents);
	assert_int_equal(chmod(".", 0755), 0);
	assert_int_equal(chmod("a", 0555), 0);
	child = fork();
	if (!child)
		_exit(check_stuck(cache));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(chmod("a", 0700), 0);
	cache_directory_free(cache);
	test_directory_leave(&directory);
}

static const struct uuid uuid = { { 7, 7, 7 } };

#define FUNCTIONS 4000

/** The bytes of a whole entry. */
static void add_entry(uint64_t reader, struct str *out)
{
	SCOPED(str_release) struct str image = { 0 };
	struct debug_file file = { "", "" };
	struct debug_function functions[FUNCTIONS];
	const struct debug_info info = { .files = &file,
		                         .file_count = 1,
		                         .functions = functions,
		                         .function_count = FUNCTIONS };
	struct cache_entry entry = { .source = { .uuid = uuid,
		                                 .reader = reader } };

	for (size_t i = 0; i < FUNCTIONS; i++)
		functions[i] = (struct debug_function){
			.range = { 16 * i, 16 * i + 16 }, .name = "one"
		};
	assert_null(gsym_write(&info, &uuid, &image));
	entry.image = bytes_from_text(str_text(&image));
	cache_entry_write(&entry, out);
}

static void keep_fault(const char *path, const char *reason, void *context)
{
	struct str *said = context;

	str_addf(said, "%s: %s\n", path, reason);
}

static void each_fault_of_an_entry_is_named(void **state)
{
	const char *name = "07070700-0000-0000-0000-000000000000-x.gsym";
	const uint64_t reader = cache_reader_id(DEBUG_READER_NATIVE);
	const struct {
		const char *name;
		uint64_t reader;
		bool is_damaged;
		const char *fault;
	} cases[] = {
		{ name, reader, false, "" },
		{ name, cache_reader_id(DEBUG_READER_LIBDWARF), false, "" },
		{ name, reader, true,
		  "a/07070700-0000-0000-0000-000000000000-x.gsym: "
		  "a checksum of the entry is wrong\n" },
		{ name, 99, false,
		  "a/07070700-0000-0000-0000-000000000000-x.gsym: "
		  "the entry is of another version of apmtool\n" },
		{ "07070700-0000-0000-0000-000000000001.gsym", reader, false,
		  "a/07070700-0000-0000-0000-000000000001.gsym: "
		  "the entry has the name of another UUID\n" },
	};
	struct test_directory directory;
	struct cache_directory *cache = cache_directory_new("a", 1 << 20);

	(void)state;
	test_directory_enter(&directory);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str contents = { 0 };
		SCOPED(str_release) struct str said = { 0 };
		struct cache_verify verify = { .directory = cache,
			                       .fault = keep_fault,
			                       .context = &said };

		add_entry(cases[i].reader, &contents);
		// Far from what is read at first.
		if (cases[i].is_damaged)
			contents.data[contents.size / 2] ^= 1;
		assert_null(
		        cache_directory_put(cache, cases[i].name, &contents));
		assert_null(cache_verify_run(&verify));
		assert_string_equal(str_cstr(&said), cases[i].fault);
		assert_int_equal(verify.entry_count, 1);
		assert_int_equal(verify.fault_count, *cases[i].fault != 0);
	}
	cache_directory_free(cache);
	test_directory_leave(&directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cannot_be_removed_is_named),
		cmocka_unit_test(each_fault_of_an_entry_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

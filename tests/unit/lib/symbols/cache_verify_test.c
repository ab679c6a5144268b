#include "lib/symbols/cache_verify.h"

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
	struct cache_directory *cache = cache_directory_new("a", 100);
	struct str contents = { 0 };
	int status;
	pid_t child;

	(void)state;
	test_directory_enter(&directory);
	str_add(&contents, "damaged");
	assert_null(cache_directory_put(cache, "1.gsym", &contents));
	assert_null(cache_directory_put(cache, "2.gsym", &contents));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cannot_be_removed_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/index/catalog_update.h"

#include "lib/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

/** A Mach-O file without code, of a UUID that ends in @p number. */
static void write_macho(const char *path, uint8_t number)
{
	const uint8_t bytes[] = {
		0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0,  0,  1,      0,    0, 0, 0,
		6,    0,    0,    0,    1,    0,  0,  0,      24,   0, 0, 0,
		0,    0,    0,    0,    0,    0,  0,  0,      0x1b, 0, 0, 0,
		24,   0,    0,    0,    1,    2,  3,  4,      5,    6, 7, 8,
		9,    10,   11,   12,   13,   14, 15, number,
	};

	test_file_write(path, bytes, sizeof(bytes));
}

/** As `ITEMS of ROOTS`. */
static void check_catalog(const struct cache_directory *directory,
                          const char *expected)
{
	struct uuid_catalog *catalog = NULL;
	char text[64];

	assert_null(uuid_catalog_open_whole(directory, &catalog));
	assert_non_null(catalog);
	snprintf(text, sizeof(text), "%zu of %zu", uuid_catalog_count(catalog),
	         uuid_catalog_root_count(catalog));
	uuid_catalog_close(catalog);
	assert_string_equal(text, expected);
}

static void updates_at_once_keep_what_each_has_found(void **state UNUSED)
{
	struct cache_directory *directory =
	        cache_directory_new("cache", 1 << 30);
	struct catalog_update first = { 0 }, second = { 0 };

	write_macho("a/one", 1);
	write_macho("b/two", 2);
	assert_null(catalog_update_begin(&first, directory));
	assert_null(catalog_update_begin(&second, directory));
	assert_null(catalog_update_add(&first, "a"));
	assert_null(catalog_update_add(&second, "b"));
	assert_null(catalog_update_write(&first, directory));
	assert_null(catalog_update_write(&second, directory));
	assert_int_equal(second.counts.added, 1);
	assert_int_equal(second.counts.same, 1);
	check_catalog(directory, "2 of 2");
	catalog_update_release(&first);
	catalog_update_release(&second);
	cache_directory_free(directory);
}

static void what_cannot_be_seen_is_kept(void **state UNUSED)
{
	struct cache_directory *directory =
	        cache_directory_new("cache", 1 << 30);
	struct catalog_update update = { 0 };
	uid_t before = geteuid();

	// Root sees everything.
	assert_int_equal(chmod(".", 0777), 0);
	if (!before && seteuid(65534))
		skip();
	write_macho("a/one", 1);
	write_macho("b/sub/two", 2);
	write_macho("b/three", 3);
	assert_null(catalog_update_begin(&update, directory));
	assert_null(catalog_update_add(&update, "a"));
	assert_null(catalog_update_add(&update, "b"));
	assert_null(catalog_update_write(&update, directory));
	catalog_update_release(&update);
	check_catalog(directory, "3 of 2");
	assert_int_equal(chmod("a", 0), 0);
	assert_int_equal(chmod("b/sub", 0), 0);
	assert_int_equal(unlink("b/three"), 0);
	assert_null(catalog_update_begin(&update, directory));
	catalog_update_add_known(&update);
	assert_null(catalog_update_write(&update, directory));
	assert_int_equal(update.counts.removed, 1);
	catalog_update_release(&update);
	check_catalog(directory, "2 of 2");
	assert_int_equal(chmod("a", 0777), 0);
	assert_int_equal(chmod("b/sub", 0777), 0);
	assert_int_equal(seteuid(before), 0);
	cache_directory_free(directory);
}

/** As it was when the paths that were walked before are walked again. */
static void check_absent(struct cache_directory *directory, bool was_absent)
{
	struct catalog_update update = { 0 };

	assert_null(catalog_update_begin(&update, directory));
	catalog_update_add_known(&update);
	assert_int_equal(update.problem_count, 3);
	for (size_t i = 0; i < update.problem_count; i++) {
		assert_int_equal(update.problems[i].absence, CATALOG_AWAY);
		assert_int_equal(update.problems[i].was_absent, was_absent);
	}
	assert_null(catalog_update_write(&update, directory));
	catalog_update_release(&update);
}

static void what_stays_away_had_no_items_last_time(void **state UNUSED)
{
	static const char *const roots[] = { "x/a", "y/a", "z/a.macho" };
	struct cache_directory *directory =
	        cache_directory_new("cache", 1 << 30);
	struct catalog_update update = { 0 };

	write_macho("x/a/one", 1);
	write_macho("y/a/b/two", 2);
	write_macho("z/a.macho", 3);
	assert_null(catalog_update_begin(&update, directory));
	for (size_t i = 0; i < ARRAY_SIZE(roots); i++)
		assert_null(catalog_update_add(&update, roots[i]));
	assert_null(catalog_update_write(&update, directory));
	catalog_update_release(&update);
	assert_int_equal(unlink("x/a/one"), 0);
	assert_int_equal(rmdir("x/a"), 0);
	assert_int_equal(unlink("y/a/b/two"), 0);
	assert_int_equal(rmdir("y/a/b"), 0);
	assert_int_equal(rmdir("y/a"), 0);
	assert_int_equal(unlink("z/a.macho"), 0);
	check_absent(directory, false);
	check_absent(directory, true);
	cache_directory_free(directory);
}

int main(void)
{
#define TEST(name)                                                  \
	cmocka_unit_test_setup_teardown(name, test_directory_setup, \
	                                test_directory_teardown)
	const struct CMUnitTest tests[] = {
		TEST(updates_at_once_keep_what_each_has_found),
		TEST(what_cannot_be_seen_is_kept),
		TEST(what_stays_away_had_no_items_last_time),
	};
#undef TEST

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/gsym/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void a_string_is_kept_once(void **state)
{
	SCOPED(str_release) struct str out = { 0 };
	struct gsym_tables tables;

	(void)state;
	gsym_tables_init(&tables);
	assert_int_equal(gsym_tables_string(&tables, NULL), 0);
	assert_int_equal(gsym_tables_string(&tables, ""), 0);
	assert_int_equal(gsym_tables_string(&tables, "one"), 1);
	assert_int_equal(gsym_tables_string(&tables, "two"), 5);
	assert_int_equal(gsym_tables_string(&tables, "one"), 1);
	gsym_tables_write_strings(&tables, &out);
	assert_int_equal(out.size, 9);
	assert_memory_equal(out.data, "\0one\0two", 9);
	gsym_tables_release(&tables);
}

static void a_file_is_kept_once(void **state)
{
	struct gsym_tables tables;

	(void)state;
	gsym_tables_init(&tables);
	assert_int_equal(gsym_tables_file(&tables, NULL, NULL), 0);
	assert_int_equal(gsym_tables_file(&tables, "", "a.c"), 1);
	assert_int_equal(gsym_tables_file(&tables, "dir", "a.c"), 2);
	assert_int_equal(gsym_tables_file(&tables, "dir", ""), 3);
	assert_int_equal(gsym_tables_file(&tables, "dir", "a.c"), 2);
	assert_false(tables.too_large);
	gsym_tables_release(&tables);
}

/** Offsets have 32 bits: the last string that fits, and one more byte. */
static void strings_end_at_4_gb(void **state)
{
	struct gsym_tables tables;

	(void)state;
	gsym_tables_init(&tables);
	tables.strings_size = UINT32_MAX - 4;
	assert_int_equal(gsym_tables_string(&tables, "one"), UINT32_MAX - 4);
	assert_false(tables.too_large);
	assert_int_equal(gsym_tables_string(&tables, "b"), 0);
	assert_true(tables.too_large);
	gsym_tables_release(&tables);
}

static void files_end_at_4_gb(void **state)
{
	struct gsym_tables tables;

	(void)state;
	gsym_tables_init(&tables);
	tables.file_count = UINT32_MAX / sizeof(struct gsym_file);
	assert_int_equal(gsym_tables_file(&tables, "dir", "a.c"), 0);
	assert_true(tables.too_large);
	gsym_tables_release(&tables);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_string_is_kept_once),
		cmocka_unit_test(a_file_is_kept_once),
		cmocka_unit_test(strings_end_at_4_gb),
		cmocka_unit_test(files_end_at_4_gb),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/** Directories 0 to 2, and files in them. */
static const char *directories[] = { "/u", "a", "" };
static struct line_file line_files[] = {
	{ "x.c", 0 }, { "x.c", 1 },   { "y.c", 0 },
	{ "/z", 0 },  { "a/x.c", 0 }, { "x.c", 0 },
};

static const struct line_table lines = {
	.unit = { .directory = "/u" },
	.directories = directories,
	.directory_count = ARRAY_SIZE(directories),
	.files = line_files,
	.file_count = ARRAY_SIZE(line_files),
};

static void check(const struct file_table *table, uint32_t index,
                  const char *directory, const char *name)
{
	assert_string_equal(table->files[index].directory, directory);
	assert_string_equal(table->files[index].name, name);
}

static void a_path_is_one_file_however_it_is_put_together(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct dwarf_work work = { 10000 };
	struct file_table table;
	struct unit_files files;
	uint32_t indexes[ARRAY_SIZE(line_files)];

	(void)state;
	file_table_init(&table, &arena);
	unit_files_init(&files, &table, &lines, &work);
	for (size_t i = 0; i < ARRAY_SIZE(line_files); i++)
		indexes[i] = unit_files_index(&files, i);
	check(&table, 0, "", "");
	check(&table, indexes[0], "/u", "x.c");
	check(&table, indexes[1], "/u/a", "x.c");
	check(&table, indexes[2], "/u", "y.c");
	check(&table, indexes[3], "/", "z");
	assert_int_equal(indexes[4], indexes[1]);
	assert_int_equal(indexes[5], indexes[0]);
	assert_int_equal(unit_files_index(&files, 1), indexes[1]);
	assert_int_equal(unit_files_index(&files, ARRAY_SIZE(line_files)), 0);
	assert_int_equal(unit_files_index(&files, UINT64_MAX), 0);
	unit_files_release(&files);
	file_table_release(&table);
}

static void a_path_without_a_directory(void **state)
{
	static struct line_file file = { "x.c", 0 };
	static const struct line_table bare = {
		.unit = { .directory = "" },
		.files = &file,
		.file_count = 1,
	};
	SCOPED(arena_release) struct arena arena = { 0 };
	struct dwarf_work work = { 10000 };
	struct file_table table;
	struct unit_files files;

	(void)state;
	file_table_init(&table, &arena);
	unit_files_init(&files, &table, &bare, &work);
	check(&table, unit_files_index(&files, 0), "", "x.c");
	unit_files_release(&files);
	file_table_release(&table);
}

/** Making a path costs 64 and its bytes: without them there is no file. */
static void paths_cost_work(void **state)
{
	(void)state;
	for (uint64_t left = 0; left < 64 + 6; left += 3) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct dwarf_work work = { left };
		struct file_table table;
		struct unit_files files;

		file_table_init(&table, &arena);
		unit_files_init(&files, &table, &lines, &work);
		assert_int_equal(unit_files_index(&files, 0), 0);
		assert_int_equal(table.count, 1);
		unit_files_release(&files);
		file_table_release(&table);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_is_one_file_however_it_is_put_together),
		cmocka_unit_test(a_path_without_a_directory),
		cmocka_unit_test(paths_cost_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/index/map.h"

#include "lib/base/out.h"
#include "lib/base/str.h"
#include "lib/symbols/index/uuid_index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/test_directory.h"

#define UUID_A "0123ABCD-0000-0000-0000-00000000000A"
#define UUID_B "0123ABCD-0000-0000-0000-00000000000B"

static struct symbol_map *open_map(const char *text)
{
	struct symbol_map *map = NULL;
	struct error *err;

	test_file_write_text("map", text);
	err = symbol_map_open("map", &map);
	if (err)
		fail_msg("%s", error_message(err));
	return map;
}

static void drop_map(struct symbol_map **map)
{
	symbol_map_close(*map);
}

static void hidden_names_are_lines_of_the_map(void **state)
{
	static const struct {
		const char *in;
		const char *out;
	} cases[] = {
		{ "__hidden#0_", "_Z4openv" },
		{ "___hidden#1_", "_$s4Demo3runyyF" },
		{ "__hidden#0001_", "_$s4Demo3runyyF" },
		{ "__hidden#2_", "-[Secret run]" },
		{ "demo::__hidden#0_::__hidden#2_",
		  "demo::_Z4openv::-[Secret run]" },
		{ "plain", "plain" },
		{ "", "" },
		// Line 3 is empty, line 4 is not there.
		{ "__hidden#3_", "__hidden#3_" },
		{ "___hidden#4_", "___hidden#4_" },
		{ "__hidden#99999999999999999999_",
		  "__hidden#99999999999999999999_" },
		{ "__hidden#_", "__hidden#_" },
		{ "__hidden#1", "__hidden#1" },
		{ "__hidden#x_", "__hidden#x_" },
		{ "__hidden#__hidden#0_", "__hidden#_Z4openv" },
	};
	struct test_directory *f = *state;
	SCOPED(drop_map)
	struct symbol_map *map = open_map("BCSymbolMap Version: 2.0\n"
	                                  "_Z4openv\n"
	                                  "_$s4Demo3runyyF\r\n"
	                                  "-[Secret run]\n"
	                                  "\n");

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(
		        symbol_map_name(map, cases[i].in, &f->arena),
		        cases[i].out);
	assert_string_equal(symbol_map_name(NULL, "__hidden#0_", &f->arena),
	                    "__hidden#0_");
}

static void version_1_omits_the_underscore_of_the_symbol_table(void **state)
{
	struct test_directory *f = *state;

	for (int headless = 0; headless < 2; headless++) {
		SCOPED(drop_map)
		struct symbol_map *map =
		        open_map(headless ? "_Z4openv\n\1-[Secret run]\n"
		                          : "BCSymbolMap Version: 1.0\n"
		                            "_Z4openv\n\1-[Secret run]\n");

		assert_string_equal(
		        symbol_map_name(map, "___hidden#0_", &f->arena),
		        "__Z4openv");
		assert_string_equal(
		        symbol_map_name(map, "__hidden#0_", &f->arena),
		        "_Z4openv");
		assert_string_equal(
		        symbol_map_name(map, "___hidden#1_", &f->arena),
		        "-[Secret run]");
	}
}

static void each_part_of_a_path_may_be_hidden(void **state)
{
	static const struct {
		const char *in;
		const char *out;
	} cases[] = {
		{ "__hidden#0_/__hidden#1_", "/Users/me/Demo/feed.cpp" },
		{ "/a/__hidden#0_/x.c", "/Users/me/Demo/x.c" },
		{ "__hidden#2_", "src/deep.c" },
		{ "/a/__hidden#2_", "/a/src/deep.c" },
		{ "/plain/x.c", "/plain/x.c" },
		{ "__hidden#1_.gone", "__hidden#1_.gone" },
		{ "__hidden#7_/x.c", "__hidden#7_/x.c" },
		{ "/__hidden#1_/", "/feed.cpp" },
	};
	struct test_directory *f = *state;
	SCOPED(drop_map)
	struct symbol_map *map = open_map("BCSymbolMap Version: 2.0\n"
	                                  "/Users/me/Demo\n"
	                                  "feed.cpp\n"
	                                  "src/deep.c\n");

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(
		        symbol_map_path(map, cases[i].in, &f->arena),
		        cases[i].out);
}

static void names_do_not_grow_without_bound(void **state)
{
	struct test_directory *f = *state;
	SCOPED(str_release) struct str text = { 0 };
	SCOPED(str_release) struct str name = { 0 };
	struct symbol_map *map;

	str_add(&text, "BCSymbolMap Version: 2.0\n");
	str_add_repeat(&text, 'x', 60000);
	str_add(&text, "\n");
	str_add_repeat(&text, 'y', 70000);
	map = open_map(str_cstr(&text));
	for (int i = 0; i < 1000; i++)
		str_add(&name, "__hidden#0_");
	assert_ptr_equal(symbol_map_name(map, str_cstr(&name), &f->arena),
	                 str_cstr(&name));
	assert_string_equal(symbol_map_name(map, "__hidden#1_", &f->arena),
	                    "__hidden#1_");
	assert_true(f->arena.total_bytes < 1000000);
	symbol_map_close(map);
}

/** 64 KiB of a name are as much as there may be. */
static void a_name_has_a_limit(void **state)
{
	struct test_directory *f = *state;

	for (size_t size = 65535; size <= 65537; size++) {
		SCOPED(str_release) struct str text = { 0 };
		struct symbol_map *map;
		const char *name;

		str_add(&text, "BCSymbolMap Version: 2.0\n");
		str_add_repeat(&text, 'x', size);
		str_add(&text, "\n");
		map = open_map(str_cstr(&text));
		name = symbol_map_name(map, "__hidden#0_", &f->arena);
		assert_int_equal(strlen(name), size <= 65536 ? size : 11);
		name = symbol_map_name(map, "a__hidden#0_", &f->arena);
		assert_int_equal(strlen(name), size < 65536 ? size + 1 : 12);
		symbol_map_close(map);
	}
}

static void other_versions_are_refused(void **state UNUSED)
{
	SCOPED(error_drop) struct error *err = NULL;
	SCOPED(error_drop) struct error *early = NULL;
	struct symbol_map *map = NULL;
	static const char text[] = "BCSymbolMap Version: 3.0\nx\n";

	test_file_write_text("map", text);
	err = symbol_map_open("map", &map);
	assert_string_equal(error_message(err), "BCSymbolMap version '3.0'");
	early = symbol_map_check(bytes_from_text(text_from(text)), 27);
	assert_string_equal(error_message(early), "BCSymbolMap version '3.0'");
	assert_null(map);
}

static void of_two_maps_the_one_that_was_found_first_counts(void **state)
{
	struct test_directory *f = *state;
	struct symbol_maps *maps = symbol_maps_new();
	struct uuid uuid;

	assert_true(uuid_parse(text_from(UUID_A), &uuid));
	test_file_write_text("z", "BCSymbolMap Version: 2.0\nfirst\n");
	test_file_write_text("a", "BCSymbolMap Version: 2.0\nsecond\n");
	symbol_maps_add(maps, &uuid, "z");
	symbol_maps_add(maps, &uuid, "a");
	assert_string_equal(
	        symbol_map_name(symbol_maps_find(maps, &uuid, "x.dSYM/x"),
	                        "__hidden#0_", &f->arena),
	        "first");
	symbol_maps_free(maps);
}

static void an_index_finds_maps_by_the_uuid_in_their_name(void **state UNUSED)
{
	struct uuid_index *index = uuid_index_new();
	const struct uuid_problem *problems;
	struct uuid a, b;
	size_t count;

	assert_true(uuid_parse(text_from(UUID_A), &a));
	assert_true(uuid_parse(text_from(UUID_B), &b));
	assert_int_equal(mkdir("maps", 0777), 0);
	test_file_write_text("maps/" UUID_A ".bcsymbolmap",
	                     "BCSymbolMap Version: 2.0\n");
	test_file_write_text("maps/" UUID_B ".bcsymbolmap",
	                     "BCSymbolMap Version: 9\n");
	test_file_write_text("maps/other.bcsymbolmap",
	                     "BCSymbolMap Version: 2.0\n");
	assert_null(uuid_index_add_maps(index, "maps"));
	assert_non_null(
	        symbol_maps_find(uuid_index_maps(index), &a, "x.dSYM/x"));
	assert_null(symbol_maps_find(uuid_index_maps(index), &b, "x.dSYM/x"));
	problems = uuid_index_problems(index, &count);
	assert_int_equal(count, 1);
	assert_string_equal(problems[0].path, "maps/" UUID_B ".bcsymbolmap");
	assert_string_equal(problems[0].reason, "BCSymbolMap version '9'");
	uuid_index_free(index);
}

static void the_dsym_gives_the_uuid_it_had_at_first(void **state UNUSED)
{
	struct uuid_index *index = uuid_index_new();
	struct uuid b;

	assert_true(uuid_parse(text_from(UUID_B), &b));
	assert_int_equal(mkdir("D.dSYM", 0777), 0);
	assert_int_equal(mkdir("D.dSYM/Contents", 0777), 0);
	assert_int_equal(mkdir("D.dSYM/Contents/Resources", 0777), 0);
	test_file_write_text(
	        "D.dSYM/Contents/Resources/" UUID_B ".plist",
	        "<plist><dict><key>DBGOriginalUUID</key><string>" UUID_A
	        "</string></dict></plist>");
	test_file_write_text(UUID_A ".bcsymbolmap",
	                     "BCSymbolMap Version: 2.0\nx\n");
	assert_null(uuid_index_add_maps(index, UUID_A ".bcsymbolmap"));
	assert_non_null(symbol_maps_find(uuid_index_maps(index), &b,
	                                 "D.dSYM/Contents/Resources/DWARF/D"));
	assert_null(symbol_maps_find(uuid_index_maps(index), &b, "other/D"));
	uuid_index_free(index);
}

#define TEST(name)                                                  \
	cmocka_unit_test_setup_teardown(name, test_directory_setup, \
	                                test_directory_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(hidden_names_are_lines_of_the_map),
		TEST(version_1_omits_the_underscore_of_the_symbol_table),
		TEST(each_part_of_a_path_may_be_hidden),
		TEST(names_do_not_grow_without_bound),
		TEST(a_name_has_a_limit),
		TEST(other_versions_are_refused),
		TEST(of_two_maps_the_one_that_was_found_first_counts),
		TEST(an_index_finds_maps_by_the_uuid_in_their_name),
		TEST(the_dsym_gives_the_uuid_it_had_at_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/index/store_layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void paths_are_those_of_the_layouts(void **state UNUSED)
{
	static const char *const expected[] = {
		"s/4c/4c44bd55553144a18b1d7a14acc538/debuginfo",
		"s/4c/4c44bd55553144a18b1d7a14acc538/executable",
		"s/4C4C/44BD/5555/3144/A18B/1D7A14ACC538",
		"s/_.dwarf/mach-uuid-sym-4c4c44bd55553144a18b1d7a14acc538/"
		"_.dwarf",
		"s/4c/4c44bd55553144a18b1d7a14acc538/bcsymbolmap",
		"s/4c/4c44bd55553144a18b1d7a14acc538/uuidmap",
		"s/4c/4c44bd55553144a18b1d7a14acc538",
	};
	SCOPED(str_release) struct str path = { 0 };
	struct uuid uuid;

	assert_true(uuid_parse(
	        text_from("4C4C44BD-5555-3144-A18B-1D7A14ACC538"), &uuid));
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		store_layout_add("s", &uuid, (enum store_file)i, &path);
		assert_string_equal(str_cstr(&path), expected[i]);
		str_clear(&path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_those_of_the_layouts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

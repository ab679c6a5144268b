// SPDX-License-Identifier: MIT
#include "lib/base/limit.h"
#include "lib/symbols/demangle/known_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void a_name_is_new_once(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	char text[] = "_Z3foov";
	struct known_names names = { 0 };
	struct known_name *known =
	        known_names_add(&names, text_from(text), &arena);

	(void)state;
	assert_null(known->name);
	known->name = "foo()";
	// It is a copy, and found by what it says.
	text[2] = '4';
	assert_null(known_names_add(&names, text_from(text), &arena)->name);
	known = known_names_add(&names, text_from("_Z3foov"), &arena);
	assert_string_equal(known->mangled, "_Z3foov");
	assert_string_equal(known->name, "foo()");
	assert_int_equal(names.count, 2);
	known_names_release(&names);
}

static void a_long_name_is_shown_in_part(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	struct known_names names = { 0 };
	char text[LIMIT_DEFAULT_NAME + 2];
	const struct known_name *known;

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	memcpy(text, "_Z", 2);
	text[LIMIT_DEFAULT_NAME + 1] = '\0';
	known = known_names_add(&names, text_from(text), &arena);
	assert_string_equal(known->mangled, text);
	assert_int_equal(strlen(known->shown_mangled), LIMIT_DEFAULT_NAME);
	assert_true(text_ends(text_from(known->shown_mangled), "a…"));
	text[LIMIT_DEFAULT_NAME] = '\0';
	known = known_names_add(&names, text_from(text), &arena);
	assert_ptr_equal(known->shown_mangled, known->mangled);
	known_names_release(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_new_once),
		cmocka_unit_test(a_long_name_is_shown_in_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

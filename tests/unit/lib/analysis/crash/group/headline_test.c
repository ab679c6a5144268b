// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/group/headline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct headline_case {
	const char *signature;
	const char *file;
	uint32_t line;
	const char *expected;
};

static void check(const struct headline_case *test)
{
	SCOPED(str_release) struct str out = { 0 };

	str_add(&out, "> ");
	crash_headline_add(&out, test->signature, test->file, test->line);
	assert_string_equal(str_cstr(&out), test->expected);
}

static void a_headline_has_what_was_raised_and_the_first_call(
        void **state UNUSED)
{
	static const struct headline_case cases[] = {
		{ "EXC_CRASH | a::b | main", "/src/Demo/b.cpp", 33,
		  "> EXC_CRASH in a::b (b.cpp:33)" },
		{ "EXC_CRASH | a::b", "b.cpp", 33,
		  "> EXC_CRASH in a::b (b.cpp:33)" },
		{ "EXC_CRASH | a::b | main", "/src/b.cpp", 0,
		  "> EXC_CRASH in a::b (b.cpp)" },
		{ "EXC_CRASH | a::b | main", NULL, 0, "> EXC_CRASH in a::b" },
		// A line of no file says nothing.
		{ "EXC_CRASH | a::b | main", NULL, 33, "> EXC_CRASH in a::b" },
		// `|` alone is of a name.
		{ "EXC_CRASH | a::operator|(int) | main", NULL, 0,
		  "> EXC_CRASH in a::operator|(int)" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(&cases[i]);
}

static void another_key_stays_as_it_is(void **state UNUSED)
{
	static const struct headline_case cases[] = {
		{ "per-process-limit", NULL, 0, "> per-process-limit" },
		{ "", NULL, 0, "> " },
		{ "hang", "/src/b.cpp", 3, "> hang (b.cpp:3)" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check(&cases[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		        a_headline_has_what_was_raised_and_the_first_call),
		cmocka_unit_test(another_key_stays_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

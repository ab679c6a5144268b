// SPDX-License-Identifier: MIT
#include "parsers/text/bracket.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_text(const char *found, const char *expected)
{
	if (expected)
		assert_string_equal(found, expected);
	else
		assert_null(found);
}

static void a_system_is_spelled_in_one_way(void **state UNUSED)
{
	static const struct {
		const char *value;
		const char *os;
		const char *build;
	} cases[] = {
		{ "iPhone OS 16.0 (Build 20A362)", "iPhone OS 16.0 (20A362)",
		  "20A362" },
		{ "iPhone OS 16.0 (20A362) ", "iPhone OS 16.0 (20A362)",
		  "20A362" },
		{ "iOS 16.0", "iOS 16.0", NULL },
		{ "(Build ", "(Build", NULL },
		{ "(Build )", "()", NULL },
		{ "()", "()", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = report_new(&arena);

		text_bracket_os_version(text_from(cases[i].value), report,
		                        &arena);
		assert_text(report->os_version, cases[i].os);
		assert_text(report->os_build, cases[i].build);
	}
}

static void a_version_and_its_build_are_two_facts(void **state UNUSED)
{
	static const struct {
		const char *value;
		const char *version;
		const char *build;
	} cases[] = {
		{ "2.1 (210)", "2.1", "210" },    { "2.1", "2.1", NULL },
		{ "??? (2.1)", "???", "2.1" },    { "(210)", "(210)", NULL },
		{ "2.1 (210", "2.1 (210", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };
		struct report *report = report_new(&arena);

		text_bracket_version(text_from(cases[i].value), report, &arena);
		assert_text(report->version, cases[i].version);
		assert_text(report->build, cases[i].build);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_system_is_spelled_in_one_way),
		cmocka_unit_test(a_version_and_its_build_are_two_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/parsers/parsed.h"

#include "parsers/input/placeholder.h"
#include "tests/unit/read_reports.h"

static void question_marks_are_no_facts(void **state UNUSED)
{
	struct report report = {
		.process = { .name = "Demo" },
		.version = "\?\?\?",
		.build = "2.1",
		.os_version = "\?\?\? \?\?\? (Build \?\?\?)",
		.parent = { .name = "\?\?\? (\?\?\?)",
		            .pid = 1,
		            .has_pid = true },
		.reporter_key = "TODO",
	};

	placeholder_drop(&report);
	assert_string_equal(report.process.name, "Demo");
	assert_string_equal(report.version, "2.1");
	assert_null(report.build);
	assert_null(report.os_version);
	assert_null(report.parent.name);
	assert_true(report.parent.has_pid);
	assert_null(report.reporter_key);
}

static void what_only_holds_them_stays(void **state UNUSED)
{
	struct report report = {
		.process = { .name = "What\?\?\?" },
		.path = "/x/\?\?\?/y",
		.version = "",
		.role = "Build",
		.identifier = "\?\?\?\?",
	};

	placeholder_drop(&report);
	assert_string_equal(report.process.name, "What\?\?\?");
	assert_string_equal(report.path, "/x/\?\?\?/y");
	assert_string_equal(report.version, "");
	assert_string_equal(report.role, "Build");
	assert_string_equal(report.identifier, "\?\?\?\?");
}

static void a_build_alone_stays_a_build(void **state UNUSED)
{
	struct report report = { .build = "210" };

	placeholder_drop(&report);
	assert_null(report.version);
	assert_string_equal(report.build, "210");
}

static void every_report_of_an_input_is_read_so(void **state UNUSED)
{
	static const char text[] = "Process:         Demo [612]\n"
	                           "Version:         \?\?\? (\?\?\?)\n"
	                           "Parent Process:  \?\?\? [1]\n"
	                           "Exception Type:  EXC_CRASH (SIGABRT)\n"
	                           "\n"
	                           "Thread 0 Crashed:\n"
	                           "0   Demo  0x1000 main + 4\n";
	SCOPED(arena_release) struct arena arena = { 0 };
	struct report *report = NULL;
	struct error *err =
	        read_reports((struct bytes){ .data = (const uint8_t *)text,
	                                     .size = sizeof(text) - 1 },
	                     &arena, &report);

	assert_null(err);
	assert_null(report->version);
	assert_null(report->build);
	assert_null(report->parent.name);
	// What is printed is as it was.
	assert_string_equal(field(report, "Version"), "\?\?\? (\?\?\?)");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(question_marks_are_no_facts),
		cmocka_unit_test(what_only_holds_them_stays),
		cmocka_unit_test(a_build_alone_stays_a_build),
		cmocka_unit_test(every_report_of_an_input_is_read_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

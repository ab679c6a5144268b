// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/explain/summary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void add(struct explain_summary *summary, const char *cause,
                const char *input, const char *origin)
{
	struct report report = { .input = input, .origin = origin };
	struct explanation explanation = { .report = &report, .cause = cause };

	explain_summary_add(summary, &explanation);
}

static void assert_row(const struct table *table, size_t row, const char *cause,
                       uint64_t count, const char *example)
{
	assert_string_equal(table_cell(table, row, 0)->text, cause);
	assert_int_equal(table_cell(table, row, 1)->number, count);
	assert_string_equal(table_cell(table, row, 2)->text, example);
}

static void test_most_frequent_first(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(explain_summary_release) struct explain_summary summary = { 0 };
	const struct table *table;

	(void)state;
	add(&summary, "watchdog", "a.ips", NULL);
	add(&summary, "trap", "b.json", "report 2 (line 7)");
	add(&summary, "abort", NULL, NULL);
	add(&summary, "trap", "c.ips", NULL);
	table = explain_summary_table(&summary, &arena);
	assert_string_equal(table->summary, "4 reports, 3 causes");
	assert_int_equal(table->row_count, 3);
	assert_row(table, 0, "trap", 2, "b.json: report 2 (line 7)");
	assert_row(table, 1, "abort", 1, "-");
	assert_row(table, 2, "watchdog", 1, "a.ips");
}

static void test_no_report(void **state)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(explain_summary_release) struct explain_summary summary = { 0 };
	const struct table *table;

	(void)state;
	table = explain_summary_table(&summary, &arena);
	assert_string_equal(table->summary, "0 reports, 0 causes");
	assert_int_equal(table->row_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_most_frequent_first),
		cmocka_unit_test(test_no_report),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "lib/base/timestamp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void dates_of_reports_are_milliseconds(void **state UNUSED)
{
	static const struct {
		const char *text;
		int64_t ms;
	} cases[] = {
		{ "1970-01-01 00:00:00 +0000", 0 },
		{ "1970-01-01T00:00:00Z", 0 },
		{ "2026-01-31 09:08:07.00 +0800", 1769821687000 },
		{ "2020-10-15 17:29:58.79 +0100", 1602779398790 },
		{ "2019-08-05 17:06:39.7891 -0500", 1565042799789 },
		{ "2024-02-29 23:59:59 +00:00", 1709251199000 },
		{ "2000-03-01 00:00:00 -0030", 951870600000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int64_t ms = -1;

		assert_true(timestamp_parse(text_from(cases[i].text), &ms));
		assert_int_equal(ms, cases[i].ms);
	}
}

static void what_is_no_date_is_refused(void **state UNUSED)
{
	static const char *const cases[] = {
		"",
		"yesterday",
		"2026-01-31",
		"2026-01-31 09:08:07", // no zone: unknown, not UTC
		"2026-13-31 09:08:07 +0000",
		"2026-00-31 09:08:07 +0000",
		"2026-01-32 09:08:07 +0000",
		"2026-01-31 24:08:07 +0000",
		"2026-01-31 09:08:07 +9900",
		"2026-01-31 09:08:07 +0000 x",
		"1969-12-31 23:59:59 +0000",
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int64_t ms = 7;

		assert_false(timestamp_parse(text_from(cases[i]), &ms));
		assert_int_equal(ms, 7);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dates_of_reports_are_milliseconds),
		cmocka_unit_test(what_is_no_date_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

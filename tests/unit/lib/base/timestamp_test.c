// SPDX-License-Identifier: MIT
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
		{ "2019-09-04 1:01:53.560 a +0900", 1567526513560 },
		{ "Sat Jan 31 2026 09:08:07 GMT+0800 (China Standard Time)",
		  1769821687000 },
		{ "Thu Feb 29 2024 23:59:59 GMT+0000", 1709251199000 },
		{ "2019-09-04 1:01:53.560 PM +0900", 1567569713560 },
		{ "2019-09-04 12:01:53.560 AM +0900", 1567522913560 },
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
		"2026-01-31 13:08:07 pm +0000",
		"2026-01-31 0:08:07 am +0000",
		"2026-01-31 1:08:07 al +0000",
		"2026-01-31 00:60:00 +0000",
		"1969-12-31 23:59:59 +0000",
		"Sat Jan 31 2026 09:08:07",
		"Sat Jam 31 2026 09:08:07 GMT+0800",
		"Sat Jan 32 2026 09:08:07 GMT+0800",
		"Sat Jan 31 2026 09:08:07 GMT+0800 x",
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int64_t ms = 7;

		assert_false(timestamp_parse(text_from(cases[i]), &ms));
		assert_int_equal(ms, 7);
	}
}

static void iso_8601_keeps_the_zone(void **state UNUSED)
{
	static const struct {
		const char *text;
		const char *iso;
	} cases[] = {
		{ "1970-01-01T00:00:00Z", "1970-01-01T00:00:00+00:00" },
		{ "2026-01-31 09:08:07.00 +0800",
		  "2026-01-31T09:08:07.000+08:00" },
		{ "2019-08-05 17:06:39.7891 -0530",
		  "2019-08-05T17:06:39.789-05:30" },
		{ "2019-09-04 12:01:53.5 p +0900",
		  "2019-09-04T12:01:53.500+09:00" },
		{ "2026-01-31 09:08:07", "" }, // no zone
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str iso = { 0 };
		bool is_date =
		        timestamp_add_iso(text_from(cases[i].text), &iso);

		assert_string_equal(str_cstr(&iso), cases[i].iso);
		assert_int_equal(is_date, cases[i].iso[0] != '\0');
	}
}

static void seconds_and_dates_are_turned_into_each_other(void **state)
{
	static const struct {
		int64_t year, month, day;
		int64_t seconds;
		const char *text;
	} cases[] = {
		{ 1, 1, 1, -62135596800, "0001-01-01T00:00:00" },
		{ 1969, 12, 31, -86400, "1969-12-31T00:00:00" },
		{ 2000, 2, 29, 951782400, "2000-02-29T00:00:00" },
		{ 2001, 1, 1, 978307200, "2001-01-01T00:00:00" },
		{ 2100, 3, 1, 4107542400, "2100-03-01T00:00:00" },
		{ 9999, 12, 31, 253402214400, "9999-12-31T00:00:00" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(timestamp_of_day(cases[i].year, cases[i].month,
		                                  cases[i].day),
		                 cases[i].seconds);
		assert_string_equal(timestamp_utc(cases[i].seconds, 'T').text,
		                    cases[i].text);
	}
	assert_string_equal(timestamp_utc(253402300799, ' ').text,
	                    "9999-12-31 23:59:59");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dates_of_reports_are_milliseconds),
		cmocka_unit_test(what_is_no_date_is_refused),
		cmocka_unit_test(iso_8601_keeps_the_zone),
		cmocka_unit_test(seconds_and_dates_are_turned_into_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/base/limit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_refused(const char *assignment, const char *message)
{
	SCOPED(error_drop)
	struct error *err = limit_set_text(text_from(assignment));

	assert_non_null(err);
	assert_int_equal(error_code(err), ERROR_USAGE);
	assert_string_equal(error_message(err), message);
}

static void all_are_at_their_defaults_and_in_range(void **state UNUSED)
{
	for (size_t i = 0; i < LIMITS; i++) {
		const struct limit_row *row = &limit_rows[i];

		assert_int_equal(limit_get((enum limit_id)i), row->usual);
		assert_false(limit_is_changed((enum limit_id)i));
		assert_true(row->min < row->usual);
		assert_true(row->usual <= row->max);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(row->name, limit_rows[j].name);
	}
}

static void values_are_counts_or_sizes(void **state UNUSED)
{
	static const struct {
		const char *assignment;
		enum limit_id id;
		size_t value;
	} cases[] = {
		{ "threads=5", LIMIT_THREADS, 5 },
		{ "threads=20,000", LIMIT_THREADS, 20000 },
		{ "threads=1,000,000", LIMIT_THREADS, 1000000 },
		{ "report=100MB", LIMIT_REPORT, 100 << 20 },
		{ "report=1.5 MB", LIMIT_REPORT, 3 << 19 },
		{ "report=2k", LIMIT_REPORT, 2048 },
		{ "report=4097", LIMIT_REPORT, 4097 },
		{ "report=1 GB", LIMIT_REPORT, 1 << 30 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		enum limit_id id = cases[i].id;

		assert_null(limit_set_text(text_from(cases[i].assignment)));
		assert_int_equal(limit_get(id), cases[i].value);
		assert_true(limit_is_changed(id));
		limit_set(id, limit_rows[id].usual);
	}
}

static void what_is_wrong_is_said(void **state UNUSED)
{
	assert_refused("threads", "expected <name>=<value>, found 'threads'");
	assert_refused("thread=5", "unknown limit 'thread'; did you mean "
	                           "'threads'?");
	assert_refused("=5", "expected <name>=<value>, found '=5'");
	assert_refused("nothing-like-it=5",
	               "unknown limit 'nothing-like-it'; 'apmtool doctor' "
	               "lists them");
	assert_refused("report=2GB", "limit 'report': expected a size from "
	                             "1 kB to 1 GB, found '2GB'");
	assert_refused("report=1023", "limit 'report': expected a size from "
	                              "1 kB to 1 GB, found '1023'");
	assert_refused("json-depth=257",
	               "limit 'json-depth': expected a number from 16 to 256, "
	               "found '257'");
	assert_int_equal(limit_get(LIMIT_REPORT), LIMIT_DEFAULT_REPORT);
}

static void only_groups_of_three_have_commas(void **state UNUSED)
{
	static const char *const values[] = {
		"",       "0",      ",500",  "5,00", "5,0000", "1000,000",
		"1,,000", "1,000,", "1 000", "10kB", "0x10",   "-1",
	};

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		size_t value = 42;

		if (limit_read(LIMIT_THREADS, text_from(values[i]), &value))
			fail_msg("'%s' is %zu", values[i], value);
		assert_int_equal(value, 42);
	}
}

static void messages_name_the_option_that_helps(void **state UNUSED)
{
	SCOPED(error_drop)
	struct error *err = limit_error(LIMIT_REPORT, "more than %d MB", 64);
	SCOPED(error_drop) struct error *highest = NULL;

	assert_int_equal(error_code(err), ERROR_LIMIT);
	assert_string_equal(error_message(err),
	                    "more than 64 MB (--limit report=SIZE raises it)");
	assert_string_equal(limit_hint(LIMIT_THREADS),
	                    " (--limit threads=COUNT raises it)");
	// Nothing helps where the limit is the highest.
	limit_set(LIMIT_REPORT, LIMIT_MOST_REPORT);
	highest = limit_error(LIMIT_REPORT, "more than 1 GB");
	limit_set(LIMIT_REPORT, LIMIT_DEFAULT_REPORT);
	assert_string_equal(error_message(highest), "more than 1 GB");
	assert_string_equal(limit_hint(LIMIT_JSON_DEPTH), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_at_their_defaults_and_in_range),
		cmocka_unit_test(values_are_counts_or_sizes),
		cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(only_groups_of_three_have_commas),
		cmocka_unit_test(messages_name_the_option_that_helps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

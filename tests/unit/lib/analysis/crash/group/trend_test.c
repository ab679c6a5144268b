// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/group/trend.h"

#include "lib/base/timestamp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static int64_t ms_of(const char *date)
{
	int64_t ms = 0;

	if (!timestamp_parse(text_from(date), &ms))
		fail_msg("no date: %s", date);
	return ms;
}

static void add(struct trend *trend, const char *date)
{
	trend_add(trend, ms_of(date));
}

static void expect_words(const struct trend *trend, const char *expected)
{
	SCOPED(str_release) struct str words = { 0 };

	trend_add_words(trend, trend->counts, &words);
	assert_string_equal(str_cstr(&words), expected);
}

static uint64_t sum(const struct trend *trend)
{
	uint64_t all = 0;

	for (size_t i = 0; i < trend->count; i++)
		all += trend->counts[i];
	return all;
}

static void a_day_is_shown_by_the_hour(void **state UNUSED)
{
	struct trend trend = { 0 };

	add(&trend, "2026-01-31 09:59:59 +0000");
	add(&trend, "2026-01-31 11:00:00 +0000");
	add(&trend, "2026-01-31 09:00:00 +0000");
	expect_words(&trend, "2026-01-31 09:00 to 2026-01-31 11:00, per hour: "
	                     "2, 0, 1");
}

static void what_comes_earlier_finds_room(void **state UNUSED)
{
	struct trend trend = { 0 };

	add(&trend, "2026-01-31 11:00:00 +0000");
	add(&trend, "2026-01-31 09:00:00 +0000");
	add(&trend, "2026-01-31 08:00:00 +0000");
	expect_words(&trend, "2026-01-31 08:00 to 2026-01-31 11:00, per hour: "
	                     "1, 1, 0, 1");
}

static void long_times_have_longer_slots(void **state UNUSED)
{
	struct trend trend = { 0 };

	add(&trend, "2026-01-01 12:00:00 +0000");
	add(&trend, "2026-01-04 23:00:00 +0000");
	add(&trend, "2026-01-31 01:00:00 +0000");
	assert_int_equal(trend.count, 31);
	assert_int_equal(trend.counts[0], 1);
	assert_int_equal(trend.counts[3], 1);
	assert_int_equal(trend.counts[30], 1);
	add(&trend, "2026-03-01 01:00:00 +0000");
	assert_int_equal(sum(&trend), 4);
	assert_true(trend.count <= TREND_SLOTS);
}

static void any_two_dates_fit(void **state UNUSED)
{
	struct trend trend = { 0 };

	trend_add(&trend, 0);
	trend_add(&trend, INT64_MAX / 2);
	trend_add(&trend, -INT64_MAX / 2);
	assert_int_equal(sum(&trend), 3);
	assert_true(trend.count <= TREND_SLOTS);
}

/** Two groups in one table have slots of the same length and beginning. */
static void two_trends_have_the_slots_of_their_sum(void **state UNUSED)
{
	struct trend one = { 0 }, other = { 0 }, whole = { 0 };
	uint32_t counts[TREND_SLOTS];

	add(&one, "2026-01-02 03:00:00 +0000");
	add(&one, "2026-01-02 04:00:00 +0000");
	add(&other, "2026-01-01 00:00:00 +0000");
	add(&other, "2026-01-20 00:00:00 +0000");
	trend_join(&whole, &one);
	trend_join(&whole, &other);
	assert_int_equal(sum(&whole), 4);
	trend_spread(&one, &whole, counts);
	assert_int_equal(whole.count, 20);
	assert_int_equal(counts[1], 2);
	assert_int_equal(counts[0], 0);
	trend_spread(&other, &whole, counts);
	assert_int_equal(counts[0], 1);
	assert_int_equal(counts[19], 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_day_is_shown_by_the_hour),
		cmocka_unit_test(what_comes_earlier_finds_room),
		cmocka_unit_test(long_times_have_longer_slots),
		cmocka_unit_test(any_two_dates_fit),
		cmocka_unit_test(two_trends_have_the_slots_of_their_sum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

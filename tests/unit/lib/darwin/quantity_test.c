// SPDX-License-Identifier: MIT
#include "lib/darwin/quantity.h"

#include "lib/base/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define NBSP   "\xc2\xa0"
#define NNBSP  "\xe2\x80\xaf"
#define RLM    "\xe2\x80\x8f"
#define UNREAD UINT64_MAX

struct quantity_case {
	const char *text;
	enum quantity_kind kind;
	const char *region;
	uint64_t value;
};

static void check(const struct quantity_case *c, unsigned marks)
{
	struct quantity_writer writer = { .region = c->region, .marks = marks };
	uint64_t value = UNREAD;
	bool found =
	        quantity_read(text_from(c->text), c->kind, &writer, &value);

	assert_int_equal(found, value != UNREAD);
	if (value != c->value)
		fail_msg("'%s': %llu, expected %llu", c->text,
		         (unsigned long long)value,
		         (unsigned long long)c->value);
}

static void names_of_many_languages_are_read(void **state)
{
	static const struct quantity_case cases[] = {
		{ "20 sec", QUANTITY_DURATION, NULL, 20000000 },
		{ "20 secs.", QUANTITY_DURATION, NULL, 20000000 },
		{ "5.4 sec.", QUANTITY_DURATION, NULL, 5400000 },
		{ "20秒", QUANTITY_DURATION, NULL, 20000000 },
		{ "1,530毫秒", QUANTITY_DURATION, NULL, 1530000 },
		{ "1,534毫秒", QUANTITY_DURATION, NULL, 1534000 },
		{ "2 分钟", QUANTITY_DURATION, NULL, 120000000 },
		{ "1,53 Sek.", QUANTITY_DURATION, NULL, 1530000 },
		{ "1.530,5 ms", QUANTITY_DURATION, NULL, 1530500 },
		{ "5,4 s", QUANTITY_DURATION, NULL, 5400000 },
		{ "5,4" NBSP "s", QUANTITY_DURATION, NULL, 5400000 },
		{ "5,4" NNBSP "s", QUANTITY_DURATION, NULL, 5400000 },
		{ "5,4 сек.", QUANTITY_DURATION, NULL, 5400000 },
		{ "5,4 сек", QUANTITY_DURATION, NULL, 5400000 },
		{ "20초", QUANTITY_DURATION, NULL, 20000000 },
		{ "20 seg", QUANTITY_DURATION, NULL, 20000000 },
		{ "1 234,5 мс", QUANTITY_DURATION, NULL, 1234500 },
		{ "1’234.5 ms", QUANTITY_DURATION, NULL, 1234500 },
		{ "12,34,567 ms", QUANTITY_DURATION, NULL, 1234567000 },
		{ "٢٠ ث", QUANTITY_DURATION, NULL, 20000000 },
		{ "١٬٢٣٤٫٥ ملي ث", QUANTITY_DURATION, NULL, 1234500 },
		{ "۵٫۴ ثانیه", QUANTITY_DURATION, NULL, 5400000 },
		{ "२.५ से॰", QUANTITY_DURATION, NULL, 2500000 },
		{ "sekunde 20", QUANTITY_DURATION, NULL, 20000000 },
		{ "ثانيتان", QUANTITY_DURATION, NULL, 2000000 },
		{ "200 000 ko", QUANTITY_SIZE, NULL, 200000000 },
		{ "200,000 kB", QUANTITY_SIZE, NULL, 200000000 },
		{ "1.2 GB", QUANTITY_SIZE, NULL, 1200000000 },
		{ "MB" RLM "1.5", QUANTITY_SIZE, "IL", 1500000 },
		{ "2000 byte", QUANTITY_SIZE, NULL, 2000 },
		{ "50 apl", QUANTITY_LUMINANCE, NULL, 50000 },
		{ "1.2 ms per s", QUANTITY_RATE, NULL, 1200 },
		{ "1 bars", QUANTITY_BARS, NULL, 1000 },
		{ "80 %", QUANTITY_PERCENT, NULL, 80000 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(&cases[i], 0);
}

static void what_is_unclear_is_not_guessed(void **state)
{
	static const struct quantity_case cases[] = {
		{ "1,234 ms", QUANTITY_DURATION, NULL, UNREAD },
		{ "1.234 ms", QUANTITY_DURATION, NULL, UNREAD },
		{ "1,234 ms", QUANTITY_DURATION, "CA", UNREAD },
		{ "4.200 s", QUANTITY_DURATION, NULL, UNREAD },
		{ "1,234 ms", QUANTITY_DURATION, "US", 1234000 },
		{ "1,234 ms", QUANTITY_DURATION, "DE", 1234 },
		{ "1.234 ms", QUANTITY_DURATION, "DE", 1234000 },
		{ "1,530 ms", QUANTITY_DURATION, NULL, 1530000 },
		{ "0,234 ms", QUANTITY_DURATION, NULL, 234 },
		{ "1234,567 ms", QUANTITY_DURATION, NULL, 1234567 },
		{ "1,234,567 ms", QUANTITY_DURATION, NULL, 1234567000 },
		// Seconds of Malay, hours of Turkish.
		{ "2 saat", QUANTITY_DURATION, NULL, UNREAD },
		{ "2 saat", QUANTITY_DURATION, "TR", 7200000000 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(&cases[i], 0);
}

static void other_quantities_decide(void **state)
{
	struct quantity_case c = { "1,234 ms", QUANTITY_DURATION, "US", 1234 };

	(void)state;
	assert_int_equal(quantity_marks(text_from("5,4 Sek.")), QUANTITY_COMMA);
	assert_int_equal(quantity_marks(text_from("1.234.567 x")),
	                 QUANTITY_COMMA);
	assert_int_equal(quantity_marks(text_from("1,234,567 x")),
	                 QUANTITY_POINT);
	assert_int_equal(quantity_marks(text_from("1,234 x")), 0);
	assert_int_equal(quantity_marks(text_from("20 s")), 0);
	assert_int_equal(quantity_marks(text_from("")), 0);
	// They are of the same device, and say more than its region.
	check(&c, QUANTITY_COMMA);
	c.value = 1234000;
	check(&c, QUANTITY_POINT);
}

static void other_texts_are_no_quantities(void **state)
{
	static const struct quantity_case cases[] = {
		{ "", QUANTITY_DURATION, NULL, UNREAD },
		{ "20", QUANTITY_DURATION, NULL, UNREAD },
		{ "sec", QUANTITY_DURATION, NULL, UNREAD },
		{ "20 kB", QUANTITY_DURATION, NULL, UNREAD },
		{ "20 sec", QUANTITY_SIZE, NULL, UNREAD },
		{ "20 parsecs", QUANTITY_DURATION, NULL, UNREAD },
		{ "-20 sec", QUANTITY_DURATION, NULL, UNREAD },
		{ "1.2.3 sec", QUANTITY_DURATION, NULL, UNREAD },
		{ "1,23,4 sec", QUANTITY_DURATION, NULL, UNREAD },
		{ "1.234,567.8 sec", QUANTITY_DURATION, NULL, UNREAD },
		{ "1 sec 2", QUANTITY_DURATION, NULL, UNREAD },
		{ "99999999999999999999 sec", QUANTITY_DURATION, NULL, UNREAD },
		{ "20 \xff"
		  "sec",
		  QUANTITY_DURATION, NULL, UNREAD },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(&cases[i], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_many_languages_are_read),
		cmocka_unit_test(what_is_unclear_is_not_guessed),
		cmocka_unit_test(other_quantities_decide),
		cmocka_unit_test(other_texts_are_no_quantities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

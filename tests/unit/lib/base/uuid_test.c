// SPDX-License-Identifier: MIT
#include "lib/base/uuid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define CANONICAL "00112233-4455-6677-8899-AABBCCDDEEFF"

static void every_spelling_is_read(void **state UNUSED)
{
	static const char *const spellings[] = {
		CANONICAL,
		"00112233-4455-6677-8899-aabbccddeeff",
		"00112233445566778899aabbccddeeff",
		"<00112233445566778899AaBbCcDdEeFf>",
		"{00112233-4455-6677-8899-AABBCCDDEEFF}",
		" 0011 2233 4455 6677 8899 aabb ccdd eeff\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(spellings); i++) {
		struct uuid uuid;
		char text[UUID_TEXT_SIZE];

		assert_true(uuid_parse(text_from(spellings[i]), &uuid));
		assert_string_equal(uuid_format(&uuid, text), CANONICAL);
	}
}

static void what_is_not_32_digits_is_refused(void **state UNUSED)
{
	static const char *const cases[] = {
		"",
		"-",
		"00112233445566778899aabbccddeef",
		"00112233445566778899aabbccddeeff0",
		"00112233445566778899aabbccddeefg",
		"0x112233445566778899aabbccddeeff",
		"00112233_4455_6677_8899_aabbccddeeff",
	};
	struct text nul = { .data = "00112233445566778899aabbccddeeff",
		            .size = 33 };
	struct uuid uuid = { .bytes = { 7 } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_false(uuid_parse(text_from(cases[i]), &uuid));
	assert_false(uuid_parse(nul, &uuid));
	assert_int_equal(uuid.bytes[0], 7);
}

static void the_three_formats_are_printed(void **state UNUSED)
{
	struct uuid uuid;
	char text[UUID_TEXT_SIZE];

	assert_true(uuid_parse(text_from(CANONICAL), &uuid));
	assert_string_equal(uuid_format_lower(&uuid, text),
	                    "00112233-4455-6677-8899-aabbccddeeff");
	assert_string_equal(uuid_format_compact(&uuid, text),
	                    "00112233445566778899aabbccddeeff");
}

static void order_is_that_of_the_bytes(void **state UNUSED)
{
	struct uuid low = { .bytes = { 0x7f } };
	struct uuid high = { .bytes = { 0x80 } };
	struct uuid zero = { 0 };

	assert_true(uuid_compare(&low, &high) < 0);
	assert_true(uuid_compare(&high, &low) > 0);
	assert_true(uuid_equal(&low, &low));
	assert_false(uuid_equal(&low, &high));
	assert_true(uuid_is_zero(&zero));
	assert_false(uuid_is_zero(&low));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_spelling_is_read),
		cmocka_unit_test(what_is_not_32_digits_is_refused),
		cmocka_unit_test(the_three_formats_are_printed),
		cmocka_unit_test(order_is_that_of_the_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

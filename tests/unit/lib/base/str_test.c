// SPDX-License-Identifier: MIT
#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void an_empty_string_is_a_string(void **state UNUSED)
{
	SCOPED(str_release) struct str str = { 0 };

	assert_string_equal(str_cstr(&str), "");
	assert_int_equal(str_text(&str).size, 0);
	str_clear(&str);
	str_add_bytes(&str, NULL, 0);
	str_add_text(&str, (struct text){ 0 });
	assert_string_equal(str_cstr(&str), "");
}

static void pieces_are_joined(void **state UNUSED)
{
	SCOPED(str_release) struct str str = { 0 };

	str_add(&str, "a");
	str_add_char(&str, 'b');
	str_add_repeat(&str, 'c', 3);
	str_add_repeat(&str, 'x', 0);
	str_add_text(&str, (struct text){ .data = "def", .size = 1 });
	str_addf(&str, "%03d%s", 7, "");
	assert_string_equal(str_cstr(&str), "abcccd007");
	assert_int_equal(str.size, 9);
}

static void bytes_may_hold_nul(void **state UNUSED)
{
	SCOPED(str_release) struct str str = { 0 };

	str_add_bytes(&str, "a\0b", 3);
	str_add_char(&str, '\0');
	assert_int_equal(str.size, 4);
	assert_memory_equal(str.data, "a\0b\0", 5);
}

static void it_grows_and_can_be_used_again(void **state UNUSED)
{
	SCOPED(str_release) struct str str = { 0 };
	size_t cap;

	for (int i = 0; i < 10000; i++)
		str_addf(&str, "%04d", i);
	assert_int_equal(str.size, 40000);
	assert_memory_equal(str.data + 4 * 1234, "1234", 4);
	cap = str.cap;
	str_clear(&str);
	assert_string_equal(str_cstr(&str), "");
	assert_int_equal(str.cap, cap);
	str_add(&str, "again");
	assert_string_equal(str_cstr(&str), "again");
}

static void numbers_are_written_in_decimal(void **state UNUSED)
{
	SCOPED(str_release) struct str text = { 0 };

	str_add_number(&text, 0);
	str_add_char(&text, ' ');
	str_add_number(&text, 10203);
	str_add_char(&text, ' ');
	str_add_number(&text, UINT64_MAX);
	assert_string_equal(str_cstr(&text), "0 10203 18446744073709551615");
}

static void addresses_are_aligned_and_hex_digits_padded(void **state UNUSED)
{
	SCOPED(str_release) struct str text = { 0 };

	str_add_address(&text, 0, 0);
	str_add_address(&text, 0x1a2b, 8);
	str_add_address(&text, UINT64_MAX, 18);
	str_add_address(&text, 0x10, 2);
	str_add_char(&text, ' ');
	str_add_hex(&text, 0x1f, 4);
	str_add_hex(&text, 0, 1);
	str_add_hex(&text, 0xfedcba9876543210, 1);
	assert_string_equal(str_cstr(&text), "0x0  0x1a2b0xffffffffffffffff0x10"
	                                     " 001f0fedcba9876543210");
}

static void what_is_formatted_is_whole_whatever_the_room(void **state UNUSED)
{
	for (int size = 0; size < 200; size++) {
		SCOPED(str_release) struct str text = { 0 };

		str_add(&text, "a");
		str_addf(&text, "%0*d", size + 1, 7);
		assert_int_equal(text.size, size + 2);
		assert_int_equal(strlen(str_cstr(&text)), size + 2);
		assert_int_equal(text.data[size + 1], '7');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_string_is_a_string),
		cmocka_unit_test(pieces_are_joined),
		cmocka_unit_test(bytes_may_hold_nul),
		cmocka_unit_test(it_grows_and_can_be_used_again),
		cmocka_unit_test(numbers_are_written_in_decimal),
		cmocka_unit_test(addresses_are_aligned_and_hex_digits_padded),
		cmocka_unit_test(what_is_formatted_is_whole_whatever_the_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/base/block.h"
#include "lib/base/octets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void each_byte_is_found_wherever_it_is(void **state UNUSED)
{
	for (unsigned c = 0; c < 256; c++)
		for (size_t i = 0; i < BLOCK_BYTES; i++) {
			char data[BLOCK_BYTES];

			memset(data, (char)(c + 1), sizeof(data));
			data[i] = (char)c;
			assert_int_equal(
			        block_bits(block_of(block_load(data), (char)c)),
			        1u << i);
		}
}

static void all_that_are_found_are_exact(void **state UNUSED)
{
	const block bytes = block_load("\"a\"\"b\\\"\"cdefg\"h\"");

	assert_int_equal(block_bits(block_of(bytes, '"')), 0xa0cd);
	assert_int_equal(block_first(block_bits(block_of(bytes, '\\'))), 5);
}

static void unusual_bytes_are_below_a_limit_or_no_ascii(void **state UNUSED)
{
	for (unsigned c = 0; c < 256; c++) {
		char data[BLOCK_BYTES] = { 0 };
		unsigned bits;

		data[7] = (char)c;
		bits = block_bits(block_unusual(block_load(data), 0x20));
		assert_int_equal(bits >> 7 & 1, c < 0x20 || c >= 0x80);
		bits = block_bits(block_spaces(block_load(data)));
		assert_int_equal(bits >> 7 & 1, c == ' ' || c == '\t' ||
		                                        c == '\r' || c == '\n');
	}
}

static void each_of_a_few_bytes_is_loaded(void **state UNUSED)
{
	for (size_t size = 0; size < BLOCK_BYTES; size++)
		for (size_t i = 0; i < size; i++) {
			char data[BLOCK_BYTES] = "...............";
			block bytes;

			data[i] = 'x';
			bytes = block_load_few(data, size, ' ');
			assert_true(block_bits(block_of(bytes, 'x')));
			assert_false(block_bits(block_of(bytes, ' ')));
			// Nothing behind it is.
			data[i] = '.';
			data[size] = 'x';
			bytes = block_load_few(data, size, ' ');
			assert_false(block_bits(block_of(bytes, 'x')));
		}
	assert_int_equal(block_bits(block_of(block_load_few("x", 0, ' '), ' ')),
	                 BLOCK_ALL_BITS);
}

static void a_few_bytes_are_copied_and_no_more(void **state UNUSED)
{
	const char from[] = "0123456789abcdefghijklmnopqrstuvwxyz";

	for (size_t size = 0; size < sizeof(from); size++) {
		char to[sizeof(from) + 1];

		memset(to, '.', sizeof(to));
		block_copy(to, from, size);
		assert_memory_equal(to, from, size);
		assert_int_equal(to[size], '.');
	}
}

static void hex_digits_are_those_of_printf(void **state UNUSED)
{
	const uint32_t numbers[] = { 0,          1,          0x12345678,
		                     0x9abcdef0, 0xa9f9a9af, UINT32_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		char expected[9], found[9] = { 0 };

		snprintf(expected, sizeof(expected), "%08x", numbers[i]);
		octets_store(found, octets_hex(numbers[i], 'a'));
		assert_string_equal(found, expected);
		snprintf(expected, sizeof(expected), "%08X", numbers[i]);
		octets_store(found, octets_hex(numbers[i], 'A'));
		assert_string_equal(found, expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_byte_is_found_wherever_it_is),
		cmocka_unit_test(all_that_are_found_are_exact),
		cmocka_unit_test(unusual_bytes_are_below_a_limit_or_no_ascii),
		cmocka_unit_test(each_of_a_few_bytes_is_loaded),
		cmocka_unit_test(a_few_bytes_are_copied_and_no_more),
		cmocka_unit_test(hex_digits_are_those_of_printf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void valid_characters_are_decoded(void **state UNUSED)
{
	static const struct {
		const char *bytes;
		uint32_t value;
	} cases[] = {
		{ "a", 'a' },
		{ "\x7f", 0x7f },
		{ "\xc2\x80", 0x80 },
		{ "\xdf\xbf", 0x7ff },
		{ "\xe0\xa0\x80", 0x800 },
		{ "\xed\x9f\xbf", 0xd7ff },
		{ "\xee\x80\x80", 0xe000 },
		{ "\xef\xbf\xbf", 0xffff },
		{ "\xf0\x90\x80\x80", 0x10000 },
		{ "\xf4\x8f\xbf\xbf", 0x10ffff },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint32_t value = 0;

		assert_int_equal(
		        utf8_decode(text_from(cases[i].bytes), 0, &value),
		        strlen(cases[i].bytes));
		assert_int_equal(value, cases[i].value);
	}
}

static void no_half_of_a_character_is_left(void **state UNUSED)
{
	struct text euro = text_from("a\xe2\x82\xac"
	                             "b");

	assert_int_equal(utf8_first(euro, 0).size, 0);
	assert_int_equal(utf8_first(euro, 1).size, 1);
	assert_int_equal(utf8_first(euro, 2).size, 1);
	assert_int_equal(utf8_first(euro, 3).size, 1);
	assert_int_equal(utf8_first(euro, 4).size, 4);
	assert_int_equal(utf8_first(euro, 5).size, 5);
	assert_int_equal(utf8_first(euro, 9).size, 5);
	// What is no UTF-8 may be nothing but halves.
	assert_int_equal(utf8_first(text_from("\x80\x80"), 1).size, 0);
}

static void what_is_not_utf8_is_refused(void **state UNUSED)
{
	static const char *const cases[] = {
		"\x80",
		"\xbf",
		"\xc0\x80",
		"\xc1\xbf",
		"\xc2",
		"\xc2x",
		"\xe0\x9f\xbf",
		"\xe1\x80",
		"\xed\xa0\x80",
		"\xed\xbf\xbf",
		"\xf0\x8f\xbf\xbf",
		"\xf4\x90\x80\x80",
		"\xf5\x80\x80\x80",
		"\xf8\x88\x80\x80",
		"\xfe",
		"\xff",
		"",
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint32_t value = 4711;

		assert_int_equal(utf8_decode(text_from(cases[i]), 0, &value),
		                 0);
		assert_int_equal(value, 4711);
	}
}

static void a_character_does_not_cross_the_end(void **state UNUSED)
{
	struct text cut = { .data = "\xe2\x82\xac", .size = 2 };
	uint32_t value;

	assert_int_equal(utf8_decode(cut, 0, &value), 0);
	assert_int_equal(utf8_decode(cut, 2, &value), 0);
	assert_int_equal(utf8_decode(cut, 99, &value), 0);
	assert_int_equal(utf8_decode((struct text){ 0 }, 0, &value), 0);
}

static void width_counts_columns(void **state UNUSED)
{
	assert_int_equal(utf8_width(text_from("abc")), 3);
	assert_int_equal(utf8_width(text_from("\xe2\x82\xac")), 1);
	assert_int_equal(utf8_width(text_from("\xe4\xb8\xad")), 2);
	assert_int_equal(utf8_width(text_from("\xf0\x9f\x98\x80")), 2);
	assert_int_equal(utf8_width(text_from("e\xcc\x81")), 1);
	assert_int_equal(utf8_width(text_from("\xff\xfe")), 2);
	assert_int_equal(utf8_width((struct text){ 0 }), 0);
}

static void what_acts_on_a_terminal_is_made_visible(void **state UNUSED)
{
	static const struct {
		const char *bytes;
		const char *visible;
	} cases[] = {
		{ "plain", "plain" },
		{ "a\tb", "a\tb" },
		{ "\x1b[31m", "\\x1b[31m" },
		{ "a\nb\r", "a\\x0ab\\x0d" },
		{ "\x7f\x08\x07", "\\x7f\\x08\\x07" },
		// C1: as UTF-8, and as a bare byte.
		{ "\xc2\x9b", "\\x9b" },
		{ "\x9b", "\\x9b" },
		{ "\xe2\x80\xae", "\\u{202e}" },
		{ "\xe2\x81\xa6", "\\u{2066}" },
		{ "\xe2\x80\x8e", "\\u{200e}" },
		{ "\xd8\x9c", "\\u{61c}" },
		{ "\xe2\x80\xa8", "\\u{2028}" },
		{ "\xef\xbb\xbf", "\\u{feff}" },
		{ "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" },
		{ "a\xc3", "a\\xc3" },
		{ "\xf0\x9f\x98\x80!", "\xf0\x9f\x98\x80!" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str out = { 0 };

		utf8_add_visible(&out, text_from(cases[i].bytes));
		assert_string_equal(str_cstr(&out), cases[i].visible);
	}
}

static void what_is_hidden_is_found_between_lines(void **state UNUSED)
{
	static const struct {
		const char *bytes;
		size_t at;
	} cases[] = {
		{ "", 0 },
		{ "plain\ttext\nof \xe2\x82\xac\r\nlines\n", 25 },
		{ "\n\x0b", 1 },
		{ "lone\rreturn", 4 },
		{ "at the end\r", 10 },
		{ "a long line that ends with DEL\x7f", 30 },
		{ "\xe2\x82\xac\xc2\x9b", 3 },
		{ "\xe2\x82\xac\xe2\x80\xae", 3 },
		{ "bad \xe2\x82", 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(utf8_find_hidden(text_from(cases[i].bytes), 0),
		                 cases[i].at);
}

static void no_control_byte_survives(void **state UNUSED)
{
	for (int first = 0; first < 256; first++) {
		for (int second = 0; second < 256; second++) {
			SCOPED(str_release) struct str out = { 0 };
			char pair[] = { (char)first, (char)second };
			struct text in = { .data = pair, .size = 2 };

			utf8_add_visible(&out, in);
			for (size_t at = 0; at < out.size;) {
				uint32_t c = 0;
				size_t size =
				        utf8_decode(str_text(&out), at, &c);

				assert_int_not_equal(size, 0);
				assert_true(c == '\t' ||
				            (c >= 0x20 && c < 0x7f) ||
				            c >= 0xa0);
				at += size;
			}
		}
	}
}

static void invalid_bytes_become_replacement_characters(void **state UNUSED)
{
	SCOPED(str_release) struct str out = { 0 };

	utf8_add_valid(&out,
	               text_from("a\xff\xc3\x28\xe2\x82\xac\x1b\xe2\x82"));
	assert_string_equal(str_cstr(&out),
	                    "a\xef\xbf\xbd\xef\xbf\xbd(\xe2\x82\xac\x1b"
	                    "\xef\xbf\xbd\xef\xbf\xbd");
	str_clear(&out);
	utf8_add_valid(&out, (struct text){ 0 });
	utf8_add_visible(&out, (struct text){ 0 });
	assert_string_equal(str_cstr(&out), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(valid_characters_are_decoded),
		cmocka_unit_test(no_half_of_a_character_is_left),
		cmocka_unit_test(what_is_not_utf8_is_refused),
		cmocka_unit_test(a_character_does_not_cross_the_end),
		cmocka_unit_test(width_counts_columns),
		cmocka_unit_test(what_acts_on_a_terminal_is_made_visible),
		cmocka_unit_test(what_is_hidden_is_found_between_lines),
		cmocka_unit_test(no_control_byte_survives),
		cmocka_unit_test(invalid_bytes_become_replacement_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

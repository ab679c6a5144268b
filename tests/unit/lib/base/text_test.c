// SPDX-License-Identifier: MIT
#include "lib/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct text nothing = { 0 };

static void assert_text(struct text text, const char *expected)
{
	assert_int_equal(text.size, strlen(expected));
	assert_true(text_is(text, expected));
}

static void texts_are_compared_by_bytes_and_length(void **state UNUSED)
{
	struct text abc = text_from("abc");

	assert_true(text_is(abc, "abc"));
	assert_false(text_is(abc, "ab"));
	assert_false(text_is(abc, "abcd"));
	assert_true(text_is_nocase(abc, "ABC"));
	assert_false(text_is_nocase(abc, "ABD"));
	assert_true(text_compare(abc, text_from("abd")) < 0);
	assert_true(text_compare(abc, text_from("ab")) > 0);
	assert_true(text_compare(text_from("\xff"), abc) > 0);
	assert_int_equal(text_compare(abc, abc), 0);
}

static void nothing_equals_the_empty_text(void **state UNUSED)
{
	size_t nowhere = TEXT_NOWHERE;
	struct text rest = nothing;

	assert_true(text_is(nothing, ""));
	assert_true(text_is_nocase(nothing, ""));
	assert_true(text_equal(nothing, TEXT_NONE));
	assert_true(text_starts(nothing, "") && text_ends(nothing, ""));
	assert_false(text_starts(nothing, "x") || text_ends(nothing, "x"));
	assert_int_equal(text_compare(nothing, TEXT_NONE), 0);
	assert_int_equal(text_after(nothing, 3).size, 0);
	assert_int_equal(text_trim(nothing).size, 0);
	assert_true(text_find(nothing, "x") == nowhere);
	assert_true(text_find_last(nothing, "x") == nowhere);
	assert_int_equal(text_find(nothing, ""), 0);
	assert_int_equal(text_find_last(nothing, ""), 0);
	assert_true(text_find_char(nothing, 'x') == nowhere);
	assert_false(text_next_line(&rest, &rest));
	assert_true(text_take(&rest, ""));
}

static void parts_stay_inside(void **state UNUSED)
{
	struct text abc = text_from("abc");

	assert_text(text_after(abc, 1), "bc");
	assert_text(text_after(abc, 3), "");
	assert_text(text_after(abc, TEXT_NOWHERE), "");
	assert_text(text_first(abc, 2), "ab");
	assert_text(text_first(abc, TEXT_NOWHERE), "abc");
	assert_true(text_starts(abc, "ab") && text_ends(abc, "bc"));
	assert_false(text_starts(abc, "abcd") || text_ends(abc, "xabc"));
	assert_true(text_take(&abc, "ab"));
	assert_false(text_take(&abc, "x"));
	assert_text(abc, "c");
}

static void blanks_are_trimmed_at_the_ends(void **state UNUSED)
{
	struct text text = text_from(" \t a b\r\n");

	assert_text(text_trim(text), "a b");
	assert_text(text_trim_left(text), "a b\r\n");
	assert_text(text_trim_right(text), " \t a b");
	assert_text(text_trim(text_from(" \t ")), "");
}

/** Padding is passed over in blocks. */
static void any_number_of_blanks_is_trimmed(void **state UNUSED)
{
	char line[3 * 40 + 2];

	for (size_t left = 0; left <= 40; left++)
		for (size_t right = 0; right <= 40; right++) {
			size_t size = left + 2 + right;

			memset(line, ' ', size);
			if (left)
				line[left / 2] = '\t';
			memcpy(line + left, "ab", 2);
			assert_text(text_trim((struct text){ line, size }),
			            "ab");
			memset(line, ' ', size);
			assert_text(text_trim((struct text){ line, size }), "");
		}
}

static void the_first_and_the_last_are_found(void **state UNUSED)
{
	struct text text = text_from("abcabcab");
	size_t nowhere = TEXT_NOWHERE;

	assert_int_equal(text_find(text, "cab"), 2);
	assert_int_equal(text_find_last(text, "cab"), 5);
	assert_int_equal(text_find(text, "abcabcab"), 0);
	assert_int_equal(text_find_last(text, "ab"), 6);
	assert_true(text_find(text, "abd") == nowhere);
	assert_true(text_find(text, "abcabcabc") == nowhere);
	assert_true(text_find(text_from("aab"), "ab") == 1);
	assert_true(text_find_last(text, "x") == nowhere);
	assert_int_equal(text_find_char(text, 'b'), 1);
	assert_int_equal(text_find_last_char(text, 'b'), 7);
	assert_true(text_find_last_char(text, 'x') == nowhere);
}

static void a_match_does_not_cross_the_end(void **state UNUSED)
{
	struct text cut = { .data = "abcd", .size = 3 };

	assert_true(text_find(cut, "cd") == TEXT_NOWHERE);
	assert_true(text_find_last(cut, "cd") == TEXT_NOWHERE);
	assert_false(text_ends(cut, "d"));
	assert_int_equal(text_find(cut, "c"), 2);
}

static void lines_end_in_every_style(void **state UNUSED)
{
	static const char *const expected[] = { "a", "b", "c",   "",
		                                "d", "",  "last" };
	struct text rest = text_from("a\nb\r\nc\r\rd\n\nlast");
	struct text line;

	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		assert_true(text_next_line(&rest, &line));
		assert_text(line, expected[i]);
	}
	assert_false(text_next_line(&rest, &line));
}

static void a_final_newline_starts_no_line(void **state UNUSED)
{
	struct text rest = text_from("a\r\n");
	struct text line;

	assert_true(text_next_line(&rest, &line));
	assert_text(line, "a");
	assert_false(text_next_line(&rest, &line));
}

static void lines_of_any_length_end_where_they_do(void **state UNUSED)
{
	char bytes[64];

	// Of the same high bit, and one below and above both ends of a line.
	for (size_t size = 0; size < 40; size++) {
		static const char others[] = "\x8a\x8d\x09\x0b\x0c\x0e";

		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = others[i % 6];
		bytes[size] = size % 2 ? '\n' : '\r';
		for (size_t start = 0; start <= size; start++) {
			struct text rest = { bytes + start, 50 - start };
			struct text line;

			assert_true(text_next_line(&rest, &line));
			assert_int_equal(line.size, size - start);
			assert_int_equal(rest.size, 49 - size);
		}
	}
}

static void a_base_name_follows_the_last_slash(void **state)
{
	(void)state;
	assert_string_equal(text_base_cstr("/usr/lib/dyld"), "dyld");
	assert_string_equal(text_base_cstr("dyld"), "dyld");
	assert_string_equal(text_base_cstr("/usr/"), "");
	assert_string_equal(text_base_cstr(""), "");
	assert_null(text_base_cstr(NULL));
	assert_true(text_same(NULL, NULL));
	assert_false(text_same("", NULL));
	assert_false(text_same("a", "b"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_compared_by_bytes_and_length),
		cmocka_unit_test(nothing_equals_the_empty_text),
		cmocka_unit_test(parts_stay_inside),
		cmocka_unit_test(blanks_are_trimmed_at_the_ends),
		cmocka_unit_test(any_number_of_blanks_is_trimmed),
		cmocka_unit_test(the_first_and_the_last_are_found),
		cmocka_unit_test(a_match_does_not_cross_the_end),
		cmocka_unit_test(lines_end_in_every_style),
		cmocka_unit_test(a_final_newline_starts_no_line),
		cmocka_unit_test(lines_of_any_length_end_where_they_do),
		cmocka_unit_test(a_base_name_follows_the_last_slash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

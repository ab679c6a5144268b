// SPDX-License-Identifier: MIT
#include "lib/base/columns.h"

#include "lib/base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void assert_wrapped(const char *in, struct columns_lines lines,
                           const char *expected)
{
	SCOPED(str_release) struct str out = { 0 };

	lines.out = &out;
	columns_add_text(&lines, text_from(in));
	assert_string_equal(str_cstr(&out), expected);
}

static void lines_end_between_words(void **state UNUSED)
{
	struct columns_lines lines = { .width = 10, .indent = 2 };

	assert_wrapped("one two three four", lines, "one two\n  three\n  four");
	assert_wrapped("1234567890", lines, "1234567890");
	assert_wrapped("12345 7890", lines, "12345 7890");
	assert_wrapped("12345 78901", lines, "12345\n  78901");
	assert_wrapped("", lines, "");
}

static void blanks_between_words_stay(void **state UNUSED)
{
	struct columns_lines lines = { .width = 12 };

	assert_wrapped("a  b   c", lines, "a  b   c");
	assert_wrapped("aaaa     bbbb  ", lines, "aaaa\nbbbb");
	lines.width = 0;
	assert_wrapped("aaaa     bbbb cccc", lines, "aaaa     bbbb cccc");
}

static void a_long_word_stays_whole_unless_it_may_not(void **state UNUSED)
{
	struct columns_lines lines = { .width = 12 };

	assert_wrapped("no 'samples/demo/x.crash' here", lines,
	               "no\n'samples/demo/x.crash'\nhere");
	lines.shortens = true;
	assert_wrapped("no samples/demo/x.ips here", lines,
	               "no\n\u2026/demo/x.ips\nhere");
	assert_wrapped("is ALongNameWithoutBlanks", lines,
	               "is\nALongNameWi\u2026");
}

static void words_are_measured_by_columns(void **state UNUSED)
{
	struct columns_lines lines = { .width = 9 };

	// Each of these takes two columns, and three bytes.
	assert_wrapped("\u76f8\u673a \u52a9\u624b \u76f8\u673a", lines,
	               "\u76f8\u673a \u52a9\u624b\n\u76f8\u673a");
	// A combining mark takes none.
	assert_wrapped("e\u0301e\u0301e\u0301 e\u0301e\u0301 e\u0301", lines,
	               "e\u0301e\u0301e\u0301 e\u0301e\u0301 e\u0301");
	assert_int_equal(
	        columns_longest_word(text_from("a \u76f8\u673a e\u0301")), 4);
}

static void percent_signs_stay_with_their_numbers(void **state UNUSED)
{
	struct columns_lines lines = { .width = 12 };

	assert_wrapped("groups 84.28 % of", lines, "groups\n84.28 % of");
	assert_wrapped("it (84.28 %)", lines, "it (84.28 %)");
	assert_wrapped("all (84.28 %)", lines, "all\n(84.28 %)");
	assert_wrapped("% % %", lines, "% % %");
}

static void long_text_without_blanks_is_broken_where_it_is_wide(
        void **state UNUSED)
{
	struct columns_lines lines = { .width = 8, .indent = 2 };

	assert_wrapped("\u76f8\u673a\u52a9\u624b\u540e\u53f0\u542f\u52a8",
	               lines,
	               "\u76f8\u673a\u52a9\u624b\n  \u540e\u53f0\u542f\n"
	               "  \u52a8");
	// A Latin word in it stays whole.
	assert_wrapped("\u76f8\u673a\u52a9Demo\u624b", lines,
	               "\u76f8\u673a\u52a9\n  Demo\u624b");
	// What fits in the next line goes there whole.
	assert_wrapped("abc \u76f8\u673a\u52a9", lines,
	               "abc\n  \u76f8\u673a\u52a9");
}

struct shortening {
	const char *in;
	size_t width;
	const char *out;
};

static void names_lose_their_end(void **state UNUSED)
{
	static const struct shortening cases[] = {
		{ "-[Store load]", 13, "-[Store load]" },
		{ "-[Store load]", 12, "-[Store loa\u2026" },
		{ "-[Store load]", 1, "\u2026" },
		{ "-[Store load]", 0, "" },
		{ "\u76f8\u673a\u52a9", 6, "\u76f8\u673a\u52a9" },
		{ "\u76f8\u673a\u52a9", 5, "\u76f8\u673a\u2026" },
		{ "\u76f8\u673a\u52a9", 4, "\u76f8\u2026" },
		{ "ae\u0301b", 2, "a\u2026" },
		{ "ae\u0301bc", 3, "ae\u0301\u2026" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str out = { 0 };

		columns_shorten(text_from(cases[i].in), cases[i].width, &out);
		assert_string_equal(str_cstr(&out), cases[i].out);
	}
}

static void paths_lose_parts_in_the_middle(void **state UNUSED)
{
	static const struct shortening cases[] = {
		{ "samples/jetsam/trend/1.ips", 26,
		  "samples/jetsam/trend/1.ips" },
		{ "samples/jetsam/trend/1.ips", 25,
		  "samples/\u2026/trend/1.ips" },
		{ "samples/jetsam/trend/1.ips", 19, "samples/\u2026/1.ips" },
		{ "samples/jetsam/trend/1.ips", 13, "\u2026/trend/1.ips" },
		{ "samples/jetsam/trend/1.ips", 12, "\u2026/1.ips" },
		{ "samples/jetsam/trend/1.ips", 7, "\u2026/1.ips" },
		{ "samples/jetsam/trend/1.ips", 6, "\u20261.ips" },
		{ "samples/jetsam/trend/1.ips", 5, "1.\u2026ps" },
		{ "/Users/me/a/b/Demo.app/Demo", 20, "/Users/\u2026/Demo" },
		{ "/Users/me/a/b/Demo.app/Demo", 23,
		  "/Users/\u2026/Demo.app/Demo" },
		{ "JetsamEvent-2026-01-31-090807.ips", 15,
		  "JetsamE\u2026807.ips" },
		{ "a/\u76f8\u673a/\u52a9\u624b.ips", 12,
		  "a/\u2026/\u52a9\u624b.ips" },
		{ "\u76f8\u673a\u52a9\u624b", 6, "\u76f8\u2026\u624b" },
		{ "a/", 1, "\u2026" },
		{ "/", 0, "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str out = { 0 };

		columns_shorten_parts(text_from(cases[i].in), "/",
		                      cases[i].width, &out);
		assert_string_equal(str_cstr(&out), cases[i].out);
	}
}

static void stacks_keep_their_innermost_calls(void **state UNUSED)
{
	static const struct shortening cases[] = {
		{ "main - run - -[Store load]", 26,
		  "main - run - -[Store load]" },
		{ "main - run - -[Store load]", 25,
		  "main - \u2026 - -[Store load]" },
		{ "main - run - -[Store load]", 20, "\u2026 - -[Store load]" },
		{ "main - run - -[Store load]", 10, "-[Store l\u2026" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str out = { 0 };

		columns_shorten_parts(text_from(cases[i].in), " - ",
		                      cases[i].width, &out);
		assert_string_equal(str_cstr(&out), cases[i].out);
	}
}

/** Nothing is wider than asked for, whatever the bytes. */
static void no_width_is_exceeded(void **state UNUSED)
{
	static const char *const texts[] = {
		"",
		"/",
		"//",
		"a//b",
		"/a/",
		"a - ",
		" - ",
		" -  - ",
		"\u0301",
		"\u0301\u0301/\u76f8",
		"\xff\xfe/\xff",
		"\u76f8/\u76f8/\u76f8",
		"e\u0301/\u0301\u0301e/\u0301",
		"/Users/me/Library/x - y - z",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		for (size_t width = 0; width < 30; width++) {
			SCOPED(str_release) struct str out = { 0 };

			columns_shorten(text_from(texts[i]), width, &out);
			assert_true(utf8_width(str_text(&out)) <= width);
			str_clear(&out);
			columns_shorten_parts(text_from(texts[i]), "/", width,
			                      &out);
			assert_true(utf8_width(str_text(&out)) <= width);
			str_clear(&out);
			columns_shorten_parts(text_from(texts[i]), " - ", width,
			                      &out);
			assert_true(utf8_width(str_text(&out)) <= width);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_end_between_words),
		cmocka_unit_test(blanks_between_words_stay),
		cmocka_unit_test(a_long_word_stays_whole_unless_it_may_not),
		cmocka_unit_test(words_are_measured_by_columns),
		cmocka_unit_test(percent_signs_stay_with_their_numbers),
		cmocka_unit_test(
		        long_text_without_blanks_is_broken_where_it_is_wide),
		cmocka_unit_test(names_lose_their_end),
		cmocka_unit_test(paths_lose_parts_in_the_middle),
		cmocka_unit_test(stacks_keep_their_innermost_calls),
		cmocka_unit_test(no_width_is_exceeded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

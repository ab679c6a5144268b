// SPDX-License-Identifier: MIT
#include "lib/base/workflow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	const char *in;
	const char *out;
} cases[] = {
	{ "", "" },
	{ "::error::x", ":\\x3aerror::x" },
	{ "a\n::error", "a\n:\\x3aerror" },
	{ "a\r::error", "a\r:\\x3aerror" },
	{ "a\r\n \t::error", "a\r\n \t:\\x3aerror" },
	{ " \v\f::a", " \v\f:\\x3aa" },
	{ "\u00a0\u1680\u2000::a", "\u00a0\u1680\u2000:\\x3aa" },
	{ "\u200a\u202f\u205f\u3000::a", "\u200a\u202f\u205f\u3000:\\x3aa" },
	{ "\xc2\x85\u2028\u2029::a", "\xc2\x85\u2028\u2029:\\x3aa" },
	{ ":::", ":\\x3a:" },
	{ "::a\n::b\n", ":\\x3aa\n:\\x3ab\n" },
	// No white space precedes these.
	{ "a::b", "a::b" },
	{ "\u200b::a", "\u200b::a" },
	{ "\u00e9::a", "\u00e9::a" },
	{ "\U00010000::a", "\U00010000::a" },
	{ "\xc2::a", "\xc2::a" },
	{ "\xe2\x80::a", "\xe2\x80::a" },
	{ ": :a", ": :a" },
	{ ":\u00a0:a", ":\u00a0:a" },
	{ ":\n:", ":\n:" },
	{ "##[group]", "##\\x5bgroup]" },
	{ "a ##[b", "a ##\\x5bb" },
	{ "##vso[task]##teamcity[b", "##vso\\x5btask]##teamcity\\x5bb" },
	{ "###[a ##VSO[b", "###\\x5ba ##VSO\\x5bb" },
	{ "#[a] # #[b] ##a1[ ##a#[ ##\n[ closure #1 [", NULL },
};

static void assert_escaped(struct text in, size_t piece, const char *expected)
{
	struct workflow workflow = { 0 };
	SCOPED(str_release) struct str out = { 0 };

	for (; in.size; in = text_after(in, piece))
		workflow_add(&workflow, &out, text_first(in, piece));
	assert_string_equal(str_cstr(&out), expected);
}

static void commands_are_escaped_however_they_are_cut(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (size_t piece = 1; piece < 40; piece++)
			assert_escaped(text_from(cases[i].in), piece,
			               cases[i].out ? cases[i].out
			                            : cases[i].in);
}

/** Lines are passed over in blocks, those that hold `::` too. */
static void commands_are_found_below_many_lines(void **state UNUSED)
{
	for (size_t lines = 0; lines < 50; lines++) {
		SCOPED(str_release) struct str in = { 0 };
		SCOPED(str_release) struct str expected = { 0 };

		for (size_t i = 0; i < lines; i++)
			str_addf(&in, "  a::b%.*s\r\n", (int)i % 20,
			         "-------------------:");
		str_add_text(&expected, str_text(&in));
		str_add(&in, "  ::a x ::b\n: :\n\t::c");
		str_add(&expected, "  :\\x3aa x ::b\n: :\n\t:\\x3ac");
		assert_escaped(str_text(&in), in.size, str_cstr(&expected));
	}
}

/** Text is skipped in blocks. */
static void commands_are_found_behind_long_lines(void **state UNUSED)
{
	for (size_t size = 0; size < 50; size++) {
		SCOPED(str_release) struct str in = { 0 };
		SCOPED(str_release) struct str expected = { 0 };

		str_add_repeat(&in, '-', size);
		str_add_repeat(&expected, '-', size);
		str_add(&in, "##[\n::a");
		str_add(&expected, "##\\x5b\n:\\x3aa");
		assert_escaped(str_text(&in), in.size, str_cstr(&expected));
	}
}

static void lines_of_ours_stay(void **state UNUSED)
{
	struct workflow workflow = { .own_lines = true };
	SCOPED(str_release) struct str out = { 0 };

	workflow_add(&workflow, &out, text_from("::error::##[a\n::error::"));
	assert_string_equal(str_cstr(&out), "::error::##\\x5ba\n::error::");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_are_escaped_however_they_are_cut),
		cmocka_unit_test(commands_are_found_below_many_lines),
		cmocka_unit_test(commands_are_found_behind_long_lines),
		cmocka_unit_test(lines_of_ours_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

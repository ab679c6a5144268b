// SPDX-License-Identifier: MIT
#include "lib/text/regex.h"

#include "lib/base/limit.h"
#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

static void drop(struct regex **regex)
{
	regex_free(*regex);
}

static struct regex *compile(const char *pattern)
{
	struct regex *regex = NULL;
	struct error *err = regex_compile(text_from(pattern), &regex);

	if (err)
		fail_msg("%s: %s", pattern, error_message(err));
	return regex;
}

static enum regex_answer match(const struct regex *regex, struct text subject)
{
	size_t work = LIMIT_DEFAULT_PATTERN_STEPS;

	return regex_match(regex, subject, &work);
}

static void work_ends_at_the_limit_in_effect(void **state UNUSED)
{
	SCOPED(str_release) struct str subject = { 0 };
	SCOPED(drop) struct regex *regex = compile("[a-c]+[de]");
	static const size_t limits[] = { 100000, LIMIT_DEFAULT_PATTERN_STEPS,
		                         20 << 20 };

	str_add_repeat(&subject, 'a', 60000);
	str_add_char(&subject, '!');
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		size_t work = SIZE_MAX;

		limit_set(LIMIT_PATTERN_STEPS, limits[i]);
		assert_int_equal(regex_match(regex, str_text(&subject), &work),
		                 REGEX_UNDECIDED);
		assert_int_equal(SIZE_MAX - work, limits[i]);
	}
	limit_set(LIMIT_PATTERN_STEPS, LIMIT_DEFAULT_PATTERN_STEPS);
}

static void patterns_are_searched_for(void **state UNUSED)
{
	static const struct {
		const char *pattern;
		const char *subject;
		enum regex_answer answer;
	} cases[] = {
		{ "Demo", "MyDemoKit", REGEX_YES },
		{ "^Demo", "MyDemoKit", REGEX_NO },
		{ "(?i)demo", "DEMO", REGEX_YES },
		{ "^.$", "\xc3\xa4", REGEX_YES },
		{ "a+b", "aaac", REGEX_NO },
		{ "x", "", REGEX_NO },
		{ "", "", REGEX_YES },
		// Bytes that are not UTF-8 match nothing and harm nothing.
		{ "b",
		  "a\xff"
		  "b",
		  REGEX_YES },
		{ "a.b",
		  "a\xff"
		  "b",
		  REGEX_NO },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(drop) struct regex *regex = compile(cases[i].pattern);

		if (match(regex, text_from(cases[i].subject)) !=
		    cases[i].answer)
			fail_msg("%s, %s", cases[i].pattern, cases[i].subject);
	}
}

/** The look at the first bytes never says no where pcre2 says yes. */
static void first_bytes_decide_as_pcre2_does(void **state UNUSED)
{
	static const char *const patterns[] = {
		"^abc",          "^a?b*c+a",    "^(a|bc)?[ab]c",
		"^(?:a|b|)*c$",  "^[^a]b|^ca",  "^[]a]b",
		"^[a-b]c{2}",    "^a++b|^b??a", "^\\w\\[a\\]|^\\Wb",
		"^((a|b)+c)*b",  "^(?i)ABC",    "^(?=a)a",
		"^\\Qa\\E",      "^a\\b",       "^\xc3\xa4?b",
		"(^|a)b",        "^a|b",        "^\\x61",
		"^[[:alpha:]]b", "^()b",        "^(a*)*b",
	};
	static const char letters[] = "abc[A";

	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++) {
		SCOPED(drop) struct regex *regex = compile(patterns[i]);
		SCOPED(str_release) struct str free_pattern = { 0 };
		SCOPED(drop) struct regex *searched = NULL;

		// The same, but with nothing known of its first bytes.
		str_addf(&free_pattern, "(?:%s)", patterns[i]);
		searched = compile(str_cstr(&free_pattern));
		for (unsigned n = 0; n < 5 * 5 * 5 * 5; n++) {
			char subject[] = { letters[n % 5], letters[n / 5 % 5],
				           letters[n / 25 % 5],
				           letters[n / 125], '\0' };

			for (size_t size = 0; size <= 4; size++) {
				struct text text = { subject, size };

				if (match(regex, text) != match(searched, text))
					fail_msg("%s, %.*s", patterns[i],
					         (int)size, subject);
			}
		}
	}
}

static void first_bytes_exclude_most_names(void **state UNUSED)
{
	static const struct {
		const char *pattern;
		const char *subject;
		bool may_match;
	} cases[] = {
		{ "^-\\[UI(Table|Collection)View ", "-[UITableView a]", true },
		{ "^-\\[UI(Table|Collection)View ", "-[Cart load]", false },
		{ "^_?swift_(task|job)\\w*$", "swift_retain", false },
		{ "^[-+]\\[NS\\w+ init", "+[NSFoo new]", true },
		{ "^(main|start)$", "load", false },
		{ "load", "main", true },
		{ "^(a", "b", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(drop)
		struct regex *regex =
		        regex_compile_later(text_from(cases[i].pattern));

		assert_int_equal(
		        regex_may_match(regex, text_from(cases[i].subject)),
		        cases[i].may_match);
	}
}

static void globs_match_whole_subjects(void **state UNUSED)
{
	static const struct {
		const char *glob;
		const char *subject;
		enum regex_answer answer;
	} cases[] = {
		{ "Demo", "Demo", REGEX_YES },
		{ "Demo", "DemoKit", REGEX_NO },
		{ "Demo*", "DemoKit", REGEX_YES },
		{ "*Kit", "DemoKit", REGEX_YES },
		{ "*Kit", "DemoKits", REGEX_NO },
		{ "D*K*t", "DemoKit", REGEX_YES },
		{ "D*K*K*t", "DemoKit", REGEX_NO },
		{ "/a/*/c", "/a/b/b/c", REGEX_YES },
		{ "*.dylib", "libdylib", REGEX_NO },
		{ "a.c", "abc", REGEX_NO },
		{ "a?c",
		  "a\xc3\xa4"
		  "c",
		  REGEX_YES },
		{ "a?c", "ac", REGEX_NO },
		{ "lib[x]+\\{2}(y)", "lib[x]+\\{2}(y)", REGEX_YES },
		{ "**", "", REGEX_YES },
		{ "*a*", "bab\n", REGEX_YES },
		{ "*ab", "aab", REGEX_YES },
		{ "*ab*ab", "ab", REGEX_NO },
		{ "*b?d*", "abxd abcd", REGEX_YES },
		{ "*?", "", REGEX_NO },
		{ "*?", "\xc3\xa4", REGEX_YES },
		{ "*a?", "aa\xc3\xa4", REGEX_YES },
		{ "?", "\xc3", REGEX_NO },
		{ "*aab*", "aaab", REGEX_YES },
		{ "", "", REGEX_YES },
		{ "", "a", REGEX_NO },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(drop) struct regex *regex = NULL;

		assert_null(
		        regex_compile_glob(text_from(cases[i].glob), &regex));
		if (match(regex, text_from(cases[i].subject)) !=
		    cases[i].answer)
			fail_msg("%s, %s", cases[i].glob, cases[i].subject);
	}
}

static void bad_patterns_are_reported_with_the_offset(void **state UNUSED)
{
	static const struct {
		const char *pattern;
		const char *message;
	} cases[] = {
		{ "a(b", "pattern, offset 3: missing closing parenthesis" },
		{ "[z-a]",
		  "pattern, offset 3: range out of order in character class" },
		{ "a\\Cb", "pattern, offset 3: using \\C is disabled by the "
		           "application" },
		{ "\xff", "pattern, offset 0: UTF-8 error: illegal byte (0xfe "
		          "or 0xff)" },
		// Would take gigabytes.
		{ "(((a{999}){999}){999}){999}",
		  "pattern, offset 27: regular expression is too large" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct regex *regex = NULL;
		SCOPED(error_drop)
		struct error *err =
		        regex_compile(text_from(cases[i].pattern), &regex);

		assert_non_null(err);
		assert_string_equal(error_message(err), cases[i].message);
		assert_int_equal(error_code(err), ERROR_CONFIG);
		assert_null(regex);
	}
}

static void the_length_of_patterns_is_limited(void **state UNUSED)
{
	SCOPED(str_release) struct str pattern = { 0 };
	SCOPED(drop) struct regex *regex = NULL;
	struct error *err;

	str_add(&pattern, "[");
	str_add_repeat(&pattern, 'a', LIMIT_DEFAULT_PATTERN - 2);
	str_add(&pattern, "]");
	assert_null(regex_compile(str_text(&pattern), &regex));
	str_add_char(&pattern, 'a');
	err = regex_compile(str_text(&pattern), &regex);
	assert_string_equal(
	        error_message(err),
	        "pattern of more than 16 kB (--limit pattern=SIZE raises "
	        "it)");
	assert_int_equal(error_code(err), ERROR_LIMIT);
	error_free(err);
	err = regex_compile_glob(str_text(&pattern), &regex);
	assert_string_equal(
	        error_message(err),
	        "glob of more than 16 kB (--limit pattern=SIZE raises it)");
	error_free(err);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// Some hit pcre2's own limits; others stay below them at each of many starts.
// A class at the end, for pcre2 says no at once where a letter is missing.
static void evil_patterns_are_undecided_and_soon(void **state UNUSED)
{
	static const char *const patterns[] = {
		"(a+)+$",
		"(a|aa)+$",
		"(?:a?){100}a{100}[bc]",
		"(.*)*[bc]",
		".{0,300}.{0,300}[bc]",
		"(a*)*(a*)*[bc]",
		"(?:(?:a|b)|(?:a|b))*[cd]",
		".*.*.*.*[bc]",
		"a*?a*?a*?a*?[bc]",
	};
	SCOPED(str_release) struct str subject = { 0 };

	str_add_repeat(&subject, 'a', 30000);
	str_add_char(&subject, '!');
	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++) {
		SCOPED(drop) struct regex *regex = compile(patterns[i]);
		double start = seconds();

		if (match(regex, str_text(&subject)) != REGEX_UNDECIDED)
			fail_msg("%s is decided", patterns[i]);
		// Far from it in a release; sanitizers cost a factor of ten.
		if (seconds() - start > 10)
			fail_msg("%s took %f s", patterns[i],
			         seconds() - start);
	}
}

static void an_evil_glob_is_decided(void **state UNUSED)
{
	SCOPED(str_release) struct str subject = { 0 };
	SCOPED(drop) struct regex *regex = NULL;

	str_add_repeat(&subject, 'a', 4096);
	assert_null(
	        regex_compile_glob(text_from("*a*a*a*a*a*a*a*a*a*b"), &regex));
	assert_int_equal(match(regex, str_text(&subject)), REGEX_NO);
}

static void a_glob_costs_a_step_or_two(void **state UNUSED)
{
	const struct text path =
	        text_from("/System/Library/Frameworks/UIKit.framework/UIKit");
	SCOPED(drop) struct regex *regex = NULL;
	size_t work = 100;

	assert_null(regex_compile_glob(text_from("*/Vendor12/*"), &regex));
	assert_int_equal(regex_match(regex, path, &work), REGEX_NO);
	assert_true(work > 90);
}

static void what_a_match_begins_with_is_no_less_than_it_may(void **state UNUSED)
{
	static const struct {
		const char *pattern;
		const char *subject;
		enum regex_answer answer;
	} cases[] = {
		{ "^(start|_?main)$", "start", REGEX_YES },
		{ "^(start|_?main)$", "_main", REGEX_YES },
		{ "^(start|_?main)$", "xmain", REGEX_NO },
		{ "^a|b", "xb", REGEX_YES },
		{ "^a|^b", "b", REGEX_YES },
		{ "^a|^b", "ab", REGEX_YES },
		{ "^a|^b", "c", REGEX_NO },
		{ "^a*", "b", REGEX_YES },
		{ "^a?b", "b", REGEX_YES },
		{ "^", "b", REGEX_YES },
		{ "^$", "", REGEX_YES },
		{ "^(?i)ab", "AB", REGEX_YES },
		{ "^(?i:a)b", "Ab", REGEX_YES },
		{ "(?m)^b", "a\nb", REGEX_YES },
		{ "^(?m)^b", "a\nb", REGEX_NO },
		{ "^(?=ab)\\w", "ab", REGEX_YES },
		{ "^(?!b)\\w", "a", REGEX_YES },
		{ "^(?<!x)a", "a", REGEX_YES },
		{ "^(?|(a)|(b))", "b", REGEX_YES },
		{ "^(?(?=a)ab|cd)", "cd", REGEX_YES },
		{ "^(a)?(?(1)b|c)", "c", REGEX_YES },
		{ "^.b", "ab", REGEX_YES },
		{ "^[^a]b", "bb", REGEX_YES },
		{ "^\\W", "-", REGEX_YES },
		{ "^\\x61", "a", REGEX_YES },
		{ "^a", "\xff-a", REGEX_NO },
		{ "^\xc3\xa4", "\xc3\xa4", REGEX_YES },
		{ "^[\xc3\xa4k]", "k", REGEX_YES },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t work = LIMIT_DEFAULT_PATTERN_STEPS;
		struct text subject = text_from(cases[i].subject);
		struct regex *regex;

		assert_null(regex_compile(text_from(cases[i].pattern), &regex));
		if (regex_match(regex, subject, &work) != cases[i].answer)
			fail_msg("%s of '%s'", cases[i].pattern,
			         cases[i].subject);
		regex_free(regex);
	}
}

static void work_is_charged_to_the_caller(void **state UNUSED)
{
	SCOPED(drop) struct regex *regex = compile("[a-c]+[de]");
	struct text subject = text_from("abcabcabcabc");
	size_t work = 1000;
	size_t count = 0;

	while (regex_match(regex, subject, &work) == REGEX_NO)
		count++;
	assert_in_range(count, 2, 100);
	assert_int_equal(work, 0);
	assert_int_equal(regex_match(regex, subject, &work), REGEX_UNDECIDED);
}

static void the_length_of_subjects_is_limited(void **state UNUSED)
{
	SCOPED(str_release) struct str subject = { 0 };
	SCOPED(drop) struct regex *regex = compile("\\Ax");

	str_add_repeat(&subject, 'x', REGEX_SUBJECT_BYTES);
	assert_int_equal(match(regex, str_text(&subject)), REGEX_YES);
	str_add_char(&subject, 'x');
	assert_int_equal(match(regex, str_text(&subject)), REGEX_UNDECIDED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_ends_at_the_limit_in_effect),
		cmocka_unit_test(patterns_are_searched_for),
		cmocka_unit_test(first_bytes_decide_as_pcre2_does),
		cmocka_unit_test(first_bytes_exclude_most_names),
		cmocka_unit_test(globs_match_whole_subjects),
		cmocka_unit_test(bad_patterns_are_reported_with_the_offset),
		cmocka_unit_test(the_length_of_patterns_is_limited),
		cmocka_unit_test(evil_patterns_are_undecided_and_soon),
		cmocka_unit_test(an_evil_glob_is_decided),
		cmocka_unit_test(a_glob_costs_a_step_or_two),
		cmocka_unit_test(
		        what_a_match_begins_with_is_no_less_than_it_may),
		cmocka_unit_test(work_is_charged_to_the_caller),
		cmocka_unit_test(the_length_of_subjects_is_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/symbols/demangle/punycode.h"

#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/** As RFC 3492, 7.1, has them, with letters for its digits. */
static void samples_are_decoded(void **state)
{
	static const char *const cases[][2] = {
		{ "bcher_kva", "bücher" },
		{ "wxa", "λ" },
		{ "ihqwcrbEcvIaIdqgAFGpqjye", "他们为什么不说中文" },
		{ "dnDCg", "\xf4\x8f\xbf\xbf" },
		// An ASCII character that no symbol may hold.
		{ "ab_qgJk", "a b" },
		{ "a_bga", "aé" },
		{ "a_", "a" },
		{ "_", "" },
		{ "", "" },
	};
	char bytes[PUNYCODE_BYTES_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t size;

		assert_true(
		        punycode_decode(text_from(cases[i][0]), bytes, &size));
		assert_true(text_is((struct text){ bytes, size }, cases[i][1]));
	}
}

static void what_is_no_punycode_is_refused(void **state)
{
	static const char *const cases[] = {
		"a_b1",              // a digit of the RFC, which none is here
		"a_K",               // behind the last one
		"a_z",               // the number does not end
		"\xc3\xa9_b",        // not ASCII
		"JJJJJJJJJJ",        // beyond 32 bits, by a digit
		"zzzzzzzzzzzzzzzzz", // and by a place
		"JJJJJJJaJJJJJJJa",  // beyond them as a sum
		"JJJJJJa",           // beyond Unicode
		"ab_yoJk",           // a surrogate
	};
	char bytes[PUNYCODE_BYTES_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t size;

		if (punycode_decode(text_from(cases[i]), bytes, &size))
			fail_msg("'%s' is decoded", cases[i]);
	}
}

static bool decodes(size_t plain, size_t others)
{
	SCOPED(str_release) struct str name = { 0 };
	char bytes[PUNYCODE_BYTES_MAX];
	size_t size;

	str_add_repeat(&name, 'a', plain);
	str_add(&name, "_");
	str_add_repeat(&name, 'a', others);
	return punycode_decode(str_text(&name), bytes, &size);
}

static void long_names_are_refused(void **state)
{
	(void)state;
	assert_true(decodes(PUNYCODE_CHARS_MAX, 0));
	assert_false(decodes(PUNYCODE_CHARS_MAX + 1, 0));
	assert_true(decodes(PUNYCODE_CHARS_MAX - 1, 1));
	assert_false(decodes(PUNYCODE_CHARS_MAX, 1));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_decoded),
		cmocka_unit_test(what_is_no_punycode_is_refused),
		cmocka_unit_test(long_names_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/base/base64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void letters_become_bytes(void **state)
{
	static const struct {
		const char *in;
		const char *out;
	} cases[] = {
		{ "", "" },
		{ "Zg==", "f" },
		{ "Zm8=", "fo" },
		{ "Zm9v", "foo" },
		{ "Zm9vYg", "foob" },
		{ "Zm9vYmE", "fooba" },
		{ " Zm9v\r\nYmFy \n", "foobar" },
		{ "+/-_", "\xfb\xff\xbf" },
		{ "eyJhIjoxfQ==", "{\"a\":1}" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str out = { 0 };

		assert_true(base64_decode(text_from(cases[i].in), &out));
		assert_string_equal(str_cstr(&out), cases[i].out);
	}
}

static void other_text_is_refused(void **state)
{
	static const char *const cases[] = { "Z", "Zm9vY", "Zm9v!", "Zm=9",
		                             "{\"a\":1}" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str out = { 0 };

		str_add(&out, "kept");
		assert_false(base64_decode(text_from(cases[i]), &out));
		assert_string_equal(str_cstr(&out), "kept");
		assert_int_equal(out.size, 4);
	}
}

static void damaged_text_is_read_as_far_as_it_goes(void **state)
{
	static const struct {
		const char *in;
		const char *out;
		size_t used;
	} cases[] = {
		{ "Zm9v", "foo", 4 },   { "Zm9vYm", "foob", 6 },
		{ "Zm9vY", "foo", 4 },  { "Zm9v!Zm9v", "foo", 4 },
		{ "Zm=9", "f", 3 },     { "!", "", 0 },
		{ "Zm9v\n", "foo", 5 }, { "", "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str out = { 0 };

		assert_int_equal(
		        base64_decode_some(text_from(cases[i].in), &out),
		        cases[i].used);
		assert_string_equal(str_cstr(&out), cases[i].out);
	}
}

static void bytes_become_letters(void **state)
{
	static const struct {
		const char *in;
		const char *out;
	} cases[] = {
		{ "", "" },
		{ "f", "Zg==" },
		{ "fo", "Zm8=" },
		{ "foo", "Zm9v" },
		{ "foob", "Zm9vYg==" },
		{ "\xff\xfe\xfb", "//77" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(str_release) struct str out = { 0 };

		base64_encode(text_from(cases[i].in), &out);
		assert_string_equal(str_cstr(&out), cases[i].out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_become_bytes),
		cmocka_unit_test(bytes_become_letters),
		cmocka_unit_test(other_text_is_refused),
		cmocka_unit_test(damaged_text_is_read_as_far_as_it_goes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

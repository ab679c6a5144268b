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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_become_bytes),
		cmocka_unit_test(other_text_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

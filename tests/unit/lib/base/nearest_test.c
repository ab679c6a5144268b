#include "lib/base/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void the_nearest_word_is_found_or_none(void **state UNUSED)
{
	static const char *const words[] = { "symbolicate", "atos", "uuid",
		                             "doctor",      "help", NULL };
	static const struct {
		const char *typed;
		const char *nearest;
	} cases[] = {
		{ "symbolcate", "symbolicate" },
		{ "smybolicate", "symbolicate" },
		{ "symbolize", "symbolicate" },
		{ "sym", "symbolicate" },
		{ "symbolicates", "symbolicate" },
		{ "atso", "atos" },
		{ "uid", "uuid" },
		{ "hepl", "help" },
		{ "foo", NULL },
		{ "x", NULL },
		{ "", NULL },
		{ "completelyelse", NULL },
		{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		  "a"
		  "aaaaaaaaaaaaaaaaa",
		  NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *nearest = nearest_word(cases[i].typed, words);

		if (cases[i].nearest)
			assert_string_equal(nearest, cases[i].nearest);
		else
			assert_null(nearest);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_word_is_found_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

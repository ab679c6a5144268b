// SPDX-License-Identifier: MIT
#include "lib/base/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/** Words of 63 letters are compared, longer ones are no typing mistakes. */
static void long_words_are_near_to_nothing(void **state UNUSED)
{
	char word[66], typed[66];
	const char *const words[] = { word, NULL };

	for (size_t size = 62; size <= 64; size++) {
		memset(word, 'a', size);
		memset(typed, 'a', size);
		word[size] = typed[size] = '\0';
		typed[1] = 'b';
		if (size <= 63)
			assert_string_equal(nearest_word(typed, words), word);
		else
			assert_null(nearest_word(typed, words));
	}
}

static void the_nearest_word_is_found_or_none(void **state UNUSED)
{
	static const char *const words[] = { "symbolicate", "atos", "uuid",
		                             "doctor",      "help", "html",
		                             "bash",        "json", "zsh",
		                             NULL };
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
		{ "jsno", "json" },
		{ "JSON", "json" },
		{ "HTLM", "html" },
		{ "ZSH", "zsh" },
		{ "KSH", NULL },
		{ "SYMB", "symbolicate" },
		{ "foo", NULL },
		{ "xml", NULL },
		{ "tcsh", NULL },
		{ "ksh", NULL },
		{ "szh", "zsh" },
		{ "os", NULL },
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
		cmocka_unit_test(long_words_are_near_to_nothing),
		cmocka_unit_test(the_nearest_word_is_found_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

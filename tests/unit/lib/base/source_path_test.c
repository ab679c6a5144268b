// SPDX-License-Identifier: MIT
#include "lib/base/source_path.h"

#include "lib/base/arena.h"
#include "lib/base/compiler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_rule_has_a_beginning_to_replace(void **state UNUSED)
{
	assert_true(source_path_is_rule(text_from("/a=b")));
	assert_true(source_path_is_rule(text_from("/a=")));
	assert_true(source_path_is_rule(text_from("/=x")));
	assert_false(source_path_is_rule(text_from("/a")));
	assert_false(source_path_is_rule(text_from("=b")));
	assert_false(source_path_is_rule(text_from("")));
}

static void whole_components_are_replaced_by_the_first_match(
        void **state UNUSED)
{
	static const struct {
		const char *rules[2];
		const char *path;
		const char *mapped;
	} cases[] = {
		{ { NULL }, "/a/b.c", "/a/b.c" },
		{ { "/a=x" }, "/a/b.c", "x/b.c" },
		{ { "/a=x" }, "/ab/b.c", "/ab/b.c" },
		{ { "/a=x" }, "/a", "/a" },
		{ { "/a/=x/" }, "/a/b.c", "x/b.c" },
		{ { "/a=" }, "/a/b.c", "b.c" },
		{ { "/a=" }, "/a//b.c", "b.c" },
		{ { "/a=" }, "/a/", "/a/" },
		{ { "/a=/" }, "/a/b.c", "/b.c" },
		{ { "/=x" }, "/a/b.c", "x/a/b.c" },
		{ { "a=x=y" }, "a/b.c", "x=y/b.c" },
		{ { "/q=x", "/a=y" }, "/a/b.c", "y/b.c" },
		{ { "/a=x", "/a/b=y" }, "/a/b/c.c", "x/b/c.c" },
		// Once only: what comes out is not mapped again.
		{ { "/a=/b", "/b=/c" }, "/a/b.c", "/b/b.c" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(arena_release) struct arena arena = { 0 };

		for (size_t j = 0; j < 2 && cases[i].rules[j]; j++)
			source_path_add_rule(text_from(cases[i].rules[j]));
		assert_string_equal(source_path(cases[i].path, &arena),
		                    cases[i].mapped);
		assert_null(source_path(NULL, &arena));
		source_path_release();
		assert_false(source_path_has_rules());
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rule_has_a_beginning_to_replace),
		cmocka_unit_test(
		        whole_components_are_replaced_by_the_first_match),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

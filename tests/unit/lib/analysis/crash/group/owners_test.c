// SPDX-License-Identifier: MIT
#include "lib/analysis/crash/group/owners.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const char *owner_in(const char *file, const char *path)
{
	static struct arena arena;
	struct owners owners;
	struct error *err;

	arena_release(&arena);
	err = owners_parse(text_from(file), "CODEOWNERS", &arena, &owners);
	if (err)
		fail_msg("%s", error_message(err));
	return owners_find(&owners, path);
}

static void patterns_are_those_of_gitignore(void **state UNUSED)
{
	static const struct {
		const char *pattern;
		const char *path;
		bool matches;
	} cases[] = {
		{ "*", "a/b.m", true },
		{ "*.m", "a/b.m", true },
		{ "*.m", "a/b.mm", false },
		{ "b.m", "a/b.m", true },
		{ "a", "a/b.m", true },
		{ "b", "a/b.m", false },
		{ "/a/", "a/b.m", true },
		{ "/b.m", "a/b.m", false },
		{ "a/b.m", "x/a/b.m", false },
		{ "b.m/", "a/b.m", false },
		{ "docs/*", "docs/a.m", true },
		{ "docs/*", "docs/x/a.m", false },
		{ "docs/**", "docs/x/a.m", true },
		{ "**/x/*.m", "docs/x/a.m", true },
		{ "**/x/*.m", "x/a.m", true },
		{ "docs/**/a.m", "docs/x/y/a.m", true },
		{ "docs/**/a.m", "docs/a.m", true },
		{ "d?cs/", "docs/a.m", true },
		{ "[a-d]ocs/", "docs/a.m", true },
		{ "[!a-d]ocs/", "docs/a.m", false },
		{ "\\#a", "#a", true },
		{ "a\\ b", "x/a b", true },
		{ "***a***b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaac", false },
		// The root of another machine's repository is not known.
		{ "/Sources/Feed/", "/Users/ci/42/Sources/Feed/Feed.m", true },
		{ "/Sources/Cart/", "/Users/ci/42/Sources/Feed/Feed.m", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char file[64];
		const char *owner;

		snprintf(file, sizeof(file), "%s @me\n", cases[i].pattern);
		owner = owner_in(file, cases[i].path);
		if ((owner != NULL) != cases[i].matches)
			fail_msg("%s, %s: %s", cases[i].pattern, cases[i].path,
			         owner ? owner : "nobody");
	}
}

static void the_last_pattern_decides(void **state UNUSED)
{
	static const char file[] = "# who\n"
	                           "\n"
	                           "* @all\n"
	                           "*.m  @objc\t@ios # both\r\n"
	                           "Generated/\n";

	assert_string_equal(owner_in(file, "a.c"), "@all");
	assert_string_equal(owner_in(file, "a.m"), "@objc @ios");
	assert_null(owner_in(file, "Generated/a.m"));
}

static void what_cannot_be_read_is_refused_with_its_place(void **state UNUSED)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	SCOPED(error_drop) struct error *err = NULL;
	struct owners owners;

	err = owners_parse(text_from("* @all\n!x @me\n"), "CODEOWNERS", &arena,
	                   &owners);
	assert_non_null(err);
	assert_string_equal(error_message(err),
	                    "CODEOWNERS:2:1: a pattern that begins with '!' is "
	                    "not supported");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_are_those_of_gitignore),
		cmocka_unit_test(the_last_pattern_decides),
		cmocka_unit_test(what_cannot_be_read_is_refused_with_its_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

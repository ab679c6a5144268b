// SPDX-License-Identifier: MIT
#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/model/origins.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void assert_names(const struct origin_sets *sets, uint32_t node,
                         const char *expected)
{
	SCOPED(str_release) struct str text = { 0 };
	const char *names[ORIGINS_MOST];
	size_t count = origins_list(sets, node, names);

	for (size_t i = 0; i < count && count <= ORIGINS_MOST; i++)
		str_addf(&text, "%s%s", i ? " " : "", names[i]);
	if (count > ORIGINS_MOST)
		str_add(&text, "many");
	assert_string_equal(str_cstr(&text), expected);
}

static void a_node_has_the_names_of_the_reports_that_passed(void **state)
{
	SCOPED(origins_release) struct origins origins = { 0 };

	(void)state;
	origins_begin(&origins, "b", "1.0");
	origins_pass(&origins, 1);
	origins_pass(&origins, 7);
	origins_begin(&origins, "a", NULL);
	origins_pass(&origins, 1);
	origins_pass(&origins, 1);
	origins_begin(&origins, "", "2.0");
	origins_pass(&origins, 1);
	assert_names(&origins.devices, 1, "a b");
	assert_names(&origins.devices, 7, "b");
	assert_names(&origins.devices, 3, "");
	assert_names(&origins.devices, 99, "");
	assert_names(&origins.builds, 1, "1.0 2.0");
	// The same set, in whatever order its names came.
	origins_begin(&origins, "a", NULL);
	origins_pass(&origins, 8);
	origins_begin(&origins, "b", NULL);
	origins_pass(&origins, 8);
	assert_int_equal(origins.devices.of_node[8],
	                 origins.devices.of_node[1]);
}

static void add_many(struct origins *origins, uint32_t node, int count)
{
	for (int i = 0; i < count; i++) {
		char name[16];

		snprintf(name, sizeof(name), "d%d", i);
		origins_begin(origins, name, NULL);
		origins_pass(origins, node);
	}
}

static void a_node_keeps_no_more_names_than_it_may(void **state)
{
	SCOPED(origins_release) struct origins origins = { 0 };
	const char *names[ORIGINS_MOST];

	(void)state;
	add_many(&origins, 1, ORIGINS_MOST);
	assert_int_equal(origins_list(&origins.devices, 1, names),
	                 ORIGINS_MOST);
	assert_string_equal(names[0], "d0");
	add_many(&origins, 2, ORIGINS_MOST + 1);
	add_many(&origins, 2, 3);
	assert_names(&origins.devices, 2, "many");
}

static void trees_that_are_joined_have_the_names_of_both(void **state)
{
	SCOPED(origins_release) struct origins one = { 0 };
	SCOPED(origins_release) struct origins two = { 0 };

	(void)state;
	origins_begin(&one, "x", "1");
	origins_pass(&one, 1);
	origins_begin(&two, "y", "2");
	origins_pass(&two, 5);
	origins_begin(&two, "x", "2");
	origins_pass(&two, 5);
	add_many(&two, 6, ORIGINS_MOST + 1);
	origins_join(&one, 1, &two, 5);
	origins_join(&one, 2, &two, 6);
	origins_join(&one, 3, &two, 900);
	assert_names(&one.devices, 1, "x y");
	assert_names(&one.builds, 1, "1 2");
	assert_names(&one.devices, 2, "many");
	assert_names(&one.devices, 3, "");
}

static void nodes_that_become_one_have_the_names_of_all(void **state)
{
	static const uint32_t node_of[] = { 0, 1, 1, 2 };
	SCOPED(origins_release) struct origins origins = { 0 };

	(void)state;
	for (uint32_t i = 1; i < 4; i++) {
		const char *const names[] = { "", "a", "b", "c" };

		origins_begin(&origins, names[i], NULL);
		origins_pass(&origins, i);
	}
	origins_renumber(&origins, node_of, 4);
	assert_names(&origins.devices, 1, "a b");
	assert_names(&origins.devices, 2, "c");
	assert_names(&origins.devices, 3, "");
}

static void of_too_many_sets_nothing_is_known(void **state)
{
	SCOPED(origins_release) struct origins origins = { 0 };

	(void)state;
	// 17 devices, in all combinations.
	for (uint32_t bit = 0; bit < 17; bit++) {
		char name[16];

		snprintf(name, sizeof(name), "d%u", bit);
		origins_begin(&origins, name, NULL);
		for (uint32_t node = 0; node < 1u << 17; node++)
			if (node >> bit & 1)
				origins_pass(&origins, node);
	}
	assert_true(origins.devices.sets.count <= ORIGINS_SETS_MAX + 1);
	assert_names(&origins.devices, 1, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		        a_node_has_the_names_of_the_reports_that_passed),
		cmocka_unit_test(a_node_keeps_no_more_names_than_it_may),
		cmocka_unit_test(trees_that_are_joined_have_the_names_of_both),
		cmocka_unit_test(nodes_that_become_one_have_the_names_of_all),
		cmocka_unit_test(of_too_many_sets_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

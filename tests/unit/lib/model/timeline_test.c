// SPDX-License-Identifier: MIT
#include "lib/model/calltree_recursion.h"
#include "lib/model/calltree_walk.h"
#include "lib/model/timeline.h"
#include "tests/unit/lib/model/calltree_builder.h"

/** Names in the order of the tree, with blanks between. */
static void assert_order(const struct built_tree *built, const char *expected)
{
	SCOPED(str_release) struct str text = { 0 };
	const struct calltree *tree = &built->tree;

	for (uint32_t i = calltree_next(tree, CALLTREE_ROOT); i;
	     i = calltree_next(tree, i))
		str_addf(&text, "%s%s", text.size ? " " : "",
		         built->frames[tree->nodes[i].frame].name);
	assert_string_equal(str_cstr(&text), expected);
}

static void calls_are_in_the_order_in_which_they_were_met(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	SCOPED(timeline_release) struct timeline timeline = { 0 };
	uint32_t sum = BUILT_STACK(&built, 1, "main", "sum");
	uint32_t early = BUILT_STACK(&built, 1, "main", "draw", "early");
	uint32_t never = BUILT_STACK(&built, 1, "main", "draw", "never");
	uint32_t late = BUILT_STACK(&built, 1, "main", "late");
	uint32_t last = BUILT_STACK(&built, 1, "main", "draw", "last");

	(void)state;
	(void)never;
	timeline_begin(&timeline, "a sum", false);
	timeline_add(&timeline, sum, 1, 1);
	timeline_begin(&timeline, "empty", true);
	timeline_begin(&timeline, "first", true);
	timeline_add(&timeline, late, 1, 1);
	timeline_add(&timeline, CALLTREE_ROOT, 1, 1);
	timeline_begin(&timeline, "second", true);
	timeline_add(&timeline, last, 1, 1);
	timeline_add(&timeline, early, 1, 1);
	timeline_add(&timeline, late, 1, 1);
	assert_int_equal(timeline_ordered(&timeline), 2);
	timeline_sort(&timeline, &built.tree);
	assert_order(&built, "main late draw last early never sum");
}

static void folded_recursion_keeps_the_order(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	SCOPED(timeline_release) struct timeline timeline = { 0 };
	uint32_t b = BUILT_STACK(&built, 1, "main", "main", "b");
	uint32_t a = BUILT_STACK(&built, 1, "main", "a");
	uint32_t inner = BUILT_STACK(&built, 1, "main", "main");

	(void)state;
	timeline_begin(&timeline, "1", true);
	timeline_add(&timeline, inner, 1, 1);
	timeline_add(&timeline, a, 1, 1);
	timeline_add(&timeline, b, 1, 1);
	built.tree.timeline = &timeline;
	calltree_fold_recursion(&built.tree);
	assert_ptr_equal(built.tree.timeline, &timeline);
	timeline_sort(&timeline, &built.tree);
	assert_order(&built, "main a b");
	assert_int_equal(timeline.samples[0].node,
	                 built.tree.nodes[CALLTREE_ROOT].first_child);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_in_the_order_in_which_they_were_met),
		cmocka_unit_test(folded_recursion_keeps_the_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

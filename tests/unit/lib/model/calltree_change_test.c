// SPDX-License-Identifier: MIT
#include "lib/model/calltree_change.h"

#include "lib/model/calltree_before.h"
#include "lib/model/calltree_recursion.h"
#include "lib/model/calltree_walk.h"
#include "tests/unit/lib/model/calltree_builder.h"

static void add_counts(struct built_tree *built, const uint64_t counts[3])
{
	static const char *const names[] = { "a", "b", "c" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (counts[i])
			BUILT_STACK(built, counts[i], "main", names[i]);
}

/** How many of `main;a`, `main;b`, `main;c`: now, and before. */
static void compare(struct built_tree *built, const uint64_t now[3],
                    const uint64_t old[3])
{
	add_counts(built, old);
	calltree_turn(&built->tree, &built->before);
	add_counts(built, now);
	calltree_sum(&built->tree);
	calltree_before_sum(&built->before, &built->tree);
}

/** The change of @p name, in thousandths of a percent. */
static int64_t change_of(const struct built_tree *built, enum diff_mode mode,
                         const char *name)
{
	const struct calltree *tree = &built->tree;
	struct calltree_scale scale = calltree_scale_of(tree, mode);

	for (uint32_t i = 1; i < tree->node_count; i++)
		if (!strcmp(calltree_frame_of(tree, i)->name, name))
			return calltree_change(
			        &scale, tree->nodes[i].samples,
			        calltree_weight_before(tree, i).samples);
	fail_msg("there is no %s", name);
	return 0;
}

static void a_frame_is_unchanged_where_a_sibling_left_or_came(void **state)
{
	SCOPED(built_tree_release) struct built_tree left = { 0 };
	SCOPED(built_tree_release) struct built_tree came = { 0 };

	(void)state;
	compare(&left, (const uint64_t[]){ 50, 0, 0 },
	        (const uint64_t[]){ 50, 50, 0 });
	compare(&came, (const uint64_t[]){ 50, 50, 0 },
	        (const uint64_t[]){ 50, 0, 0 });
	for (enum diff_mode mode = DIFF_ABSOLUTE; mode <= DIFF_SHARE; mode++) {
		assert_int_equal(change_of(&left, mode, "a"), 0);
		assert_int_equal(change_of(&came, mode, "a"), 0);
		assert_true(change_of(&left, mode, "b") < 0);
		assert_true(change_of(&came, mode, "b") > 0);
	}
}

static void numbers_are_parts_of_the_larger_input(void **state)
{
	SCOPED(built_tree_release) struct built_tree pair = { 0 };

	(void)state;
	compare(&pair, (const uint64_t[]){ 50, 10, 0 },
	        (const uint64_t[]){ 40, 160, 0 });
	assert_int_equal(change_of(&pair, DIFF_ABSOLUTE, "a"), 5000);
	assert_int_equal(change_of(&pair, DIFF_ABSOLUTE, "b"), -75000);
	assert_int_equal(change_of(&pair, DIFF_ABSOLUTE, "main"), -70000);
}

static void shares_do_not_depend_on_the_number_of_samples(void **state)
{
	SCOPED(built_tree_release) struct built_tree same = { 0 };
	SCOPED(built_tree_release) struct built_tree grown = { 0 };
	SCOPED(built_tree_release) struct built_tree gone = { 0 };
	SCOPED(built_tree_release) struct built_tree other = { 0 };

	(void)state;
	compare(&same, (const uint64_t[]){ 50, 50, 0 },
	        (const uint64_t[]){ 500, 500, 0 });
	assert_int_equal(change_of(&same, DIFF_SHARE, "a"), 0);
	assert_int_equal(change_of(&same, DIFF_ABSOLUTE, "a"), -45000);
	compare(&grown, (const uint64_t[]){ 75, 25, 0 },
	        (const uint64_t[]){ 500, 500, 0 });
	assert_int_equal(change_of(&grown, DIFF_SHARE, "a"), 25000);
	assert_int_equal(change_of(&grown, DIFF_SHARE, "b"), -25000);
	// What is gone is a part of what it was gone from.
	compare(&gone, (const uint64_t[]){ 30, 10, 0 },
	        (const uint64_t[]){ 3, 1, 12 });
	assert_int_equal(change_of(&gone, DIFF_SHARE, "a"), 0);
	assert_int_equal(change_of(&gone, DIFF_SHARE, "c"), -75000);
	assert_int_equal(change_of(&gone, DIFF_SHARE, "main"), -75000);
	// Nothing in common: shares are of all.
	compare(&other, (const uint64_t[]){ 10, 0, 0 },
	        (const uint64_t[]){ 0, 0, 20 });
	assert_int_equal(change_of(&other, DIFF_SHARE, "a"), 100000);
	assert_int_equal(change_of(&other, DIFF_SHARE, "c"), -100000);
}

static void a_tree_alone_has_no_scale(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	struct calltree_scale scale;

	(void)state;
	BUILT_STACK(&built, 1, "main");
	scale = calltree_scale_of(&built.tree, DIFF_SHARE);
	assert_int_equal(scale.now + scale.before, 0);
	assert_int_equal(calltree_change(&scale, 3, 1), 0);
}

/** The node whose innermost frame is @p name. */
static uint32_t node_of(const struct calltree *tree, const char *name)
{
	for (uint32_t i = 1; i < tree->node_count; i++)
		if (!strcmp(calltree_frame_of(tree, i)->name, name))
			return i;
	fail_msg("there is no %s", name);
	return 0;
}

static void assert_before(const struct calltree *tree, uint32_t node,
                          uint64_t samples, uint64_t self_samples)
{
	struct calltree_weight weight = calltree_weight_before(tree, node);

	assert_int_equal(weight.samples, samples);
	assert_int_equal(weight.self_samples, self_samples);
	assert_int_equal(weight.cost_us, samples * 50000);
	assert_int_equal(weight.self_cost_us, self_samples * 50000);
}

static void what_was_there_before_is_not_counted_now(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	const struct calltree *tree = &built.tree;
	uint32_t main;

	(void)state;
	BUILT_STACK(&built, 3, "main", "old");
	BUILT_STACK(&built, 4, "main");
	built.tree.nodes[1].reports = 7;
	main = node_of(tree, "main");
	calltree_turn(&built.tree, &built.before);
	BUILT_STACK(&built, 5, "main", "new");
	calltree_before_sum(&built.before, tree);
	assert_int_equal(tree->nodes[main].samples, 5);
	assert_int_equal(tree->nodes[main].self_samples, 0);
	assert_int_equal(tree->nodes[main].reports, 0);
	assert_int_equal(tree->nodes[node_of(tree, "old")].samples, 0);
	assert_before(tree, CALLTREE_ROOT, 7, 0);
	assert_before(tree, main, 7, 4);
	assert_before(tree, node_of(tree, "old"), 3, 3);
	assert_before(tree, node_of(tree, "new"), 0, 0);
}

static void nodes_that_become_one_weighed_as_much_before(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	SCOPED(calltree_before_release) struct calltree_before other = { 0 };
	const uint32_t node_of[] = { 0, 1, 1 };

	(void)state;
	BUILT_STACK(&built, 3, "main", "main");
	BUILT_STACK(&built, 4, "main");
	calltree_turn(&built.tree, &built.before);
	calltree_before_join(&other, &built.before, node_of);
	calltree_before_renumber(&built.before, node_of);
	calltree_before_sum(&built.before, &built.tree);
	assert_before(&built.tree, 1, 7, 7);
	assert_before(&built.tree, 2, 0, 0);
	built.tree.before = &other;
	calltree_before_sum(&other, &built.tree);
	assert_before(&built.tree, 1, 7, 7);
}

static void many_samples_before_are_not_cut(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };

	(void)state;
	BUILT_STACK(&built, UINT32_MAX, "main");
	BUILT_STACK(&built, 1, "main", "one");
	calltree_turn(&built.tree, &built.before);
	calltree_before_sum(&built.before, &built.tree);
	assert_before(&built.tree, 1, (uint64_t)1 << 32, UINT32_MAX);
	built.before.ended[0].samples = UINT64_MAX;
	calltree_before_sum(&built.before, &built.tree);
	assert_int_equal(calltree_weight_before(&built.tree, 1).samples,
	                 UINT64_MAX);
}

/** Only where all samples cost the same is there no column of costs. */
static void each_sample_before_may_have_cost_something_else(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	const struct calltree *tree = &built.tree;

	(void)state;
	BUILT_STACK(&built, 3, "main", "a");
	BUILT_STACK(&built, 4, "main");
	calltree_turn(&built.tree, &built.before);
	calltree_before_sum(&built.before, tree);
	assert_int_equal(built.before.us_each, 50000);
	assert_null(built.before.cost_us.narrow);
	built.before.ended[0].cost_us++;
	calltree_before_sum(&built.before, tree);
	assert_int_equal(built.before.us_each, 0);
	assert_int_equal(calltree_weight_before(tree, 1).cost_us, 350001);
	built.before.ended[0].cost_us = UINT64_MAX;
	calltree_before_sum(&built.before, tree);
	assert_int_equal(calltree_weight_before(tree, 1).cost_us, UINT64_MAX);
}

/** What costs nothing comes first: it is no cost of all the others. */
static void samples_before_that_were_free_stay_so(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	const struct calltree *tree = &built.tree;

	(void)state;
	BUILT_STACK(&built, 5, "main");
	BUILT_STACK(&built, 1, "main", "a");
	calltree_turn(&built.tree, &built.before);
	built.before.ended[0].cost_us = 0;
	calltree_before_sum(&built.before, tree);
	assert_int_equal(built.before.us_each, 0);
	assert_int_equal(calltree_weight_before(tree, 1).cost_us, 50000);
	built.before.ended[1].cost_us = 0;
	calltree_before_sum(&built.before, tree);
	assert_int_equal(calltree_weight_before(tree, 1).samples, 6);
	assert_int_equal(calltree_weight_before(tree, 1).cost_us, 0);
}

/** `main 1/7` is a function with its own samples and all, indented. */
static void a_function_that_calls_itself_is_one_frame(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	SCOPED(str_release) struct str text = { 0 };
	const struct calltree *tree = &built.tree;

	(void)state;
	BUILT_STACK(&built, 1, "main", "walk", "walk", "walk", "leaf");
	BUILT_STACK(&built, 2, "main", "walk", "walk");
	BUILT_STACK(&built, 4, "main", "walk", "leaf");
	BUILT_STACK(&built, 8, "main", "ping", "pong", "ping");
	built.tree.by_cost = true;
	calltree_fold_recursion(&built.tree);
	assert_true(tree->by_cost);
	for (uint32_t i = calltree_next(tree, CALLTREE_ROOT); i;
	     i = calltree_next(tree, i)) {
		str_add_repeat(&text, ' ', tree->nodes[i].depth - 1);
		str_addf(&text, "%s %u/%u\n", calltree_frame_of(tree, i)->name,
		         (unsigned)tree->nodes[i].self_samples,
		         (unsigned)tree->nodes[i].samples);
	}
	assert_string_equal(str_cstr(&text), "main 0/15\n"
	                                     " walk 2/7\n"
	                                     "  leaf 5/5\n"
	                                     " ping 0/8\n"
	                                     "  pong 0/8\n"
	                                     "   ping 8/8\n");
}

static void recursion_is_folded_on_both_sides(void **state)
{
	SCOPED(built_tree_release) struct built_tree built = { 0 };
	const struct calltree *tree = &built.tree;

	(void)state;
	BUILT_STACK(&built, 1, "main", "walk", "walk");
	BUILT_STACK(&built, 2, "main", "walk");
	calltree_turn(&built.tree, &built.before);
	BUILT_STACK(&built, 4, "main", "walk", "walk", "leaf");
	calltree_fold_recursion(&built.tree);
	assert_int_equal(tree->node_count, 4);
	assert_before(tree, node_of(tree, "walk"), 3, 3);
	assert_int_equal(tree->nodes[node_of(tree, "walk")].samples, 4);
	assert_before(tree, node_of(tree, "leaf"), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		        a_frame_is_unchanged_where_a_sibling_left_or_came),
		cmocka_unit_test(numbers_are_parts_of_the_larger_input),
		cmocka_unit_test(shares_do_not_depend_on_the_number_of_samples),
		cmocka_unit_test(a_tree_alone_has_no_scale),
		cmocka_unit_test(what_was_there_before_is_not_counted_now),
		cmocka_unit_test(nodes_that_become_one_weighed_as_much_before),
		cmocka_unit_test(many_samples_before_are_not_cut),
		cmocka_unit_test(
		        each_sample_before_may_have_cost_something_else),
		cmocka_unit_test(samples_before_that_were_free_stay_so),
		cmocka_unit_test(a_function_that_calls_itself_is_one_frame),
		cmocka_unit_test(recursion_is_folded_on_both_sides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

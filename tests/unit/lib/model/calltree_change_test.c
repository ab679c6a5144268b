#include "lib/model/calltree_change.h"

#include "lib/model/calltree_recursion.h"
#include "lib/model/calltree_walk.h"
#include "tests/unit/lib/model/calltree_builder.h"

/** Two trees over the same functions. */
struct pair {
	struct built_tree now;
	struct calltree_weight *before;
};

static void pair_release(struct pair *pair)
{
	built_tree_release(&pair->now);
	free(pair->before);
}

/** @p counts of `main;a`, `main;b`, `main;c`: new, then old. */
static void compare(struct pair *pair, const uint64_t now[3],
                    const uint64_t old[3])
{
	static const char *const names[] = { "a", "b", "c" };
	SCOPED(built_tree_release) struct built_tree before = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		built_frame(&before, names[i]);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		built_frame(&pair->now, names[i]);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (old[i])
			BUILT_STACK(&before, old[i], "main", names[i]);
		if (now[i])
			BUILT_STACK(&pair->now, now[i], "main", names[i]);
	}
	pair->before = calltree_compare(&pair->now.tree, &before.tree);
	pair->now.tree.before = pair->before;
}

/** The change of @p name, in thousandths of a percent. */
static int64_t change_of(const struct pair *pair, enum diff_mode mode,
                         const char *name)
{
	const struct calltree *tree = &pair->now.tree;
	struct calltree_scale scale = calltree_scale_of(tree, mode);

	for (uint32_t i = 1; i < tree->node_count; i++)
		if (!strcmp(calltree_frame_of(tree, i)->name, name))
			return calltree_change(&scale, tree->nodes[i].samples,
			                       tree->before[i].samples);
	fail_msg("there is no %s", name);
	return 0;
}

static void a_frame_is_unchanged_where_a_sibling_left_or_came(void **state)
{
	SCOPED(pair_release) struct pair left = { 0 };
	SCOPED(pair_release) struct pair came = { 0 };

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
	SCOPED(pair_release) struct pair pair = { 0 };

	(void)state;
	compare(&pair, (const uint64_t[]){ 50, 10, 0 },
	        (const uint64_t[]){ 40, 160, 0 });
	assert_int_equal(change_of(&pair, DIFF_ABSOLUTE, "a"), 5000);
	assert_int_equal(change_of(&pair, DIFF_ABSOLUTE, "b"), -75000);
	assert_int_equal(change_of(&pair, DIFF_ABSOLUTE, "main"), -70000);
}

static void shares_do_not_depend_on_the_number_of_samples(void **state)
{
	SCOPED(pair_release) struct pair same = { 0 };
	SCOPED(pair_release) struct pair grown = { 0 };
	SCOPED(pair_release) struct pair gone = { 0 };
	SCOPED(pair_release) struct pair other = { 0 };

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		        a_frame_is_unchanged_where_a_sibling_left_or_came),
		cmocka_unit_test(numbers_are_parts_of_the_larger_input),
		cmocka_unit_test(shares_do_not_depend_on_the_number_of_samples),
		cmocka_unit_test(a_tree_alone_has_no_scale),
		cmocka_unit_test(a_function_that_calls_itself_is_one_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

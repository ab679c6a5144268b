// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/key.h"

#include "tests/unit/lib/analysis/lag/random_stalls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define FRAMES 64

/** Frames a, b, …: those in upper case are the app's. */
static struct calltree_frame letters[128];

static void name_letters(struct calltree *tree)
{
	for (int c = 'A'; c <= 'z'; c++)
		letters[c].kind = c <= 'Z' ? CALLTREE_APP : CALLTREE_SYSTEM;
	tree->frames = letters;
	tree->frame_count = ARRAY_SIZE(letters);
}

/** Add a stack with a letter for each frame. */
static uint32_t add(struct calltree *tree, const char *stack, uint64_t samples,
                    uint64_t cost_us)
{
	uint32_t frames[FRAMES];
	size_t count = strlen(stack);
	uint32_t node;

	for (size_t i = 0; i < count; i++)
		frames[i] = (uint32_t)stack[i];
	node = calltree_add(tree, frames, count);
	tree->nodes[node].self_samples += samples;
	tree->nodes[node].self_cost_us += cost_us;
	return node;
}

static struct lag_key find_by(struct calltree *tree, enum lag_siblings siblings)
{
	calltree_sum(tree);
	name_letters(tree);
	return lag_key_find(tree, siblings, NULL, NULL);
}

static struct lag_key find(struct calltree *tree)
{
	return find_by(tree, LAG_SIBLINGS_PARENT);
}

static void assert_node(const struct calltree *tree, uint32_t node,
                        const char *stack)
{
	uint32_t frames[FRAMES];
	char found[FRAMES + 1] = "";

	calltree_stack(tree, node, frames);
	for (uint32_t i = 0; i < tree->nodes[node].depth; i++)
		found[i] = (char)frames[i];
	assert_string_equal(found, stack);
}

// Worked examples of the rule.

static void six_hundred_of_a_thousand_beats_four_hundred(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	add(&tree, "pa", 1, 400);
	add(&tree, "pb", 1, 600);
	assert_node(&tree, find(&tree).node, "pb");
}

static void of_two_equal_children_the_first_wins(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	add(&tree, "pc", 1, 200);
	add(&tree, "pa", 1, 400);
	add(&tree, "pb", 1, 400);
	assert_node(&tree, find(&tree).node, "pa");
}

static void four_fair_shares_leave_the_parent(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	add(&tree, "p", 1, 160);
	add(&tree, "pa", 1, 210);
	add(&tree, "pb", 1, 210);
	add(&tree, "pc", 1, 210);
	add(&tree, "pd", 1, 210);
	assert_node(&tree, find(&tree).node, "p");
}

static void of_equal_costs_the_higher_count_wins(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	add(&tree, "pa", 1, 400);
	add(&tree, "pb", 2, 400);
	add(&tree, "pc", 2, 400);
	add(&tree, "pd", 1, 0);
	assert_node(&tree, find(&tree).node, "pb");
}

static void both_limits_are_strict(void **state UNUSED)
{
	static const struct {
		uint64_t self;
		uint64_t first;
		uint64_t second;
		const char *key;
	} cases[] = {
		{ 0, 550, 450, "p" }, // 1.1 / 2 of 1000
		{ 0, 551, 449, "pa" },
		{ 0, 11, 9, "p" }, // 1.1 / 2 of 20
		{ 0, 110001, 89999, "pa" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		SCOPED(calltree_release) struct calltree tree = { 0 };

		add(&tree, "p", 1, cases[i].self);
		add(&tree, "pa", 1, cases[i].first);
		add(&tree, "pb", 1, cases[i].second);
		assert_node(&tree, find(&tree).node, cases[i].key);
	}
}

static void an_only_child_needs_more_than_a_fifth(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree is_pc = { 0 };
	SCOPED(calltree_release) struct calltree above = { 0 };

	add(&is_pc, "p", 1, 800);
	add(&is_pc, "pa", 1, 200);
	assert_node(&is_pc, find(&is_pc).node, "p");
	add(&above, "p", 1, 799);
	add(&above, "pa", 1, 201);
	assert_node(&above, find(&above).node, "pa");
}

static void with_many_siblings_a_fifth_is_what_counts(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	char stack[] = "pa";

	// A fair share is 100; a is at three of them, and too small.
	for (int i = 0; i < 11; i++) {
		stack[1] = (char)('a' + i);
		add(&tree, stack, 1, i ? 80 : 200);
	}
	assert_node(&tree, find(&tree).node, "p");
	add(&tree, "pa", 1, 1);
	assert_node(&tree, find(&tree).node, "pa");
}

static void a_plain_chain_is_walked_to_its_end(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	struct lag_key key;

	add(&tree, "abcdefgh", 3, 150);
	key = find(&tree);
	assert_node(&tree, key.node, "abcdefgh");
	assert_int_equal(key.node, key.path_end);
	assert_false(key.is_app);
}

static void the_key_is_the_deepest_app_frame_of_the_path(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	struct lag_key key;

	// Z is the app's too, and not on the path.
	add(&tree, "mABxy", 3, 300);
	add(&tree, "mABZ", 1, 100);
	key = find(&tree);
	assert_node(&tree, key.node, "mAB");
	assert_node(&tree, key.path_end, "mABxy");
	assert_true(key.is_app);
}

static void a_side_branch_has_no_key(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	// Alone, B would meet both clauses under C.
	add(&tree, "ma", 1, 999);
	add(&tree, "mCB", 1, 1);
	assert_node(&tree, find(&tree).node, "ma");
}

static void roots_are_measured_by_their_sum(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	struct lag_key key;

	add(&tree, "a", 1, 55);
	add(&tree, "b", 1, 45);
	key = find(&tree);
	assert_int_equal(key.node, CALLTREE_ROOT);
	assert_int_equal(key.path_end, CALLTREE_ROOT);
	add(&tree, "a", 1, 1);
	assert_node(&tree, find(&tree).node, "a");
	// What ended at no frame is no root's.
	tree.nodes[CALLTREE_ROOT].self_cost_us = 100000;
	assert_node(&tree, find(&tree).node, "a");
}

static void without_costs_there_is_no_key(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	SCOPED(calltree_release) struct calltree empty = { 0 };

	add(&tree, "ab", 100, 0);
	assert_int_equal(find(&tree).node, CALLTREE_ROOT);
	assert_int_equal(find(&empty).node, CALLTREE_ROOT);
	assert_int_equal(find_by(&empty, LAG_SIBLINGS_LEVEL).node,
	                 CALLTREE_ROOT);
	add(&empty, "", 1, 1);
	assert_int_equal(find(&empty).node, CALLTREE_ROOT);
	assert_int_equal(find_by(&empty, LAG_SIBLINGS_LEVEL).node,
	                 CALLTREE_ROOT);
}

static void the_largest_costs_do_not_overflow(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	add(&tree, "pa", 1, UINT64_MAX / 2 - 1);
	add(&tree, "pb", 1, UINT64_MAX / 2 + 2);
	// 1.00000 of a fair share.
	assert_node(&tree, find(&tree).node, "p");
	add(&tree, "pc", 1, UINT64_MAX);
	// The sum is UINT64_MAX: c has 3 fair shares.
	assert_node(&tree, find(&tree).node, "pc");
}

static void a_level_counts_all_nodes_of_the_depth(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	// Two siblings below p: 500 is no 1.1 fair shares. Of the four nodes
	// of the depth it is 2.
	add(&tree, "pa", 1, 500);
	add(&tree, "pb", 1, 500);
	add(&tree, "qc", 1, 1);
	add(&tree, "qd", 1, 1);
	assert_node(&tree, find(&tree).node, "p");
	assert_node(&tree, find_by(&tree, LAG_SIBLINGS_LEVEL).node, "pa");
}

static void an_only_child_of_a_wide_level_needs_its_share(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	// a costs half of p; two nodes are on its level.
	add(&tree, "p", 1, 500);
	add(&tree, "pa", 1, 500);
	add(&tree, "qc", 1, 1);
	assert_node(&tree, find(&tree).node, "pa");
	assert_node(&tree, find_by(&tree, LAG_SIBLINGS_LEVEL).node, "p");
}

struct steps {
	struct lag_step items[8];
	size_t count;
};

static void keep_step(const struct lag_step *step, void *context)
{
	struct steps *steps = context;

	assert_true(steps->count < ARRAY_SIZE(steps->items));
	steps->items[steps->count++] = *step;
}

static void assert_step(const struct calltree *tree,
                        const struct lag_step *step, const char *stack,
                        uint64_t n, const char *truths)
{
	char found[4] = { step->over_fair_share ? 's' : '-',
		          step->over_fifth ? 'f' : '-',
		          step->taken ? 't' : '-' };

	assert_node(tree, step->node, stack);
	assert_int_equal(step->n, n);
	assert_string_equal(found, truths);
}

static void every_child_that_was_looked_at_is_reported(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	struct steps steps = { .count = 0 };

	add(&tree, "pa", 1, 210);
	add(&tree, "pb", 1, 400);
	add(&tree, "pc", 1, 390);
	add(&tree, "pae", 1, 0);
	add(&tree, "pbd", 1, 10);
	find(&tree);
	lag_key_find(&tree, LAG_SIBLINGS_PARENT, keep_step, &steps);
	assert_int_equal(steps.count, 5);
	assert_step(&tree, &steps.items[0], "p", 1, "sft");
	assert_step(&tree, &steps.items[1], "pa", 3, "-f-");
	assert_step(&tree, &steps.items[2], "pb", 3, "sft");
	assert_step(&tree, &steps.items[3], "pc", 3, "sf-");
	assert_step(&tree, &steps.items[4], "pbd", 1, "s--");
}

// The rule again, over the plain tree: recursive, with fractions.

struct ratio {
	uint64_t top;
	uint64_t bottom;
};

/** By whole parts, then by the rest turned over: nothing is multiplied. */
static int compare_ratios(struct ratio a, struct ratio b)
{
	uint64_t whole_a;
	uint64_t whole_b;

	// Nothing is left to divide by: that one is the greater.
	if (!a.bottom || !b.bottom)
		return !a.bottom - !b.bottom;
	whole_a = a.top / a.bottom;
	whole_b = b.top / b.bottom;
	if (whole_a != whole_b)
		return whole_a < whole_b ? -1 : 1;
	return compare_ratios((struct ratio){ b.bottom, b.top % b.bottom },
	                      (struct ratio){ a.bottom, a.top % a.bottom });
}

static size_t nodes_at(const struct plain *node, unsigned depth)
{
	size_t count = 0;

	if (!depth)
		return 1;
	for (size_t i = 0; i < node->child_count; i++)
		count += nodes_at(node->children[i], depth - 1);
	return count;
}

static bool is_dear(uint64_t cost, uint64_t parent_cost, uint64_t n)
{
	struct ratio part = { cost, parent_cost };

	if (!parent_cost || compare_ratios(part, (struct ratio){ 1, 5 }) <= 0)
		return false;
	return n == 1 || compare_ratios(part, (struct ratio){ 11, 10 * n }) > 0;
}

struct naive {
	const struct plain *root;
	bool by_level;
	const struct plain *end;
	const struct plain *app;
};

static bool is_app_frame(uint32_t frame)
{
	return frame % 3 == 1;
}

static void walk_naively(struct naive *naive, const struct plain *node,
                         unsigned depth)
{
	uint64_t n = naive->by_level ? nodes_at(naive->root, depth + 1)
	                             : node->child_count;
	const struct plain *best = NULL;

	for (size_t i = 0; i < node->child_count; i++) {
		const struct plain *child = node->children[i];

		if (!is_dear(plain_cost(child), plain_cost(node), n))
			continue;
		if (!best || plain_cost(child) > plain_cost(best) ||
		    (plain_cost(child) == plain_cost(best) &&
		     plain_samples(child) > plain_samples(best)))
			best = child;
	}
	if (!best)
		return;
	naive->end = best;
	if (is_app_frame(best->frame))
		naive->app = best;
	walk_naively(naive, best, depth + 1);
}

/** Nodes of both are numbered in the order of first appearance. */
static unsigned number_of(const struct plain *node)
{
	return node ? node->born : CALLTREE_ROOT;
}

static void check_random_tree(uint64_t seed, bool by_level, size_t *depths)
{
	struct hang_shape shape = {
		.stacks = 1 + (unsigned)(seed * 7 % 40),
		.depth = 1 + (unsigned)(seed % 9),
		.frames = 2 + (unsigned)(seed * 3 % 5),
		.costs = 1 + (unsigned)(seed % 4),
		.unit_us = seed % 2 ? 50000 : 1,
	};
	SCOPED(calltree_release) struct calltree tree = { 0 };
	struct calltree_frame frames[8] = { 0 };
	uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	struct plain *root = random_hang(&shape, &random, &tree);
	struct naive naive = { .root = root, .by_level = by_level };
	struct lag_key key;

	for (uint32_t i = 0; i < ARRAY_SIZE(frames); i++)
		frames[i] = (struct calltree_frame){
			.name = "the same",
			.kind = is_app_frame(i) ? CALLTREE_APP
			                        : CALLTREE_SYSTEM,
		};
	tree.frames = frames;
	tree.frame_count = ARRAY_SIZE(frames);
	walk_naively(&naive, root, 0);
	key = lag_key_find(&tree,
	                   by_level ? LAG_SIBLINGS_LEVEL : LAG_SIBLINGS_PARENT,
	                   NULL, NULL);
	assert_int_equal(key.path_end, number_of(naive.end));
	assert_int_equal(key.node,
	                 number_of(naive.app ? naive.app : naive.end));
	assert_int_equal(key.is_app, naive.app != NULL);
	depths[tree.nodes[key.path_end].depth]++;
	plain_free(root);
}

static void the_walk_is_that_of_a_naive_evaluation(void **state UNUSED)
{
	size_t depths[16] = { 0 };

	for (uint64_t seed = 1; seed <= 2000; seed++) {
		check_random_tree(seed, false, depths);
		check_random_tree(seed, true, depths);
	}
	// Trees that end the walk at once would prove little.
	for (size_t i = 0; i <= 5; i++)
		assert_true(depths[i] > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(six_hundred_of_a_thousand_beats_four_hundred),
		cmocka_unit_test(of_two_equal_children_the_first_wins),
		cmocka_unit_test(four_fair_shares_leave_the_parent),
		cmocka_unit_test(of_equal_costs_the_higher_count_wins),
		cmocka_unit_test(both_limits_are_strict),
		cmocka_unit_test(an_only_child_needs_more_than_a_fifth),
		cmocka_unit_test(with_many_siblings_a_fifth_is_what_counts),
		cmocka_unit_test(a_plain_chain_is_walked_to_its_end),
		cmocka_unit_test(the_key_is_the_deepest_app_frame_of_the_path),
		cmocka_unit_test(a_side_branch_has_no_key),
		cmocka_unit_test(roots_are_measured_by_their_sum),
		cmocka_unit_test(without_costs_there_is_no_key),
		cmocka_unit_test(the_largest_costs_do_not_overflow),
		cmocka_unit_test(a_level_counts_all_nodes_of_the_depth),
		cmocka_unit_test(an_only_child_of_a_wide_level_needs_its_share),
		cmocka_unit_test(every_child_that_was_looked_at_is_reported),
		cmocka_unit_test(the_walk_is_that_of_a_naive_evaluation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

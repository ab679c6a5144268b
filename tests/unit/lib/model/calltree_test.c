// SPDX-License-Identifier: MIT
#include "lib/model/calltree.h"

#include "lib/model/calltree_before.h"
#include "tests/unit/lib/analysis/lag/random_stalls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/** Add a stack with a letter for each frame. */
static uint32_t add(struct calltree *tree, const char *stack)
{
	uint32_t frames[16] = { 0 };
	size_t count = strlen(stack);

	for (size_t i = 0; i < count; i++)
		frames[i] = (uint32_t)stack[i];
	return calltree_add(tree, frames, count);
}

static void assert_stack(const struct calltree *tree, uint32_t node,
                         const char *stack)
{
	uint32_t frames[16];

	assert_int_equal(tree->nodes[node].depth, strlen(stack));
	calltree_stack(tree, node, frames);
	for (size_t i = 0; stack[i]; i++)
		assert_int_equal(frames[i], stack[i]);
}

/** Callers come first, lists hold all, depths are right. */
static void assert_sound(const struct calltree *tree)
{
	uint32_t listed = 1;

	for (uint32_t i = 0; i < tree->node_count; i++) {
		const struct calltree_node *node = &tree->nodes[i];
		uint32_t last = CALLTREE_ROOT;

		for (uint32_t child = node->first_child; child;
		     child = tree->nodes[child].next_sibling) {
			assert_true(child > i && child > last);
			assert_int_equal(tree->nodes[child].parent, i);
			assert_int_equal(tree->nodes[child].depth,
			                 node->depth + 1);
			last = child;
			listed++;
		}
		assert_int_equal(calltree_branches(tree, i),
		                 last != node->first_child);
	}
	assert_int_equal(listed, tree->node_count);
}

static void stacks_share_what_they_begin_with(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	assert_int_equal(add(&tree, "abc"), 3);
	assert_int_equal(add(&tree, "abd"), 4);
	assert_int_equal(add(&tree, "a"), 1);
	assert_int_equal(add(&tree, "ba"), 6);
	assert_int_equal(add(&tree, "abc"), 3);
	assert_int_equal(tree.node_count, 7);
	assert_stack(&tree, 4, "abd");
	assert_stack(&tree, 6, "ba");
	assert_sound(&tree);
}

static void an_empty_stack_is_the_root(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	assert_int_equal(add(&tree, ""), CALLTREE_ROOT);
	assert_int_equal(tree.node_count, 1);
	assert_int_equal(add(&tree, "a"), 1);
	assert_int_equal(add(&tree, ""), CALLTREE_ROOT);
	assert_int_equal(add(&tree, "ab"), 2);
}

static void a_child_is_found_again_beside_whole_stacks(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	assert_int_equal(calltree_child(&tree, CALLTREE_ROOT, 'a'), 1);
	assert_int_equal(calltree_child(&tree, 1, 'b'), 2);
	assert_int_equal(add(&tree, "abc"), 3);
	assert_int_equal(calltree_child(&tree, 2, 'd'), 4);
	assert_int_equal(add(&tree, "abd"), 4);
	assert_int_equal(add(&tree, "abc"), 3);
}

static void sums_go_up_to_the_root(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	uint32_t leaf = add(&tree, "abc");

	tree.nodes[leaf].self_samples = 2;
	tree.nodes[leaf].self_cost_us = 100;
	leaf = add(&tree, "ad");
	tree.nodes[leaf].self_samples = 1;
	tree.nodes[leaf].self_cost_us = 50;
	leaf = add(&tree, "a");
	tree.nodes[leaf].self_samples = 4;
	tree.nodes[leaf].self_cost_us = 7;
	calltree_sum(&tree);
	calltree_sum(&tree);
	assert_int_equal(tree.nodes[1].samples, 7);
	assert_int_equal(tree.nodes[1].cost_us, 157);
	assert_int_equal(tree.nodes[2].samples, 2);
	assert_int_equal(tree.nodes[0].cost_us, 157);
}

static void sums_that_do_not_fit_are_the_greatest_number(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	SCOPED(calltree_release) struct calltree none = { 0 };

	add(&tree, "ab");
	add(&tree, "ac");
	tree.nodes[2].self_cost_us = UINT64_MAX - 1;
	tree.nodes[3].self_cost_us = 3;
	tree.nodes[2].self_samples = UINT64_MAX;
	tree.nodes[3].self_samples = UINT64_MAX;
	calltree_sum(&tree);
	assert_true(tree.nodes[1].cost_us == UINT64_MAX);
	assert_true(tree.nodes[1].samples == UINT64_MAX);
	assert_true(tree.nodes[2].cost_us == UINT64_MAX - 1);
	calltree_sum(&none);
}

static void a_full_tree_ends_stacks_at_the_deepest_node(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { .node_limit = 5 };

	assert_int_equal(add(&tree, "abc"), 3);
	assert_int_equal(add(&tree, "ac"), 4);
	assert_false(tree.full);
	// There is an `ac`, but what `axc` calls is not it.
	assert_int_equal(add(&tree, "axc"), 1);
	assert_true(tree.full);
	assert_int_equal(add(&tree, "abcd"), 3);
	assert_int_equal(add(&tree, "xabc"), CALLTREE_ROOT);
	assert_int_equal(add(&tree, "abc"), 3);
	assert_int_equal(add(&tree, "ac"), 4);
	assert_int_equal(calltree_child(&tree, 2, 'y'), 2);
	assert_int_equal(tree.node_count, 5);
	calltree_clear(&tree);
	assert_false(tree.full);
	assert_int_equal(add(&tree, "xyz"), 3);
}

static void a_cleared_tree_knows_nothing(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	const struct calltree_frame frame = { .name = "f" };
	struct calltree_before before = { 0 };

	add(&tree, "abc");
	tree.frames = &frame;
	tree.frame_count = 1;
	tree.title = "t";
	tree.by_cost = true;
	tree.before = &before;
	calltree_clear(&tree);
	assert_int_equal(tree.node_count, 0);
	assert_null(tree.frames);
	assert_int_equal(tree.frame_count, 0);
	assert_null(tree.title);
	assert_false(tree.by_cost);
	assert_null(tree.before);
	assert_int_equal(add(&tree, "bc"), 2);
	assert_stack(&tree, 2, "bc");
	calltree_clear(&tree);
	calltree_clear(&tree);
	assert_int_equal(calltree_child(&tree, CALLTREE_ROOT, 'c'), 1);
}

static void assert_same(const struct calltree *tree, uint32_t at,
                        const struct plain *node)
{
	uint32_t child = tree->nodes[at].first_child;

	assert_int_equal(at, node->born);
	assert_int_equal(tree->nodes[at].frame, node->frame);
	assert_int_equal(tree->nodes[at].self_samples, node->self_samples);
	assert_int_equal(tree->nodes[at].cost_us, plain_cost(node));
	for (size_t i = 0; i < node->child_count; i++) {
		assert_int_not_equal(child, CALLTREE_ROOT);
		assert_same(tree, child, node->children[i]);
		child = tree->nodes[child].next_sibling;
	}
	assert_int_equal(child, CALLTREE_ROOT);
}

// Both ways of emptying the table, with what the other has left behind.
static void one_tree_serves_large_and_small_reports(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	uint64_t random = 88172645463325252u;

	for (unsigned i = 0; i < 600; i++) {
		struct hang_shape shape = {
			.stacks = i % 97 == 0 ? 3000 : 1 + i % 30,
			.depth = 1 + i % 20,
			.frames = i % 2 ? 3 : 1000,
			.costs = 5,
			.unit_us = 50000,
		};
		struct plain *root = random_hang(&shape, &random, &tree);

		assert_sound(&tree);
		assert_same(&tree, CALLTREE_ROOT, root);
		plain_free(root);
		calltree_clear(&tree);
	}
}

// A million nodes with a table that clusters would take minutes.
static void wide_and_deep_trees_take_no_time(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	const uint32_t count = 200000;
	uint32_t *frames = mem_zalloc(count, sizeof(*frames));

	for (uint32_t i = 0; i < count; i++)
		calltree_child(&tree, CALLTREE_ROOT, i);
	for (uint32_t i = 0; i < count; i++)
		calltree_child(&tree, 1 + i, (uint32_t)1 << 31 | i);
	assert_int_equal(tree.node_count, 1 + 2 * count);
	for (uint32_t i = 0; i < count; i++)
		frames[i] = count + i;
	assert_int_equal(calltree_add(&tree, frames, count), 3 * count);
	assert_int_equal(calltree_add(&tree, frames, count), 3 * count);
	assert_int_equal(tree.nodes[3 * count].depth, count);
	free(frames);
}

static void callees_have_no_more_than_their_caller_has_left(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	uint32_t a = calltree_append(&tree, NULL, CALLTREE_ROOT, 0);
	uint32_t b = calltree_append(&tree, NULL, a, 1);
	uint32_t c = calltree_append(&tree, NULL, a, 2);
	uint64_t samples[] = { 0, 10, 7, 5 };

	assert_int_equal(calltree_own_samples(&tree, samples), 1);
	assert_int_equal(samples[a], 0);
	assert_int_equal(samples[b], 7);
	assert_int_equal(samples[c], 3);
	assert_int_equal(
	        calltree_own_samples(&tree, (uint64_t[]){ 0, 12, 7, 5 }), 0);
}

static void a_tree_that_ended_keeps_its_nodes_and_can_be_used_again(
        void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	uint32_t stack[] = { 0, 1 };

	for (uint32_t round = 0; round < 2; round++) {
		for (stack[1] = 0; stack[1] < 10000; stack[1]++)
			calltree_add(&tree, stack, 2);
		calltree_end(&tree);
		assert_null(tree.edges.slots);
		assert_int_equal(tree.node_cap, tree.node_count);
		assert_int_equal(tree.node_count, 10002);
		assert_int_equal(tree.nodes[10001].frame, 9999);
		calltree_clear(&tree);
	}
	stack[1] = 7;
	assert_int_equal(calltree_add(&tree, stack, 2), 2);
	// Of a small one nothing is given back.
	calltree_end(&tree);
	assert_int_equal(calltree_add(&tree, stack, 2), 2);
}

static void calls_find_their_place_after_sorting_and_moving(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	SCOPED(calltree_release) struct calltree moved = { 0 };
	const uint32_t ranks[] = { 2, 1, 0, 3 };

	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(calltree_child(&tree, CALLTREE_ROOT, i),
		                 i + 1);
	calltree_sort(&tree, ranks);
	assert_int_equal(tree.nodes[CALLTREE_ROOT].first_child, 3);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(calltree_child(&tree, CALLTREE_ROOT, i),
		                 i + 1);
	assert_int_equal(tree.node_count, 4);
	calltree_move(&moved, &tree);
	assert_int_equal(tree.node_count, 0);
	// Other numbers, as who moves them may give.
	for (uint32_t i = 1; i < moved.node_count; i++)
		moved.nodes[i].frame += 10;
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(calltree_child(&moved, CALLTREE_ROOT, i + 10),
		                 i + 1);
	assert_int_equal(calltree_child(&moved, CALLTREE_ROOT, 0), 4);
	assert_int_equal(calltree_child(&tree, CALLTREE_ROOT, 2), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		        calls_find_their_place_after_sorting_and_moving),
		cmocka_unit_test(
		        callees_have_no_more_than_their_caller_has_left),
		cmocka_unit_test(stacks_share_what_they_begin_with),
		cmocka_unit_test(an_empty_stack_is_the_root),
		cmocka_unit_test(a_child_is_found_again_beside_whole_stacks),
		cmocka_unit_test(sums_go_up_to_the_root),
		cmocka_unit_test(sums_that_do_not_fit_are_the_greatest_number),
		cmocka_unit_test(a_full_tree_ends_stacks_at_the_deepest_node),
		cmocka_unit_test(a_cleared_tree_knows_nothing),
		cmocka_unit_test(one_tree_serves_large_and_small_reports),
		cmocka_unit_test(wide_and_deep_trees_take_no_time),
		cmocka_unit_test(
		        a_tree_that_ended_keeps_its_nodes_and_can_be_used_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/trim.h"

#include "tests/unit/lib/analysis/lag/random_stalls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define MS 1000

/** Add a stack with a letter for each frame, a sample each 50 ms. */
static void add(struct calltree *tree, const char *stack, uint64_t cost_us)
{
	uint32_t frames[16];
	size_t count = strlen(stack);
	uint32_t node;

	for (size_t i = 0; i < count; i++)
		frames[i] = (uint32_t)stack[i];
	node = calltree_add(tree, frames, count);
	tree->nodes[node].self_samples++;
	tree->nodes[node].self_cost_us += cost_us;
}

/** `a(b c)`: what a tree holds, in the order of its lists. */
static void describe(const struct calltree *tree, uint32_t node, char **at)
{
	if (node != CALLTREE_ROOT)
		*(*at)++ = (char)tree->nodes[node].frame;
	if (tree->nodes[node].first_child)
		*(*at)++ = '(';
	for (uint32_t child = tree->nodes[node].first_child; child;
	     child = tree->nodes[child].next_sibling)
		describe(tree, child, at);
	if (tree->nodes[node].first_child)
		*(*at)++ = ')';
}

static void assert_trimmed(struct calltree *tree, size_t limit,
                           unsigned threshold_ms, const char *expected)
{
	SCOPED(calltree_release) struct calltree trimmed = { 0 };
	char found[256] = "";
	char *at = found;

	calltree_sum(tree);
	assert_int_equal(lag_trim(tree, limit, &trimmed), threshold_ms);
	describe(&trimmed, CALLTREE_ROOT, &at);
	assert_string_equal(found, expected);
	assert_int_equal(trimmed.nodes[0].cost_us, tree->nodes[0].cost_us);
	assert_int_equal(trimmed.nodes[0].samples, tree->nodes[0].samples);
}

static void few_enough_nodes_all_stay(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	add(&tree, "ab", 1);
	add(&tree, "ac", 0);
	assert_trimmed(&tree, 3, 0, "(a(bc))");
	assert_trimmed(&tree, 0, 0, "(a(bc))");
}

static void cheap_nodes_go_below_five_milliseconds(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	add(&tree, "ab", 5 * MS);
	add(&tree, "ac", 5 * MS - 1);
	add(&tree, "ad", 90 * MS);
	assert_trimmed(&tree, 3, 5, "(a(bd))");
	assert_trimmed(&tree, 2, 10, "(a(d))");
}

static void the_threshold_rises_by_five_until_few_are_left(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	add(&tree, "ab", 60 * MS);
	add(&tree, "cd", 150 * MS);
	add(&tree, "cde", 149 * MS);
	assert_trimmed(&tree, 4, 65, "(c(d(e)))");
	// d has 299 ms, and e 149.
	assert_trimmed(&tree, 2, 150, "(c(d))");
	// c and d go together: that is what a threshold does.
	assert_trimmed(&tree, 1, 300, "");
}

static void beyond_300_ms_the_costliest_stay_with_callers(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	add(&tree, "ab", 400 * MS);
	add(&tree, "ac", 500 * MS);
	add(&tree, "acd", 300 * MS);
	add(&tree, "ef", 700 * MS);
	assert_trimmed(&tree, 6, 0, "(a(bc(d))e(f))");
	assert_trimmed(&tree, 5, 300, "(a(bc)e(f))");
	assert_trimmed(&tree, 4, 300, "(a(c)e(f))");
	assert_trimmed(&tree, 3, 300, "(a(c)e)");
	assert_trimmed(&tree, 2, 300, "(a(c))");
	assert_trimmed(&tree, 1, 300, "(a)");
}

static void fewer_than_the_roots_can_be_asked_for(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	add(&tree, "a", 400 * MS);
	add(&tree, "b", 600 * MS);
	add(&tree, "c", 500 * MS);
	assert_trimmed(&tree, 2, 300, "(bc)");
	assert_trimmed(&tree, 1, 300, "(b)");
}

static void of_equal_costs_more_samples_then_the_file_decide(
        void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	add(&tree, "a", 400 * MS);
	add(&tree, "b", 200 * MS);
	add(&tree, "b", 200 * MS);
	add(&tree, "c", 400 * MS);
	assert_trimmed(&tree, 2, 300, "(ab)");
	assert_trimmed(&tree, 1, 300, "(b)");
}

static void what_goes_is_counted_at_its_caller(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	SCOPED(calltree_release) struct calltree trimmed = { 0 };
	const struct calltree_node *nodes;
	const struct calltree_frame frames[1] = { { .name = "f" } };

	add(&tree, "a", 50 * MS);
	add(&tree, "abc", 3 * MS);
	add(&tree, "abd", 1 * MS);
	add(&tree, "e", 4 * MS);
	tree.nodes[3].newest = 7;
	calltree_sum(&tree);
	tree.frames = frames;
	tree.frame_count = 1;
	tree.title = "t";
	assert_int_equal(lag_trim(&tree, 1, &trimmed), 5);
	nodes = trimmed.nodes;
	assert_int_equal(trimmed.node_count, 2);
	assert_int_equal(nodes[1].frame, 'a');
	assert_int_equal(nodes[1].cost_us, 54 * MS);
	assert_int_equal(nodes[1].self_cost_us, 54 * MS);
	assert_int_equal(nodes[1].samples, 3);
	assert_int_equal(nodes[1].self_samples, 3);
	assert_int_equal(nodes[1].newest, 7);
	// e was a root: what it took stays in the sum of all.
	assert_int_equal(nodes[0].self_cost_us, 4 * MS);
	assert_int_equal(nodes[0].cost_us, 58 * MS);
	assert_ptr_equal(trimmed.frames, frames);
	assert_int_equal(trimmed.frame_count, 1);
	assert_string_equal(trimmed.title, "t");
}

static void a_tree_is_a_hundred_calls_deep_at_most(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	SCOPED(calltree_release) struct calltree trimmed = { 0 };
	uint32_t frames[250] = { 0 };
	uint32_t end = calltree_add(&tree, frames, ARRAY_SIZE(frames));

	tree.nodes[end].self_samples = 9;
	tree.nodes[end].self_cost_us = 450 * MS;
	calltree_sum(&tree);
	assert_int_equal(lag_trim(&tree, 0, &trimmed), 0);
	assert_int_equal(trimmed.node_count, 1 + LAG_TRIM_DEPTH);
	assert_int_equal(trimmed.nodes[100].depth, 100);
	assert_int_equal(trimmed.nodes[100].self_samples, 9);
	assert_int_equal(trimmed.nodes[1].cost_us, 450 * MS);
	// What is too deep counts towards no limit.
	calltree_clear(&trimmed);
	assert_int_equal(lag_trim(&tree, 100, &trimmed), 0);
	assert_int_equal(trimmed.node_count, 1 + LAG_TRIM_DEPTH);
	calltree_clear(&trimmed);
	assert_int_equal(lag_trim(&tree, 99, &trimmed), 300);
	assert_int_equal(trimmed.node_count, 1 + 99);
}

static void an_empty_tree_stays_empty(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	SCOPED(calltree_release) struct calltree trimmed = { 0 };

	assert_int_equal(lag_trim(&tree, 5, &trimmed), 0);
	assert_int_equal(trimmed.node_count, 1);
	assert_int_equal(trimmed.nodes[0].samples, 0);
}

static void saturated_costs_stay_what_they_are(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };

	add(&tree, "ab", UINT64_MAX);
	add(&tree, "ac", UINT64_MAX);
	assert_trimmed(&tree, 2, 300, "(a(b))");
	assert_trimmed(&tree, 1, 300, "(a)");
}

// The same by filtering a plain tree again and again.

static size_t count_plain(const struct plain *node)
{
	size_t count = node->child_count;

	for (size_t i = 0; i < node->child_count; i++)
		count += count_plain(node->children[i]);
	return count;
}

/** Take child @p i out; what it took becomes its caller's own. */
static void absorb(struct plain *node, size_t i)
{
	node->self_cost_us += plain_cost(node->children[i]);
	node->self_samples += plain_samples(node->children[i]);
	plain_free(node->children[i]);
	node->child_count--;
	memmove(&node->children[i], &node->children[i + 1],
	        (node->child_count - i) * sizeof(*node->children));
}

static void filter(struct plain *node, unsigned depth, uint64_t least_us)
{
	for (size_t i = node->child_count; i-- > 0;) {
		if (depth == LAG_TRIM_DEPTH ||
		    plain_cost(node->children[i]) < least_us)
			absorb(node, i);
		else
			filter(node->children[i], depth + 1, least_us);
	}
}

struct leaf {
	struct plain *parent;
	size_t index;
};

static bool is_worse(const struct plain *a, const struct plain *b)
{
	if (a->self_cost_us != b->self_cost_us)
		return a->self_cost_us < b->self_cost_us;
	if (a->self_samples != b->self_samples)
		return a->self_samples < b->self_samples;
	return a->born > b->born;
}

/** The leaf that costs least. */
static void find_worst(struct plain *node, struct leaf *worst)
{
	for (size_t i = 0; i < node->child_count; i++) {
		struct plain *child = node->children[i];

		find_worst(child, worst);
		if (!child->child_count &&
		    (!worst->parent ||
		     is_worse(child, worst->parent->children[worst->index])))
			*worst = (struct leaf){ node, i };
	}
}

static unsigned trim_naively(struct plain *root, size_t limit)
{
	unsigned threshold_ms = 0;

	filter(root, 0, 0);
	while (limit && count_plain(root) > limit && threshold_ms < 300) {
		threshold_ms += 5;
		filter(root, 0, (uint64_t)threshold_ms * MS);
	}
	while (limit && count_plain(root) > limit) {
		struct leaf worst = { 0 };

		find_worst(root, &worst);
		absorb(worst.parent, worst.index);
	}
	return threshold_ms;
}

static void assert_same(const struct calltree *tree, uint32_t at,
                        const struct plain *node)
{
	uint32_t child = tree->nodes[at].first_child;

	assert_int_equal(tree->nodes[at].frame, node->frame);
	assert_int_equal(tree->nodes[at].self_cost_us, node->self_cost_us);
	assert_int_equal(tree->nodes[at].self_samples, node->self_samples);
	assert_int_equal(tree->nodes[at].cost_us, plain_cost(node));
	assert_int_equal(tree->nodes[at].samples, plain_samples(node));
	for (size_t i = 0; i < node->child_count; i++) {
		assert_int_not_equal(child, CALLTREE_ROOT);
		assert_same(tree, child, node->children[i]);
		child = tree->nodes[child].next_sibling;
	}
	assert_int_equal(child, CALLTREE_ROOT);
}

static void trimming_is_that_of_a_naive_filter(void **state UNUSED)
{
	size_t by_threshold = 0;
	size_t by_rank = 0;

	for (uint64_t seed = 1; seed <= 500; seed++) {
		struct hang_shape shape = {
			.stacks = 1 + (unsigned)(seed * 7 % 40),
			.depth = 1 + (unsigned)(seed % 11),
			.frames = 1 + (unsigned)(seed * 3 % 5),
			.costs = 1 + (unsigned)(seed % 7),
			.unit_us = seed % 3 ? 50 * MS : 1700,
		};
		SCOPED(calltree_release) struct calltree tree = { 0 };
		SCOPED(calltree_release) struct calltree trimmed = { 0 };
		uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
		struct plain *root = random_hang(&shape, &random, &tree);
		size_t limit = random_below(&random, tree.node_count);
		unsigned threshold_ms;

		// Every eleventh: stacks of up to 140 calls.
		if (seed % 11 == 0) {
			plain_free(root);
			calltree_clear(&tree);
			shape.depth = 140;
			root = random_hang(&shape, &random, &tree);
		}
		threshold_ms = lag_trim(&tree, limit, &trimmed);
		assert_int_equal(threshold_ms, trim_naively(root, limit));
		assert_same(&trimmed, CALLTREE_ROOT, root);
		by_threshold += threshold_ms > 0 && threshold_ms < 300;
		by_rank += threshold_ms == 300;
		plain_free(root);
	}
	assert_true(by_threshold > 50);
	assert_true(by_rank > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_enough_nodes_all_stay),
		cmocka_unit_test(cheap_nodes_go_below_five_milliseconds),
		cmocka_unit_test(
		        the_threshold_rises_by_five_until_few_are_left),
		cmocka_unit_test(beyond_300_ms_the_costliest_stay_with_callers),
		cmocka_unit_test(fewer_than_the_roots_can_be_asked_for),
		cmocka_unit_test(
		        of_equal_costs_more_samples_then_the_file_decide),
		cmocka_unit_test(what_goes_is_counted_at_its_caller),
		cmocka_unit_test(a_tree_is_a_hundred_calls_deep_at_most),
		cmocka_unit_test(an_empty_tree_stays_empty),
		cmocka_unit_test(saturated_costs_stay_what_they_are),
		cmocka_unit_test(trimming_is_that_of_a_naive_filter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

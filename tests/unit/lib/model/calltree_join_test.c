#include "lib/model/calltree_join.h"

#include "lib/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define FRAMES 40
#define DEPTH  30

/** The same numbers in each run. */
static uint32_t random_below(uint32_t *state, uint32_t limit)
{
	*state = *state * 1664525 + 1013904223;
	return (*state >> 8) % limit;
}

/** So many stacks, most of which begin alike. */
static void add_stacks(struct calltree *tree, uint32_t *state, size_t count)
{
	uint32_t frames[DEPTH];

	for (size_t i = 0; i < count; i++) {
		size_t depth = 1 + random_below(state, DEPTH);
		struct calltree_node *node;
		uint32_t at;

		for (size_t k = 0; k < depth; k++)
			frames[k] = random_below(state, 3)
			                    ? (uint32_t)k
			                    : random_below(state, FRAMES);
		at = calltree_add(tree, frames, depth);
		node = &tree->nodes[at];
		node->self_samples += i % 3;
		node->self_cost_us += i % 5;
		node->reports++;
	}
}

/** How it is done call by call. */
static void join_calls(struct calltree *into, const struct calltree *from,
                       const struct calltree_frames *frames, uint32_t *node_of)
{
	node_of[CALLTREE_ROOT] = CALLTREE_ROOT;
	into->nodes[CALLTREE_ROOT].reports +=
	        from->nodes[CALLTREE_ROOT].reports;
	for (uint32_t i = 1; i < from->node_count; i++) {
		const struct calltree_node *node = &from->nodes[i];
		uint32_t at = calltree_child(into, node_of[node->parent],
		                             frames->numbers[node->frame]);

		into->nodes[at].self_samples += node->self_samples;
		into->nodes[at].self_cost_us += node->self_cost_us;
		into->nodes[at].reports += node->reports;
		node_of[i] = at;
	}
}

static void assert_trees(const struct calltree *tree,
                         const struct calltree *expected)
{
	assert_int_equal(tree->node_count, expected->node_count);
	for (uint32_t i = 0; i < tree->node_count; i++) {
		const struct calltree_node *a = &tree->nodes[i];
		const struct calltree_node *b = &expected->nodes[i];

		assert_int_equal(a->frame, b->frame);
		assert_int_equal(a->parent, b->parent);
		assert_int_equal(a->first_child, b->first_child);
		assert_int_equal(a->next_sibling, b->next_sibling);
		assert_int_equal(a->depth, b->depth);
		assert_int_equal(a->reports, b->reports);
		assert_int_equal(a->self_samples, b->self_samples);
		assert_int_equal(a->self_cost_us, b->self_cost_us);
	}
}

/** Trees of so many stacks each, joined in both ways. */
static void assert_joined(size_t stacks, unsigned jobs)
{
	SCOPED(calltree_release) struct calltree into = { 0 };
	SCOPED(calltree_release) struct calltree expected = { 0 };
	SCOPED(calltree_release) struct calltree from = { 0 };
	SCOPED(mem_drop) uint32_t *node_of = NULL;
	SCOPED(mem_drop) uint32_t *expected_of = NULL;
	uint32_t numbers[FRAMES];
	const struct calltree_frames frames = { numbers, FRAMES + 3 };
	uint32_t state = 1;

	for (uint32_t i = 0; i < FRAMES; i++)
		numbers[i] = i < FRAMES / 2 ? i : FRAMES + 2 - (i - FRAMES / 2);
	add_stacks(&into, &state, stacks);
	state = 1;
	add_stacks(&expected, &state, stacks);
	add_stacks(&from, &state, stacks);
	node_of = mem_zalloc(from.node_count, sizeof(*node_of));
	expected_of = mem_zalloc(from.node_count, sizeof(*expected_of));
	join_calls(&expected, &from, &frames, expected_of);
	assert_true(calltree_join(&into, &from, &frames, node_of, jobs));
	assert_trees(&into, &expected);
	assert_memory_equal(node_of, expected_of,
	                    from.node_count * sizeof(*node_of));
	// What is added later is found all the same.
	add_stacks(&into, &state, stacks / 2);
	state = 1;
	add_stacks(&into, &state, stacks);
	assert_true(into.node_count > expected.node_count || stacks < 2);
}

static void a_call_is_added_where_it_is_not_there_yet(void **state UNUSED)
{
	assert_joined(1, 1);
	assert_joined(100, 1);
}

static void jobs_join_what_one_would(void **state UNUSED)
{
	assert_joined(20000, 1);
	assert_joined(20000, 2);
	assert_joined(20000, 5);
}

static void a_tree_that_has_no_room_for_all_stays_as_it_is(void **state UNUSED)
{
	SCOPED(calltree_release) struct calltree into = { 0 };
	SCOPED(calltree_release) struct calltree expected = { 0 };
	SCOPED(calltree_release) struct calltree from = { 0 };
	const uint32_t numbers[] = { 0, 1, 2 };
	const struct calltree_frames frames = { numbers, 3 };
	uint32_t node_of[4];

	assert_false(calltree_join(&into, &from, &frames, node_of, 1));
	calltree_add(&into, (const uint32_t[]){ 0, 1 }, 2);
	calltree_add(&expected, (const uint32_t[]){ 0, 1 }, 2);
	assert_true(calltree_join(&into, &from, &frames, node_of, 1));
	calltree_add(&from, (const uint32_t[]){ 0, 1, 2 }, 3);
	into.node_limit = 3;
	assert_false(calltree_join(&into, &from, &frames, node_of, 1));
	assert_trees(&into, &expected);
	into.node_limit = 4;
	assert_true(calltree_join(&into, &from, &frames, node_of, 1));
	assert_int_equal(into.node_count, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_is_added_where_it_is_not_there_yet),
		cmocka_unit_test(jobs_join_what_one_would),
		cmocka_unit_test(
		        a_tree_that_has_no_room_for_all_stays_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

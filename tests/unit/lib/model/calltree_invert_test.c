// SPDX-License-Identifier: MIT
#include "lib/model/calltree_invert.h"

#include "lib/base/mem.h"
#include "lib/base/str.h"
#include "lib/model/calltree_walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

struct written {
	uint64_t address;
	uint64_t samples;
	uint32_t parent; ///< CALLTREE_ROOT: innermost
};

/** A tree as reports write it; node 1 is the first. */
static bool invert(const struct written *nodes, size_t count,
                   struct calltree *ret)
{
	SCOPED(calltree_release) struct calltree tree = { 0 };
	SCOPED(mem_drop)
	struct calltree_identity *identities =
	        mem_zalloc(count + 1, sizeof(*identities));

	for (uint32_t i = 0; i < count; i++) {
		uint32_t node =
		        calltree_append(&tree, NULL, nodes[i].parent, i);

		tree.nodes[node].samples = nodes[i].samples;
		identities[node].address = nodes[i].address;
	}
	return calltree_invert(&tree, identities, ret);
}

/** A line a node: its depth as blanks, the address, the samples. */
static void assert_inverted(const struct written *nodes, size_t count,
                            const char *expected)
{
	SCOPED(calltree_release) struct calltree made = { 0 };
	SCOPED(str_release) struct str text = { 0 };

	assert_true(invert(nodes, count, &made));
	for (uint32_t i = calltree_next(&made, CALLTREE_ROOT); i;
	     i = calltree_next(&made, i)) {
		const struct calltree_node *node = &made.nodes[i];

		str_add_repeat(&text, ' ', node->depth - 1);
		str_addf(&text, "%llu %llu%s\n",
		         (unsigned long long)nodes[node->frame].address,
		         (unsigned long long)node->samples,
		         node->first_child ? "" : " leaf");
	}
	assert_string_equal(str_cstr(&text), expected);
}

static void a_node_passes_on_what_its_children_do_not_have(void **state UNUSED)
{
	// Innermost first, as reports that begin with the leaf write it.
	static const struct written nodes[] = {
		{ 1, 10, 0 }, { 2, 6, 1 }, { 3, 4, 2 },
		{ 9, 5, 0 },  { 2, 5, 4 }, { 3, 5, 5 },
	};

	assert_inverted(nodes, ARRAY_SIZE(nodes),
	                "1 4 leaf\n"
	                "2 2\n"
	                " 1 2 leaf\n"
	                "3 9\n"
	                " 2 9\n"
	                "  1 4 leaf\n"
	                "  9 5 leaf\n");
}

static void children_that_exceed_their_parent_leave_it_nothing(
        void **state UNUSED)
{
	static const struct written nodes[] = {
		{ 1, 10, 0 },
		{ 2, 6, 1 },
		{ 3, 7, 1 },
	};

	assert_inverted(nodes, ARRAY_SIZE(nodes),
	                "2 6\n"
	                " 1 6 leaf\n"
	                "3 7\n"
	                " 1 7 leaf\n");
}

static void nodes_of_one_frame_are_merged_where_they_meet(void **state UNUSED)
{
	static const struct written nodes[] = {
		{ 1, 3, 0 },
		{ 7, 3, 1 },
		{ 2, 4, 0 },
		{ 7, 4, 3 },
	};
	SCOPED(calltree_release) struct calltree made = { 0 };

	assert_true(invert(nodes, ARRAY_SIZE(nodes), &made));
	assert_int_equal(made.node_count, 4);
	assert_int_equal(made.nodes[1].frame, 1);
	assert_int_equal(made.nodes[1].samples, 7);
}

static void a_tree_that_costs_too_much_is_refused(void **state UNUSED)
{
	size_t most = CALLTREE_INVERT_STEPS_MAX;
	SCOPED(mem_drop)
	struct written *nodes = mem_zalloc(most + 1, sizeof(*nodes));
	SCOPED(calltree_release) struct calltree made = { 0 };
	SCOPED(calltree_release) struct calltree refused = { 0 };

	for (size_t i = 0; i <= most; i++)
		nodes[i].samples = 1;
	assert_true(invert(nodes, most, &made));
	assert_int_equal(made.node_count, 2);
	assert_int_equal(made.nodes[1].samples, most);
	assert_false(invert(nodes, most + 1, &refused));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		        a_node_passes_on_what_its_children_do_not_have),
		cmocka_unit_test(
		        children_that_exceed_their_parent_leave_it_nothing),
		cmocka_unit_test(nodes_of_one_frame_are_merged_where_they_meet),
		cmocka_unit_test(a_tree_that_costs_too_much_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

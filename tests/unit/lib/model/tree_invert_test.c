#include "lib/model/tree_invert.h"

#include "lib/base/mem.h"
#include "lib/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define NONE TREE_INVERT_NO_NODE

/** A line a node: its depth as blanks, the address, the samples. */
static void assert_inverted(const struct tree_invert_node *nodes, size_t count,
                            const char *expected)
{
	const struct tree_invert_source source = { nodes, count };
	SCOPED(mem_drop) struct tree_inverted *made = NULL;
	SCOPED(str_release) struct str text = { 0 };
	size_t made_count = 0;

	assert_true(tree_invert(&source, &made, &made_count));
	for (size_t i = 0; i < made_count; i++) {
		str_add_repeat(&text, ' ', made[i].depth);
		str_addf(&text, "%llu %llu%s\n",
		         (unsigned long long)nodes[made[i].node].address,
		         (unsigned long long)made[i].samples,
		         made[i].is_leaf ? " leaf" : "");
	}
	assert_string_equal(str_cstr(&text), expected);
}

static void a_node_passes_on_what_its_children_do_not_have(void **state UNUSED)
{
	// Innermost first, as reports that begin with the leaf write it.
	static const struct tree_invert_node nodes[] = {
		{ 1, { 0 }, 10, NONE }, { 2, { 0 }, 6, 0 }, { 3, { 0 }, 4, 1 },
		{ 9, { 0 }, 5, NONE },  { 2, { 0 }, 5, 3 }, { 3, { 0 }, 5, 4 },
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
	static const struct tree_invert_node nodes[] = {
		{ 1, { 0 }, 10, NONE },
		{ 2, { 0 }, 6, 0 },
		{ 3, { 0 }, 7, 0 },
	};

	assert_inverted(nodes, ARRAY_SIZE(nodes),
	                "2 6\n"
	                " 1 6 leaf\n"
	                "3 7\n"
	                " 1 7 leaf\n");
}

static void a_tree_that_costs_too_much_is_refused(void **state UNUSED)
{
	size_t most = TREE_INVERT_STEPS_MAX;
	struct tree_invert_node *nodes = mem_zalloc(most + 1, sizeof(*nodes));
	struct tree_invert_source source = { nodes, most };
	struct tree_inverted *made = NULL;
	size_t count = 0;

	for (size_t i = 0; i <= most; i++)
		nodes[i] = (struct tree_invert_node){ .samples = 1,
			                              .parent = NONE };
	assert_true(tree_invert(&source, &made, &count));
	assert_int_equal(count, 1);
	assert_int_equal(made[0].samples, most);
	free(made);
	source.count++;
	made = NULL;
	assert_false(tree_invert(&source, &made, &count));
	free(nodes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		        a_node_passes_on_what_its_children_do_not_have),
		cmocka_unit_test(
		        children_that_exceed_their_parent_leave_it_nothing),
		cmocka_unit_test(a_tree_that_costs_too_much_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

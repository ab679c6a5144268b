// SPDX-License-Identifier: MIT
#include "lib/analysis/lag/heaviest.h"

#include "tests/unit/lib/analysis/lag/hang.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/** Sample stacks, each a word with a letter for a frame. */
static void sample(struct hang *hang, const char *stacks)
{
	struct text rest = text_from(stacks);

	while (rest.size) {
		struct text word = text_first(rest, text_find_char(rest, ' '));
		uint32_t frames[16];

		rest = text_after(rest, word.size + 1);
		for (size_t i = 0; i < word.size; i++)
			frames[i] =
			        intern_add(&hang->names,
			                   (struct text){ word.data + i, 1 });
		profile_add(&hang->report.profile, frames, word.size, 1, 50000);
	}
}

static void assert_heaviest(const struct hang *hang,
                            enum lag_heaviest_rule rule, const char *stack,
                            uint64_t samples)
{
	struct lag_heaviest heaviest =
	        lag_heaviest_find(&hang->report.profile, rule);
	uint32_t frames[16];
	char found[17] = "";

	calltree_stack(&hang->report.profile.stacks, heaviest.node, frames);
	for (uint32_t i = 0;
	     i < hang->report.profile.stacks.nodes[heaviest.node].depth; i++)
		found[i] = *intern_cstr(&hang->names, frames[i]);
	assert_string_equal(found, stack);
	assert_int_equal(heaviest.samples, samples);
}

// Samples of func1 to func8; the innermost function and the depth decide.
static void the_founding_example_gives_func1_to_func4(void **state)
{
	struct hang *hang = *state;

	sample(hang, "12345 12346 12346 12347 1234 1234 1234 12348");
	assert_heaviest(hang, LAG_HEAVIEST_TOP_DEPTH, "1234", 3);
	assert_heaviest(hang, LAG_HEAVIEST_TOP, "1234", 3);
	assert_heaviest(hang, LAG_HEAVIEST_RUN, "1234", 3);
}

static void the_depth_shows_recursion(void **state)
{
	struct hang *hang = *state;

	sample(hang, "af aaf aaaf ab ab c");
	assert_heaviest(hang, LAG_HEAVIEST_TOP_DEPTH, "ab", 2);
	assert_heaviest(hang, LAG_HEAVIEST_TOP, "aaaf", 3);
	assert_heaviest(hang, LAG_HEAVIEST_RUN, "aaaf", 3);
}

static void equal_ends_meet_whatever_called_them(void **state)
{
	struct hang *hang = *state;

	sample(hang, "axf ayf azf ab ab azf ayf");
	assert_heaviest(hang, LAG_HEAVIEST_TOP_DEPTH, "ayf", 5);
	assert_heaviest(hang, LAG_HEAVIEST_RUN, "azf", 3);
}

static void a_run_is_broken_by_any_other_sample(void **state)
{
	struct hang *hang = *state;

	sample(hang, "a b a b a b b a");
	assert_heaviest(hang, LAG_HEAVIEST_TOP, "a", 4);
	assert_heaviest(hang, LAG_HEAVIEST_RUN, "b", 2);
}

static void the_newest_wins_a_tie(void **state)
{
	struct hang *hang = *state;

	sample(hang, "ax by by ax");
	assert_heaviest(hang, LAG_HEAVIEST_TOP_DEPTH, "ax", 2);
	assert_heaviest(hang, LAG_HEAVIEST_TOP, "ax", 2);
	assert_heaviest(hang, LAG_HEAVIEST_RUN, "by", 2);
	sample(hang, "by cz cz");
	assert_heaviest(hang, LAG_HEAVIEST_TOP_DEPTH, "by", 3);
	assert_heaviest(hang, LAG_HEAVIEST_RUN, "cz", 2);
}

static void inner_nodes_are_ends_too(void **state)
{
	struct hang *hang = *state;

	sample(hang, "abc a a");
	assert_heaviest(hang, LAG_HEAVIEST_TOP_DEPTH, "a", 2);
}

static void of_a_tree_the_first_in_the_file_wins(void **state)
{
	struct hang *hang = *state;

	sample(hang, "axf byf byf azf c c c");
	hang->report.profile.from_nodes = true;
	assert_heaviest(hang, LAG_HEAVIEST_TOP_DEPTH, "axf", 4);
	assert_heaviest(hang, LAG_HEAVIEST_RUN, "axf", 4);
	sample(hang, "c");
	assert_heaviest(hang, LAG_HEAVIEST_TOP, "axf", 4);
	hang->report.profile.from_nodes = false;
	assert_heaviest(hang, LAG_HEAVIEST_TOP, "c", 4);
	assert_heaviest(hang, LAG_HEAVIEST_RUN, "c", 4);
}

static void weights_are_samples(void **state)
{
	struct hang *hang = *state;
	uint32_t frames[] = { intern_add(&hang->names, text_from("h")) };

	profile_add(&hang->report.profile, frames, 1, UINT64_MAX, 1);
	profile_add(&hang->report.profile, frames, 1, UINT64_MAX, 1);
	sample(hang, "a a");
	assert_heaviest(hang, LAG_HEAVIEST_TOP_DEPTH, "h", UINT64_MAX);
	assert_heaviest(hang, LAG_HEAVIEST_RUN, "h", UINT64_MAX);
}

static void without_samples_there_is_none(void **state)
{
	struct hang *hang = *state;
	uint32_t frames[] = { 0 };

	for (int rule = LAG_HEAVIEST_TOP_DEPTH; rule <= LAG_HEAVIEST_RUN;
	     rule++) {
		struct lag_heaviest heaviest = lag_heaviest_find(
		        &hang->report.profile, (enum lag_heaviest_rule)rule);

		assert_int_equal(heaviest.node, CALLTREE_ROOT);
		assert_int_equal(heaviest.samples, 0);
	}
	// Time alone is no sample.
	profile_add(&hang->report.profile, frames, 1, 0, 50000);
	assert_int_equal(
	        lag_heaviest_find(&hang->report.profile, LAG_HEAVIEST_TOP).node,
	        CALLTREE_ROOT);
	assert_int_equal(
	        lag_heaviest_find(&hang->report.profile, LAG_HEAVIEST_RUN).node,
	        CALLTREE_ROOT);
}

static void many_stacks_are_counted_exactly(void **state)
{
	struct hang *hang = *state;
	uint32_t frames[2];

	// Frame 500 ends most; each at depth 2, below 1000 callers.
	for (uint32_t i = 0; i < 100000; i++) {
		frames[0] = i % 1000;
		frames[1] = i % 777;
		profile_add(&hang->report.profile, frames, 2, 1, 1);
		if (i % 777 == 500)
			profile_add(&hang->report.profile, frames, 2, 1, 1);
	}
	assert_int_equal(
	        lag_heaviest_find(&hang->report.profile, LAG_HEAVIEST_TOP_DEPTH)
	                .samples,
	        2 * (100000 / 777 + (100000 % 777 > 500)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_HANG(the_founding_example_gives_func1_to_func4),
		IN_HANG(the_depth_shows_recursion),
		IN_HANG(equal_ends_meet_whatever_called_them),
		IN_HANG(a_run_is_broken_by_any_other_sample),
		IN_HANG(the_newest_wins_a_tie),
		IN_HANG(inner_nodes_are_ends_too),
		IN_HANG(of_a_tree_the_first_in_the_file_wins),
		IN_HANG(weights_are_samples),
		IN_HANG(without_samples_there_is_none),
		IN_HANG(many_stacks_are_counted_exactly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

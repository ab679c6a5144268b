// SPDX-License-Identifier: MIT
/**
 * Call trees for tests of formatters, from collapsed stacks; and back.
 */
#ifndef APMTOOL_TESTS_UNIT_CALLTREE_BUILDER_H
#define APMTOOL_TESTS_UNIT_CALLTREE_BUILDER_H

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/model/calltree_before.h"
#include "tests/unit/formatters/rendered.h"

/** More names than a test needs. */
#define BUILT_FRAMES 64

struct built_tree {
	struct calltree tree;
	struct calltree_before before;
	struct calltree_frame frames[BUILT_FRAMES];
};

static UNUSED void built_tree_release(struct built_tree *built)
{
	calltree_release(&built->tree);
	calltree_before_release(&built->before);
}

/** The number of the frame called @p name, which must outlive the tree. */
static UNUSED uint32_t built_frame(struct built_tree *built, const char *name)
{
	struct calltree *tree = &built->tree;

	for (uint32_t i = 0; i < tree->frame_count; i++)
		if (!strcmp(built->frames[i].name, name))
			return i;
	assert_true(tree->frame_count < BUILT_FRAMES);
	built->frames[tree->frame_count] = (struct calltree_frame){
		.name = name,
		.kind = CALLTREE_SYSTEM,
		.is_symbol = true,
	};
	tree->frames = built->frames;
	return (uint32_t)tree->frame_count++;
}

/** Samples of 50 ms each in a stack; @p names end with NULL. */
static UNUSED uint32_t built_add(struct built_tree *built, uint64_t samples,
                                 const char *const *names)
{
	uint32_t frames[BUILT_FRAMES];
	size_t count = 0;
	uint32_t node;

	for (; names[count]; count++)
		frames[count] = built_frame(built, names[count]);
	node = calltree_add(&built->tree, frames, count);
	built->tree.nodes[node].self_samples += samples;
	built->tree.nodes[node].self_cost_us += samples * 50000;
	calltree_sum(&built->tree);
	return node;
}

#define BUILT_STACK(built, samples, ...) \
	built_add((built), (samples), (const char *[]){ __VA_ARGS__, NULL })

/** What each node weighed before, whatever would be the sum of it. */
static UNUSED void built_before(struct built_tree *built,
                                const struct calltree_weight *weights,
                                size_t count)
{
	struct calltree_before *before = &built->before;

	calltree_before_release(before);
	before->samples.wide = mem_zalloc(count, sizeof(uint64_t));
	before->cost_us.wide = mem_zalloc(count, sizeof(uint64_t));
	for (uint32_t i = 0; i < count; i++) {
		before->samples.wide[i] = weights[i].samples;
		before->cost_us.wide[i] = weights[i].cost_us;
		MEM_GROW(before->ended, before->ended_count, before->ended_cap);
		before->ended[before->ended_count++] = (struct calltree_ended){
			.node = i,
			.samples = weights[i].self_samples,
			.cost_us = weights[i].self_cost_us,
		};
	}
	built->tree.before = before;
}

struct rendered_calltree {
	const struct formatter *formatter;
	const struct calltree *tree;
	struct format_options options;
};

static UNUSED void render_calltree(struct out *out, const void *context)
{
	const struct rendered_calltree *what = context;

	what->formatter->calltree(what->tree, &what->options, out);
}

/** @p tree in a format. Free with free(). */
static UNUSED char *rendered_tree(const struct formatter *formatter,
                                  const struct calltree *tree,
                                  const struct format_options *options)
{
	struct rendered_calltree what = {
		.formatter = formatter,
		.tree = tree,
		.options = options ? *options : (struct format_options){ 0 },
	};

	return render_with(render_calltree, &what);
}

static UNUSED void assert_tree(const struct formatter *formatter,
                               const struct calltree *tree,
                               const struct format_options *options,
                               const char *expected)
{
	SCOPED(mem_drop) char *text = rendered_tree(formatter, tree, options);

	assert_string_equal(text, expected);
}

#endif

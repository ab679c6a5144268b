// SPDX-License-Identifier: MIT
/*
 * The `folded` format: collapsed stacks for flamegraph tools: one stack per
 * line, outermost frame first, `;` between frames, then a blank and the number
 * of samples that ended there; of a tree by cost, whole microseconds, so that
 * sums stay exact. In a comparison the older number comes first, as in
 * difffolded.pl.
 *
 * Lines are sorted by frames, from the outermost on, in byte order: a stack
 * precedes its extensions. In chronological order, the order is the tree's.
 * Stacks with equal names are one line in both cases.
 *
 * The format has no escapes. Special characters in names are replaced as by the
 * stackcollapse tools, or made visible:
 *
 * - `;` becomes `:`, a tab a blank, other control characters `\x0a`
 * - a number after a blank at the end of a name would be read as one of the two
 *   numbers of a comparison: `Demo + 51500` becomes `Demo+51500`, and `Block
 *   12` becomes `Block_12`
 */
#include "formatters/formatter.h"
#include "lib/base/arena.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/utf8.h"
#include "lib/model/calltree_before.h"
#include "lib/model/calltree_walk.h"

#include <inttypes.h>
#include <stdlib.h>

/** State of the walk. */
struct folder {
	const struct calltree *tree;
	struct arena arena;
	struct text *names; ///< by frame, as they are written
	uint32_t *ranks;
	bool by_time; ///< the tree has the order of lines
	struct calltree_turns turns;
	/** Siblings with equal names, merged into one frame. */
	uint32_t *group;
	size_t group_count;
	size_t group_cap;
	struct stack_text stack;
};

static void folder_release(struct folder *f)
{
	arena_release(&f->arena);
	free(f->names);
	free(f->ranks);
	calltree_turns_release(&f->turns);
	free(f->group);
	stack_text_release(&f->stack);
}

/** Join a number at the end to the word before it. */
static void join_number(struct str *name)
{
	size_t at = name->size;

	while (at &&
	       (text_is_digit(name->data[at - 1]) || name->data[at - 1] == '.'))
		at--;
	if (at == name->size || !at || name->data[at - 1] != ' ')
		return;
	if (at < 3 || memcmp(name->data + at - 3, " + ", 3) != 0) {
		name->data[at - 1] = '_';
		return;
	}
	name->data[at - 3] = '+';
	memmove(name->data + at - 2, name->data + at, name->size - at);
	name->size -= 2;
}

static struct text folded_name(struct folder *f, struct str *scratch,
                               const struct calltree_frame *frame)
{
	str_clear(scratch);
	utf8_add_visible(scratch, text_from(calltree_name(frame)));
	for (size_t i = 0; i < scratch->size; i++) {
		if (scratch->data[i] == ';')
			scratch->data[i] = ':';
		else if (scratch->data[i] == '\t')
			scratch->data[i] = ' ';
	}
	join_number(scratch);
	return (struct text){ arena_text(&f->arena, str_text(scratch)),
		              scratch->size };
}

static void name_frames(struct folder *f)
{
	SCOPED(str_release) struct str scratch = { 0 };
	size_t count = f->tree->frame_count;

	f->names = mem_zalloc(count, sizeof(*f->names));
	for (size_t i = 0; i < count; i++)
		f->names[i] = folded_name(f, &scratch, &f->tree->frames[i]);
	f->ranks = calltree_rank_names(f->names, count);
}

static void add_children(struct folder *f, uint32_t node)
{
	const struct calltree_node *nodes = f->tree->nodes;

	for (uint32_t child = nodes[node].first_child; child;
	     child = nodes[child].next_sibling)
		calltree_turns_add(&f->turns, 0, f->ranks[nodes[child].frame],
		                   child);
}

/** Take the next node, and all its siblings with that name. */
static void take_group(struct folder *f)
{
	const struct calltree_node *nodes = f->tree->nodes;
	const struct calltree_turn *turns = f->turns.turns;
	const struct calltree_turn first = turns[f->turns.count - 1];

	f->group_count = 0;
	do {
		uint32_t node = turns[--f->turns.count].node;

		MEM_GROW(f->group, f->group_count, f->group_cap);
		f->group[f->group_count++] = node;
		// The lists of two callers are never adjacent on the stack.
	} while (f->turns.count &&
	         turns[f->turns.count - 1].rank == first.rank &&
	         nodes[turns[f->turns.count - 1].node].depth ==
	                 nodes[first.node].depth);
}

static void add_line(const struct folder *f, struct str *lines)
{
	const struct calltree *tree = f->tree;
	uint64_t before = 0;
	uint64_t now = 0;

	for (size_t i = 0; i < f->group_count; i++) {
		uint32_t node = f->group[i];
		const struct calltree_weight old =
		        calltree_weight_before(tree, node);

		now = number_sum(now, calltree_self_of(tree, node));
		before = number_sum(before, calltree_self(tree, &old));
	}
	if (!now && !before)
		return;
	str_add_text(lines, str_text(&f->stack.text));
	if (tree->before)
		str_addf(lines, " %" PRIu64, before);
	str_addf(lines, " %" PRIu64 "\n", now);
}

/** Sort from @p start on; siblings with equal names stay together. */
static void sort_turns(struct folder *f, size_t start)
{
	struct calltree_turn *turns = f->turns.turns;
	size_t first = start;

	calltree_turns_sort(&f->turns, start);
	if (!f->by_time)
		return;
	// The first of a name is the last of its run, and determines its
	// position.
	for (size_t end = f->turns.count; end > start; end = first) {
		for (first = end; first > start &&
		                  turns[first - 1].rank == turns[end - 1].rank;
		     first--)
			turns[first - 1].key = turns[end - 1].order;
	}
	calltree_turns_sort(&f->turns, start);
}

/** The callees of the group, in their order, are next. */
static void enter_group(struct folder *f)
{
	size_t start = f->turns.count;

	for (size_t i = 0; i < f->group_count; i++)
		add_children(f, f->group[i]);
	sort_turns(f, start);
}

static void enter_name(struct folder *f, uint32_t node)
{
	const struct calltree_node *nodes = f->tree->nodes;

	stack_text_enter(&f->stack, nodes[node].depth, ';',
	                 f->names[nodes[node].frame]);
}

static void folded_calltree(const struct calltree *tree,
                            const struct format_options *options,
                            struct out *out)
{
	SCOPED(folder_release)
	struct folder f = {
		.tree = tree,
		.by_time = options->order == CALL_ORDER_TIME,
	};

	if (!tree->node_count)
		return;
	name_frames(&f);
	add_children(&f, CALLTREE_ROOT);
	sort_turns(&f, 0);
	while (f.turns.count) {
		take_group(&f);
		enter_name(&f, f.group[0]);
		add_line(&f, out_str(out));
		enter_group(&f);
	}
}

const struct formatter folded_formatter = {
	.name = "folded",
	.summary = "call trees as collapsed stacks, for flame graph tools",
	.takes_weights = true,
	.has_call_orders = true,
	.calltree = folded_calltree,
};

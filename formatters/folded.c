/*
 * The `folded` format: collapsed stacks, as stackcollapse tools write and
 * flamegraph tools read them: a line a stack, outermost frame first, `;`
 * between frames, then a blank and how many samples ended there; of a tree
 * that shows costs, whole microseconds, so that sums stay exact. A tree that
 * is compared with an older one has the older number before its own, as
 * difffolded.pl writes it.
 *
 * Lines are ordered by their frames, from the outermost on, each by its bytes:
 * a stack precedes those that go on from it. In the order of time, it is that
 * of the tree. Stacks of equal names are one line in either.
 *
 * The format has no escapes. What a name cannot hold is replaced as the
 * stackcollapse tools do, or made visible:
 *
 * - `;` becomes `:`, a tab a blank, other control characters `\x0a`
 * - a number after a blank at the end of a name would be read as one of the
 *   two numbers of a comparison: `Demo + 51500` becomes `Demo+51500`, and
 *   `Block 12` becomes `Block_12`
 */
#include "formatters/formatter.h"
#include "lib/base/arena.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/base/parallel.h"
#include "lib/base/turns.h"
#include "lib/base/utf8.h"
#include "lib/model/calltree_before.h"
#include "lib/model/calltree_walk.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

/** What all jobs read. */
struct folding {
	const struct calltree *tree;
	struct out *out;
	struct arena arena;
	struct text *names; ///< by frame, as they are written
	uint32_t *ranks;
	bool by_time; ///< the tree has the order of lines
};

/** What a walk through a part of the tree works with. */
struct folder {
	const struct folding *folding;
	struct calltree_turns turns;
	/** Siblings of one name, which are one frame here. */
	uint32_t *group;
	size_t group_count;
	size_t group_cap;
	struct stack_text stack;
	uint32_t *path; ///< to where the walk begins
	size_t path_cap;
	struct str lines; ///< that wait to be written
};

static void folding_release(struct folding *f)
{
	arena_release(&f->arena);
	free(f->names);
	free(f->ranks);
}

static void folder_release(struct folder *f)
{
	calltree_turns_release(&f->turns);
	free(f->group);
	stack_text_release(&f->stack);
	free(f->path);
	str_release(&f->lines);
}

/** Join a number at the end to what precedes the blank. */
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

static struct text folded_name(struct folding *f, struct str *scratch,
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

static void name_frames(struct folding *f)
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
	const struct calltree_node *nodes = f->folding->tree->nodes;

	for (uint32_t child = nodes[node].first_child; child;
	     child = nodes[child].next_sibling)
		calltree_turns_add(&f->turns, 0,
		                   f->folding->ranks[nodes[child].frame],
		                   child);
}

/** Take the next node, and all of its siblings that have its name. */
static void take_group(struct folder *f)
{
	const struct calltree_node *nodes = f->folding->tree->nodes;
	const struct calltree_turn *turns = f->turns.turns;
	const struct calltree_turn first = turns[f->turns.count - 1];

	f->group_count = 0;
	do {
		uint32_t node = turns[--f->turns.count].node;

		MEM_GROW(f->group, f->group_count, f->group_cap);
		f->group[f->group_count++] = node;
		// One level never waits beside another list of the same.
	} while (f->turns.count &&
	         turns[f->turns.count - 1].rank == first.rank &&
	         nodes[turns[f->turns.count - 1].node].depth ==
	                 nodes[first.node].depth);
}

static void add_line(struct folder *f)
{
	const struct calltree *tree = f->folding->tree;
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
	str_add_text(&f->lines, str_text(&f->stack.text));
	if (tree->before)
		str_addf(&f->lines, " %" PRIu64, before);
	str_addf(&f->lines, " %" PRIu64 "\n", now);
}

/** Sort from the turn @p start on; those of one name stay together. */
static void sort_turns(struct folder *f, size_t start)
{
	struct calltree_turn *turns = f->turns.turns;
	size_t first = start;

	calltree_turns_sort(&f->turns, start);
	if (!f->folding->by_time)
		return;
	// The first of a name is the last of its run, and has its turn for it.
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
	const struct calltree_node *nodes = f->folding->tree->nodes;

	stack_text_enter(&f->stack, nodes[node].depth, ';',
	                 f->folding->names[nodes[node].frame]);
}

/** The names of all who called the group, too: those of its first node. */
static void enter_names(struct folder *f)
{
	const struct calltree_node *nodes = f->folding->tree->nodes;
	uint32_t depth = nodes[f->group[0]].depth;

	MEM_ROOM(f->path, (size_t)depth + 1, f->path_cap);
	for (uint32_t node = f->group[0]; node; node = nodes[node].parent)
		f->path[nodes[node].depth] = node;
	for (uint32_t i = 1; i <= depth; i++)
		enter_name(f, f->path[i]);
}

// Parts: jobs walk through some each, and write their lines in turn

/** Parts that each job gets, on average: they differ in size. */
#define PARTS_OF_JOB 128
/** Levels to descend at most while looking for enough parts. */
#define PART_LEVELS 64
/** Lines of more bytes do not wait for those of others. */
#define LINES_BYTES ((size_t)256 << 10)

/** A group of siblings: its own line, and what is below it. */
struct part {
	size_t first; ///< of the nodes of all parts
	size_t count;
	bool is_line; ///< without what is below
};

struct parts {
	uint32_t *nodes;
	size_t node_count;
	size_t node_cap;
	struct part *items; ///< in the order of their lines
	size_t count;
	size_t cap;
};

static void parts_release(struct parts *parts)
{
	free(parts->nodes);
	free(parts->items);
}

static void add_part(struct parts *parts, const struct folder *f, bool is_line)
{
	MEM_GROW(parts->items, parts->count, parts->cap);
	parts->items[parts->count++] = (struct part){
		.first = parts->node_count,
		.count = f->group_count,
		.is_line = is_line,
	};
	for (size_t i = 0; i < f->group_count; i++) {
		MEM_GROW(parts->nodes, parts->node_count, parts->node_cap);
		parts->nodes[parts->node_count++] = f->group[i];
	}
}

/** A part for each group that waits. */
static void add_parts(struct parts *parts, struct folder *f)
{
	while (f->turns.count) {
		take_group(f);
		add_part(parts, f, false);
	}
}

static void take_part(struct folder *f, const struct parts *parts,
                      const struct part *part)
{
	f->group_count = 0;
	for (size_t i = 0; i < part->count; i++) {
		MEM_GROW(f->group, f->group_count, f->group_cap);
		f->group[f->group_count++] = parts->nodes[part->first + i];
	}
}

/** Make a part of each callee of the parts; false: there is none. */
static bool divide(struct parts *parts, struct folder *f)
{
	struct parts below = { 0 };
	bool has_callees = false;

	for (size_t i = 0; i < parts->count; i++) {
		size_t before = below.count;

		take_part(f, parts, &parts->items[i]);
		add_part(&below, f, true);
		if (parts->items[i].is_line)
			continue;
		enter_group(f);
		add_parts(&below, f);
		has_callees |= below.count > before + 1;
	}
	parts_release(parts);
	*parts = below;
	return has_callees;
}

static void make_parts(struct parts *parts, const struct folding *folding,
                       size_t wanted)
{
	SCOPED(folder_release) struct folder f = { .folding = folding };

	add_children(&f, CALLTREE_ROOT);
	sort_turns(&f, 0);
	add_parts(parts, &f);
	for (unsigned i = 0; i < PART_LEVELS && parts->count < wanted; i++)
		if (!divide(parts, &f))
			break;
}

/** Jobs that share the parts, several at a time: a share has a number. */
struct sharing {
	const struct folding *folding;
	struct parts parts;
	size_t shares;
	atomic_size_t taken;
	struct turns writing; ///< by share
};

/** Shares of one job whose lines wait, up to the one that it is at. */
struct waiting {
	size_t first;
	size_t last;
	bool any;
};

/** Write the lines that wait; then it is the turn of the last share. */
static void write_lines(struct sharing *sharing, struct folder *f,
                        struct waiting *waiting)
{
	turns_wait(&sharing->writing, waiting->first);
	for (; waiting->first < waiting->last; waiting->first++)
		turns_pass(&sharing->writing);
	out_add_bytes(sharing->folding->out, f->lines.data, f->lines.size);
	str_clear(&f->lines);
}

/** The same where the last share is done. */
static void end_shares(struct sharing *sharing, struct folder *f,
                       struct waiting *waiting)
{
	if (!waiting->any)
		return;
	write_lines(sharing, f, waiting);
	turns_pass(&sharing->writing);
	waiting->any = false;
}

/** Lines of shares in a row, taken by one job, are written together. */
static void begin_share(struct sharing *sharing, struct folder *f,
                        struct waiting *waiting, size_t share)
{
	if (waiting->any && share != waiting->last + 1)
		end_shares(sharing, f, waiting);
	if (!waiting->any)
		waiting->first = share;
	waiting->last = share;
	waiting->any = true;
}

static void fold_part(struct sharing *sharing, struct folder *f,
                      struct waiting *waiting, const struct part *part)
{
	take_part(f, &sharing->parts, part);
	enter_names(f);
	add_line(f);
	if (part->is_line)
		return;
	enter_group(f);
	while (f->turns.count) {
		take_group(f);
		enter_name(f, f->group[0]);
		add_line(f);
		enter_group(f);
		if (f->lines.size >= LINES_BYTES)
			write_lines(sharing, f, waiting);
	}
}

/** Where a share begins, and the one before it ends. */
static size_t share_start(const struct sharing *sharing, size_t share)
{
	return sharing->parts.count * share / sharing->shares;
}

static void fold_shares(size_t index UNUSED, void *context)
{
	struct sharing *sharing = context;
	SCOPED(folder_release)
	struct folder f = { .folding = sharing->folding };
	struct waiting waiting = { 0 };
	size_t share;

	while ((share = atomic_fetch_add(&sharing->taken, 1)) <
	       sharing->shares) {
		begin_share(sharing, &f, &waiting, share);
		for (size_t i = share_start(sharing, share);
		     i < share_start(sharing, share + 1); i++)
			fold_part(sharing, &f, &waiting,
			          &sharing->parts.items[i]);
	}
	end_shares(sharing, &f, &waiting);
}

static void folded_calltree(const struct calltree *tree,
                            const struct format_options *options,
                            struct out *out)
{
	SCOPED(folding_release)
	struct folding f = {
		.tree = tree,
		.out = out,
		.by_time = options->order == CALL_ORDER_TIME,
	};
	struct sharing sharing = { .folding = &f, .writing = TURNS_INIT };
	unsigned jobs = options->jobs > 1 ? options->jobs : 1;
	size_t wanted = jobs > 1 ? (size_t)jobs * PARTS_OF_JOB : 1;

	if (!tree->node_count)
		return;
	name_frames(&f);
	make_parts(&sharing.parts, &f, wanted);
	sharing.shares = sharing.parts.count < wanted ? sharing.parts.count
	                                              : wanted;
	parallel_each(jobs, jobs, fold_shares, &sharing);
	parts_release(&sharing.parts);
	turns_release(&sharing.writing);
}

const struct formatter folded_formatter = {
	.name = "folded",
	.summary = "call trees as collapsed stacks, for flame graph tools",
	.takes_weights = true,
	.has_call_orders = true,
	.calltree = folded_calltree,
};

// SPDX-License-Identifier: MIT
#include "formatters/flame/rest.h"

#include "formatters/flame/facts.h"
#include "lib/base/base64.h"
#include "lib/base/intern.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/text/gzip.h"

#include <stdlib.h>

#define NONE FLAME_NO_NUMBER

/** Classes of weights: 64 for each power of two, so that of a class the
 * heaviest weighs 1/64 more than the lightest. Lighter ones are exact. */
#define CLASS_BITS 6
#define CLASSES    (65 << CLASS_BITS)

/**
 * Selects nodes within a limit: all of higher classes, and the first ones in
 * tree order of this class.
 */
struct share {
	unsigned class;
	size_t ties;
};

/**
 * State of writing the frames that are not drawn: a plain part for all
 * browsers, then a compressed part.
 */
struct rest {
	const struct flame *flame;
	uint32_t *numbers;   ///< by node: its number as a caller, or NONE
	uint32_t *functions; ///< by frame: its number here, or NONE
	uint32_t function_count;
	struct share plain;
	struct share packed; ///< nodes in the compressed part
	size_t packed_count;
	size_t left;     ///< lighter nodes
	uint32_t number; ///< of the next node
	bool has_origins;
	struct intern origins; ///< texts about reports
	struct str lines;

	// Of the current part:
	uint32_t functions_before;
	uint32_t origins_before;
	struct str names;
	struct str nodes;
};

/** Omitted callees of a node. */
struct left {
	size_t count;
	uint64_t now;
	uint64_t before;
};

static void rest_release(struct rest *rest)
{
	free(rest->functions);
	str_release(&rest->names);
	str_release(&rest->nodes);
	intern_release(&rest->origins);
	str_release(&rest->lines);
}

void flame_add_class(struct str *out, const struct calltree_frame *frame)
{
	str_add_char(out, frame->kind == CALLTREE_APP ? 'a' : 's');
	str_add_number(out, flame_shade(calltree_name(frame)));
}

/** The greater of both sides: so a caller has no less than its callees. */
static uint64_t weight_of(const struct calltree *tree, uint32_t node)
{
	uint64_t now = flame_weight(tree, node);
	uint64_t before = tree->before ? flame_before(tree, node) : 0;

	return now > before ? now : before;
}

/** 0 for no weight; higher for more. */
static unsigned class_of(uint64_t weight)
{
	unsigned digits;

	if (weight < (uint64_t)1 << CLASS_BITS)
		return (unsigned)weight;
	digits = 63 - (unsigned)__builtin_clzll(weight) - CLASS_BITS;
	return ((digits + 1) << CLASS_BITS) |
	       ((unsigned)(weight >> digits) & ((1u << CLASS_BITS) - 1));
}

/** The heaviest @p max nodes; nodes without weight were never sampled. */
static struct share share_of(const size_t *counts, size_t max)
{
	unsigned class = CLASSES - 1;

	for (; class && counts[class] <= max; class --)
		max -= counts[class];
	return (struct share){ .class = class, .ties = class ? max : 0 };
}

static void find_shares(struct rest *rest)
{
	const struct calltree *tree = rest->flame->tree;
	SCOPED(mem_drop)
	size_t *counts = mem_zalloc(CLASSES, sizeof(*counts));
	size_t count = 0;

	for (uint32_t i = 1; i < tree->node_count; i++)
		if (rest->numbers[i] == NONE)
			counts[class_of(weight_of(tree, i))]++;
	for (unsigned i = 1; i < CLASSES; i++)
		count += counts[i];
	rest->plain = share_of(counts, FLAME_REST_MAX);
	rest->packed = share_of(counts, FLAME_PACKED_MAX);
	if (rest->packed.class == rest->plain.class)
		rest->packed.ties -= rest->plain.ties;
	if (count > FLAME_REST_MAX)
		rest->packed_count = count - FLAME_REST_MAX;
	if (count > FLAME_PACKED_MAX) {
		rest->packed_count = FLAME_PACKED_MAX - FLAME_REST_MAX;
		rest->left = count - FLAME_PACKED_MAX;
	}
}

/** Does the limit include this node? Counts it. */
static bool takes(struct share *share, uint64_t weight)
{
	unsigned class = class_of(weight);

	if (class != share->class || !class)
		return class > share->class;
	if (!share->ties)
		return false;
	share->ties--;
	return true;
}

static uint32_t function_of(struct rest *rest, uint32_t frame)
{
	const struct calltree_frame *named = &rest->flame->tree->frames[frame];

	if (rest->functions[frame] != NONE)
		return rest->functions[frame];
	flame_add_class(&rest->names, named);
	str_add_char(&rest->names, ' ');
	flame_add_name(&rest->names, calltree_name(named));
	str_add_char(&rest->names, '\n');
	flame_add_place(&rest->names, named);
	str_add_char(&rest->names, '\n');
	return rest->functions[frame] = rest->function_count++;
}

/** The number of the text about a node's reports, from 1; or 0. */
static uint32_t origin_of(struct rest *rest, uint32_t node)
{
	struct text text;
	uint32_t number;

	str_clear(&rest->lines);
	flame_add_origins(&rest->lines, rest->flame->tree, node);
	for (size_t i = 0; i < rest->lines.size; i++)
		if (rest->lines.data[i] == '\n')
			rest->lines.data[i] = '\t';
	text = str_text(&rest->lines);
	if (!text_take(&text, "\t"))
		return 0;
	number = rest->origins.count < FLAME_ORIGINS_MAX
	                 ? intern_add(&rest->origins, text)
	                 : intern_find(&rest->origins, text);
	return number == INTERN_NONE ? 0 : number + 1;
}

/** @p function is the negative number of nodes for a sum. */
static void add_line(struct rest *rest, uint32_t caller, int64_t function,
                     uint64_t now, uint64_t before, uint32_t origin)
{
	struct str *line = &rest->nodes;

	str_add_number(line, rest->number - caller);
	str_add(line, function < 0 ? " -" : " ");
	str_add_number(line, (uint64_t)(function < 0 ? -function : function));
	str_add_char(line, ' ');
	str_add_number(line, now);
	if (rest->flame->tree->before) {
		str_add_char(line, ' ');
		str_add_number(line, before);
	}
	if (rest->has_origins) {
		str_add_char(line, ' ');
		str_add_number(line, origin);
	}
	str_add_char(line, '\n');
	rest->number++;
}

static void add_node(struct rest *rest, uint32_t node)
{
	const struct calltree *tree = rest->flame->tree;

	rest->numbers[node] = rest->number;
	add_line(rest, rest->numbers[tree->nodes[node].parent],
	         function_of(rest, tree->nodes[node].frame),
	         flame_weight(tree, node),
	         tree->before ? flame_before(tree, node) : 0,
	         rest->has_origins ? origin_of(rest, node) : 0);
}

/** Add the nodes without a number that the limit includes. */
static void add_nodes(struct rest *rest, struct share share)
{
	const struct calltree *tree = rest->flame->tree;

	for (uint32_t i = calltree_next(tree, CALLTREE_ROOT); i;
	     i = calltree_next(tree, i))
		if (rest->numbers[i] == NONE &&
		    rest->numbers[tree->nodes[i].parent] != NONE &&
		    takes(&share, weight_of(tree, i)))
			add_node(rest, i);
}

/** Add one sum for the omitted callees of each node. */
static void add_sums(struct rest *rest)
{
	const struct calltree *tree = rest->flame->tree;
	uint32_t count = rest->number, owner = 0;
	SCOPED(mem_drop)
	struct left *left = mem_zalloc(count, sizeof(*left));

	for (uint32_t i = calltree_next(tree, CALLTREE_ROOT); i;
	     i = calltree_next(tree, i)) {
		uint32_t caller = rest->numbers[tree->nodes[i].parent];

		if (rest->numbers[i] != NONE || !weight_of(tree, i))
			continue;
		// Depth first: the next nodes are callees of an omitted one.
		if (caller != NONE) {
			owner = caller;
			left[owner].now = number_sum(left[owner].now,
			                             flame_weight(tree, i));
			if (tree->before)
				left[owner].before =
				        number_sum(left[owner].before,
				                   flame_before(tree, i));
		}
		left[owner].count++;
	}
	for (uint32_t i = 0; i < count; i++)
		if (left[i].count)
			add_line(rest, i, -(int64_t)left[i].count, left[i].now,
			         left[i].before, 0);
}

static void number_boxes(struct rest *rest)
{
	const struct flame *flame = rest->flame;
	const struct calltree *tree = flame->tree;

	rest->numbers = mem_alloc(tree->node_count * sizeof(*rest->numbers));
	for (uint32_t i = 0; i < tree->node_count; i++)
		rest->numbers[i] = NONE;
	for (size_t i = 0; i < flame->count; i++)
		rest->numbers[flame->boxes[i].node] = (uint32_t)i;
	rest->number = (uint32_t)flame->count;
}

static void begin(struct rest *rest)
{
	const struct calltree *tree = rest->flame->tree;

	rest->functions =
	        mem_alloc((tree->frame_count + 1) * sizeof(*rest->functions));
	for (size_t i = 0; i < tree->frame_count; i++)
		rest->functions[i] = NONE;
	find_shares(rest);
	rest->has_origins = tree->origins ||
	                    tree->nodes[CALLTREE_ROOT].reports > 1;
}

/** Take the finished part, and begin the next. */
static void take_part(struct rest *rest, struct str *part)
{
	str_add_number(part, rest->function_count - rest->functions_before);
	if (rest->has_origins) {
		str_add_char(part, ' ');
		str_add_number(part,
		               rest->origins.count - rest->origins_before);
	}
	str_add_char(part, '\n');
	str_add_text(part, str_text(&rest->names));
	for (; rest->origins_before < rest->origins.count;
	     rest->origins_before++) {
		str_add_text(part, rest->origins.texts[rest->origins_before]);
		str_add_char(part, '\n');
	}
	str_add_text(part, str_text(&rest->nodes));
	rest->functions_before = rest->function_count;
	str_clear(&rest->names);
	str_clear(&rest->nodes);
}

static void write_plain(struct rest *rest, struct out *out)
{
	SCOPED(str_release) struct str part = { 0 };

	add_nodes(rest, rest->plain);
	str_add(&part, "<metadata class=\"rest\" data-left=\"");
	str_add_number(&part, rest->left);
	str_add(&part, "\">");
	take_part(rest, &part);
	str_add(&part, "</metadata>\n");
	out_add_bytes(out, part.data, part.size);
}

static void write_packed(struct rest *rest, struct out *out)
{
	SCOPED(str_release) struct str part = { 0 };
	SCOPED(str_release) struct str packed = { 0 };
	SCOPED(str_release) struct str line = { 0 };

	add_nodes(rest, rest->packed);
	if (rest->left)
		add_sums(rest);
	take_part(rest, &part);
	gzip_pack(bytes_from_text(str_text(&part)), &packed);
	str_add(&line, "<metadata class=\"packed\" data-count=\"");
	str_add_number(&line, rest->packed_count);
	str_add(&line, "\">");
	base64_encode(str_text(&packed), &line);
	str_add(&line, "</metadata>\n");
	out_add_bytes(out, line.data, line.size);
}

/** If there is no compressed part, its nodes count for their drawn caller. */
static void forget_packed(struct rest *rest, uint32_t end)
{
	for (uint32_t i = 1; i < rest->flame->tree->node_count; i++)
		if (rest->numbers[i] != NONE && rest->numbers[i] >= end)
			rest->numbers[i] = NONE;
}

uint32_t *flame_write_rest(const struct flame *flame, struct out *out,
                           size_t *left)
{
	SCOPED(rest_release) struct rest rest = { .flame = flame };
	uint32_t end;

	*left = 0;
	if (!flame->count)
		return NULL;
	number_boxes(&rest);
	if (!flame->narrow && !flame->gone)
		return rest.numbers;
	begin(&rest);
	write_plain(&rest, out);
	end = rest.number;
	if (rest.packed_count) {
		write_packed(&rest, out);
		forget_packed(&rest, end);
	}
	*left = rest.left;
	return rest.numbers;
}

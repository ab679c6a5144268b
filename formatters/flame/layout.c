// SPDX-License-Identifier: MIT
#include "formatters/flame/layout.h"

#include "lib/base/mem.h"
#include "lib/base/units.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH_DEFAULT     1200u
#define WIDTH_LEAST       240u
#define WIDTH_MOST        100000u
#define MIN_WIDTH_DEFAULT 0.1

/** A frame to draw, with its sort keys among siblings. */
struct sibling {
	const struct calltree_frame *frame;
	uint32_t node;
	uint64_t weight;
	size_t order; ///< of the tree
};

/** Boxes whose callees are not laid out yet; a stack. */
struct pending {
	struct flame_box *boxes;
	size_t count;
	size_t cap;
	struct sibling *siblings; ///< of the current caller
	size_t sibling_count;
	size_t sibling_cap;
	uint64_t min; ///< min weight of a drawn box
};

static void pending_release(struct pending *pending)
{
	free(pending->boxes);
	free(pending->siblings);
}

int flame_compare_frames(const struct calltree_frame *a,
                         const struct calltree_frame *b)
{
	int order = strcmp(calltree_name(a), calltree_name(b));

	if (order)
		return order;
	if (!a->image || !b->image)
		return (a->image != NULL) - (b->image != NULL);
	return strcmp(a->image, b->image);
}

static int compare_siblings(const void *left, const void *right)
{
	const struct sibling *a = left, *b = right;
	int order = flame_compare_frames(a->frame, b->frame);

	return order ? order : (a->order > b->order) - (a->order < b->order);
}

static int compare_weights(const void *left, const void *right)
{
	const struct sibling *a = left, *b = right;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return compare_siblings(a, b);
}

/** Collect the callees of a box that are wide enough. */
static void gather(const struct flame *flame, const struct flame_box *box,
                   struct pending *pending)
{
	const struct calltree *tree = flame->tree;
	uint64_t room = box->weight;

	pending->sibling_count = 0;
	for (uint32_t node = tree->nodes[box->node].first_child; node;
	     node = tree->nodes[node].next_sibling) {
		uint64_t weight = flame_weight(tree, node);

		// Saturated sums may exceed the caller's.
		if (weight > room)
			weight = room;
		if (weight < pending->min)
			continue;
		room -= weight;
		MEM_GROW(pending->siblings, pending->sibling_count,
		         pending->sibling_cap);
		pending->siblings[pending->sibling_count] = (struct sibling){
			.frame = calltree_frame_of(tree, node),
			.node = node,
			.weight = weight,
			.order = pending->sibling_count,
		};
		pending->sibling_count++;
	}
	if (pending->sibling_count > 1 && flame->order != CALL_ORDER_TIME)
		qsort(pending->siblings, pending->sibling_count,
		      sizeof(*pending->siblings),
		      flame->order == CALL_ORDER_WEIGHT ? compare_weights
		                                        : compare_siblings);
}

/** Push the rightmost first, so that the leftmost is popped next. */
static void push_siblings(const struct flame_box *box, struct pending *pending)
{
	uint64_t end = box->start;

	for (size_t i = 0; i < pending->sibling_count; i++)
		end += pending->siblings[i].weight;
	for (size_t i = pending->sibling_count; i-- > 0;) {
		const struct sibling *sibling = &pending->siblings[i];

		end -= sibling->weight;
		MEM_GROW(pending->boxes, pending->count, pending->cap);
		pending->boxes[pending->count++] = (struct flame_box){
			.node = sibling->node,
			.row = box->row + 1,
			.start = end,
			.weight = sibling->weight,
		};
	}
}

/** The weight with a width of @p min_width px. */
static uint64_t least_weight(const struct flame *flame, double min_width)
{
	double min = min_width * (double)flame->total / flame->width;
	uint64_t whole;

	if (!(min > 1))
		return 1;
	// 2^64 as a double: from here on nothing is wide enough.
	if (min >= 18446744073709551616.0)
		return UINT64_MAX;
	whole = (uint64_t)min;
	return (double)whole < min ? whole + 1 : whole;
}

static size_t count_gone(const struct calltree *tree)
{
	size_t gone = 0;

	for (uint32_t i = 1; i < tree->node_count; i++)
		gone += flame_is_gone(tree, i);
	return gone;
}

static void set_width(struct flame *flame, const struct format_options *options)
{
	flame->width = options->width ? options->width : WIDTH_DEFAULT;
	if (flame->width < WIDTH_LEAST)
		flame->width = WIDTH_LEAST;
	if (flame->width > WIDTH_MOST)
		flame->width = WIDTH_MOST;
}

static double min_width_of(const struct format_options *options)
{
	if (options->min_width > WIDTH_MOST)
		return WIDTH_MOST;
	if (options->min_width < 0)
		return 0;
	return options->min_width > 0 ? options->min_width : MIN_WIDTH_DEFAULT;
}

static void draw(struct flame *flame, double min_width)
{
	SCOPED(pending_release)
	struct pending pending = { .min = least_weight(flame, min_width) };
	struct flame_box box = { .weight = flame->total };

	for (;;) {
		MEM_GROW(flame->boxes, flame->count, flame->cap);
		flame->boxes[flame->count++] = box;
		if (box.row >= flame->rows)
			flame->rows = box.row + 1;
		gather(flame, &box, &pending);
		push_siblings(&box, &pending);
		if (!pending.count)
			return;
		box = pending.boxes[--pending.count];
	}
}

void flame_lay_out(struct flame *flame, const struct calltree *tree,
                   const struct format_options *options)
{
	double min_width = min_width_of(options);

	flame->tree = tree;
	flame->order = options->order;
	flame->scale = calltree_scale_of(tree, options->diff);
	flame->min_hundredths = (uint64_t)(min_width * 100 + 0.5);
	set_width(flame, options);
	if (!tree->node_count)
		return;
	flame->total = flame_weight(tree, CALLTREE_ROOT);
	if (flame->total)
		draw(flame, min_width);
	if (tree->before)
		flame->gone = count_gone(tree);
	flame->narrow = tree->node_count - flame->gone -
	                (flame->count ? flame->count : 1);
}

void flame_release(struct flame *flame)
{
	free(flame->boxes);
	*flame = (struct flame){ 0 };
}

// FNV-1a, folded. Needs no secret seed, unlike a hash table: names only
// determine colors.
unsigned flame_shade(const char *name)
{
	uint32_t hash = 2166136261u;

	for (const char *c = name; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	return (hash >> 16 ^ hash) % FLAME_SHADES;
}

int flame_change(const struct calltree_scale *scale, uint64_t now,
                 uint64_t before)
{
	// In thousandths of a percent.
	static const int64_t steps[FLAME_STEPS] = { 100, 500, 2000, 5000,
		                                    FLAME_CHANGE_MOST * 1000 };
	int64_t change = calltree_change(scale, now, before);
	int64_t size = change < 0 ? -change : change;
	int step = 0;

	while (step < FLAME_STEPS && size >= steps[step])
		step++;
	return change > 0 ? step : -step;
}

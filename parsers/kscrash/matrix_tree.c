#include "parsers/kscrash/matrix.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/darwin/pointer.h"
#include "lib/model/tree_invert.h"
#include "parsers/json/source.h"
#include "parsers/kscrash/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** How often Matrix looks at a main thread (formats.md 7.2). */
#define PROFILE_US 50000

/** A node, in pre-order. */
struct node {
	uint64_t address;
	uint64_t samples;
	uint64_t samples_left; ///< not yet given to children
	uint64_t symbol_address;
	uint64_t image_address;
	const char *symbol;
	const char *image;
	size_t parent; ///< or TREE_INVERT_NO_NODE
	size_t depth;
	bool has_address;
	bool has_samples;
	bool has_children;
};

/** A tree that is being read. */
struct reader {
	const struct matrix_tree *tree;
	struct json_place place; ///< of the tree
	struct arena *arena;
	struct json_source source;
	struct node *nodes;
	size_t count;
	size_t cap;
	size_t nodes_max;
	uint64_t background;
};

static void reader_release(struct reader *r)
{
	json_pull_free(r->source.pull);
	free(r->nodes);
}

// Nodes

static void add_node(struct reader *r, size_t parent)
{
	MEM_GROW(r->nodes, r->count, r->cap);
	r->nodes[r->count++] = (struct node){
		.parent = parent,
		.depth = parent == TREE_INVERT_NO_NODE
		                 ? 0
		                 : r->nodes[parent].depth + 1,
	};
	if (parent != TREE_INVERT_NO_NODE)
		r->nodes[parent].has_children = true;
}

/** A member of a node. `child` is only opened: its nodes come next. */
static void read_member(struct reader *r, size_t index, struct text name)
{
	struct node *node = &r->nodes[index];
	const struct json_event *event;
	uint64_t background = 0;

	if (text_is(name, "child")) {
		event = json_pull_next(r->source.pull);
		if (event->type != JSON_EVENT_ARRAY)
			json_source_unexpected(&r->source, event, "an array");
	} else if (text_is(name, "instruction_address")) {
		node->has_address =
		        json_take_u64(&r->source, UINT64_MAX, &node->address);
	} else if (text_is(name, "sample")) {
		node->has_samples =
		        json_take_u64(&r->source, INT64_MAX, &node->samples);
	} else if (text_is(name, "sample_background")) {
		json_take_u64(&r->source, INT64_MAX, &background);
		if (!node->depth)
			r->background = number_sum(r->background, background);
	} else if (text_is(name, "object_name")) {
		node->symbol = json_take_text(&r->source);
	} else if (text_is(name, "object_address")) {
		json_take_u64(&r->source, UINT64_MAX, &node->symbol_address);
	} else if (text_is(name, "image_name")) {
		node->image = json_take_text(&r->source);
	} else if (text_is(name, "image_address")) {
		json_take_u64(&r->source, UINT64_MAX, &node->image_address);
	} else {
		json_pull_skip(r->source.pull);
	}
}

static void end_node(struct reader *r, size_t index)
{
	if (!r->nodes[index].has_address)
		json_source_note(&r->source, NULL,
		                 "it has no instruction_address");
}

/** The nodes of the array that was opened last, at all levels. */
static void read_nodes(struct reader *r)
{
	size_t floor = json_pull_depth(r->source.pull);
	size_t at = TREE_INVERT_NO_NODE;
	bool reported = false;

	while (json_pull_depth(r->source.pull) >= floor) {
		const struct json_event *event = json_pull_next(r->source.pull);

		switch (event->type) {
		case JSON_EVENT_OBJECT:
			if (r->count < r->nodes_max) {
				add_node(r, at);
				at = r->count - 1;
				break;
			}
			if (!reported)
				json_source_note(
				        &r->source, NULL,
				        "only the first %d calls were read",
				        MATRIX_NODES_MAX);
			reported = true;
			json_pull_skip(r->source.pull);
			break;
		case JSON_EVENT_END_OBJECT:
			end_node(r, at);
			at = r->nodes[at].parent;
			break;
		case JSON_EVENT_NAME:
			read_member(r, at, event->text);
			break;
		case JSON_EVENT_END_ARRAY:
			break;
		default:
			json_source_unexpected(&r->source, event, "an object");
			break;
		}
	}
}

static void read_tree(struct reader *r)
{
	SCOPED(json_pull_drop) struct json_pull *outer = NULL;
	struct text text = r->tree->text;

	if (text_starts(text, "\"")) {
		outer = json_pull_new(text, 0);
		text = json_pull_next(outer)->text;
	}
	r->source.pull = json_pull_new(text, 0);
	json_pull_next(r->source.pull);
	read_nodes(r);
	json_source_end(&r->source, NULL, "the tree");
}

// Samples

/** Who does not say has as many as what it called. */
static void fill_samples(struct reader *r)
{
	for (size_t i = r->count; i-- > 0;) {
		const struct node *node = &r->nodes[i];
		struct node *parent;

		if (node->parent == TREE_INVERT_NO_NODE)
			continue;
		parent = &r->nodes[node->parent];
		if (!parent->has_samples)
			parent->samples =
			        number_sum(parent->samples, node->samples);
	}
}

/**
 * Matrix merges a stack into the first node of its address, wherever in the
 * tree that is: then children exceed their parents.
 */
static void clamp_samples(struct reader *r)
{
	size_t clamped = 0;

	for (size_t i = 0; i < r->count; i++) {
		struct node *node = &r->nodes[i];
		struct node *parent;

		if (node->parent != TREE_INVERT_NO_NODE) {
			parent = &r->nodes[node->parent];
			if (node->samples > parent->samples_left) {
				node->samples = parent->samples_left;
				clamped++;
			}
			parent->samples_left -= node->samples;
		}
		node->samples_left = node->samples;
	}
	if (clamped)
		json_place_note(&r->place, NULL,
		                "%zu call%s more samples than the caller has "
		                "left: reduced to those",
		                clamped, clamped == 1 ? " has" : "s have");
}

// Which end is the root

/** Every thread begins in one of these. */
static bool is_start_symbol(const char *symbol)
{
	static const char *const names[] = {
		"start",
		"_start",
		"main",
		"thread_start",
		"_pthread_start",
		"start_wqthread",
		"_pthread_wqthread",
	};

	for (size_t i = 0; symbol && i < ARRAY_SIZE(names); i++)
		if (!strcmp(symbol, names[i]))
			return true;
	return false;
}

/** Is the address the outermost of the heaviest stack, or of the main thread?
 */
static bool is_outermost(const struct report *report, uint64_t address)
{
	for (size_t i = 0; i < report->thread_count && i < 2; i++) {
		const struct report_stack *stack = &report->threads[i]->stack;

		if (stack->count > 1 &&
		    stack->frames[stack->count - 1].address == address)
			return true;
	}
	return false;
}

/** Do most of the roots, or of the leaves, begin threads? */
static bool begins_threads(const struct reader *r, bool roots)
{
	size_t seen = 0;
	size_t start = 0;

	for (size_t i = 0; i < r->count; i++) {
		const struct node *node = &r->nodes[i];

		if (roots ? node->depth : node->has_children)
			continue;
		seen++;
		start += is_start_symbol(node->symbol) ||
		         is_outermost(r->place.reader->report, node->address);
	}
	return 2 * start > seen;
}

static bool has_calls(const struct reader *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->nodes[i].depth)
			return true;
	return false;
}

static bool is_outermost_first(struct reader *r)
{
	bool usual = r->tree->is_profile;
	bool roots = begins_threads(r, true);
	bool leaves = begins_threads(r, false);

	if (!has_calls(r))
		return usual;
	if (roots != leaves)
		return roots;
	json_place_note(&r->place, NULL,
	                "the root of the stacks is not clear: read %s frame "
	                "first",
	                usual ? "outermost" : "innermost");
	return usual;
}

// The report's tree

static void place_node(const struct reader *r, const struct node *node,
                       struct report_frame *frame)
{
	const char *slash = node->image ? strrchr(node->image, '/') : NULL;

	frame->address = node->address;
	frame->image_name = slash ? slash + 1 : node->image;
	if (node->image_address && node->image_address < node->address)
		frame->image_offset = node->address - node->image_address;
	kscrash_set_symbol(frame, node->symbol, node->symbol_address, r->arena);
}

static bool invert(const struct reader *r, struct tree_inverted **ret,
                   size_t *ret_count)
{
	SCOPED(mem_drop)
	struct tree_invert_node *plain = mem_zalloc(r->count, sizeof(*plain));
	const struct tree_invert_source source = {
		.nodes = plain,
		.count = r->count,
	};

	for (size_t i = 0; i < r->count; i++)
		plain[i] = (struct tree_invert_node){
			.address = r->nodes[i].address,
			.kind = r->nodes[i].symbol
			                ? text_from(r->nodes[i].symbol)
			                : TEXT_NONE,
			.samples = r->nodes[i].samples,
			.parent = r->nodes[i].parent,
		};
	return tree_invert(&source, ret, ret_count);
}

static struct report_tree *add_tree(const struct reader *r)
{
	struct report_tree *tree =
	        report_add_tree(r->place.reader->report, r->arena);

	// Nothing else was sampled.
	tree->attributed = true;
	if (r->tree->is_profile) {
		tree->title = "HandledThread";
		r->place.reader->report->sample_interval_us = PROFILE_US;
	}
	return tree;
}

static void build(struct reader *r)
{
	struct report_tree *tree = add_tree(r);

	for (size_t i = 0; i < r->count; i++) {
		const struct node *node = &r->nodes[i];
		struct report_frame *frame = report_add_node(
		        tree, r->arena, node->depth, node->samples);

		place_node(r, node, frame);
		frame->is_pc = !node->has_children;
	}
}

static void build_inverted(struct reader *r)
{
	SCOPED(mem_drop) struct tree_inverted *inverted = NULL;
	struct report_tree *tree;
	size_t count;

	if (!invert(r, &inverted, &count)) {
		json_place_note(&r->place, NULL,
		                "too many stacks to reverse: left out");
		return;
	}
	tree = add_tree(r);
	for (size_t i = 0; i < count; i++) {
		struct report_frame *frame = report_add_node(
		        tree, r->arena, inverted[i].depth, inverted[i].samples);

		place_node(r, &r->nodes[inverted[i].node], frame);
		frame->is_pc = inverted[i].is_leaf;
	}
}

/** Intel signs no pointers. */
static void strip_addresses(struct reader *r)
{
	const char *code_type = r->place.reader->report->code_type;

	if (code_type && !strncmp(code_type, "X86", 3))
		return;
	for (size_t i = 0; i < r->count; i++)
		r->nodes[i].address =
		        pointer_strip(r->nodes[i].address, POINTER_WIDTH_36);
}

static void add_background(const struct reader *r)
{
	uint64_t total = 0;

	for (size_t i = 0; i < r->count; i++)
		if (!r->nodes[i].depth)
			total = number_sum(total, r->nodes[i].samples);
	if (r->background)
		report_add_section(r->place.reader->report, r->arena,
		                   KSCRASH_EXTRA "Samples in Background",
		                   arena_printf(r->arena,
		                                "%" PRIu64 " of %" PRIu64,
		                                r->background, total));
}

void matrix_read_trees(const struct matrix *matrix,
                       const struct json_place *place)
{
	size_t nodes_left = MATRIX_NODES_MAX;

	for (size_t i = 0; i < matrix->tree_count; i++) {
		SCOPED(reader_release)
		struct reader r = {
			.tree = &matrix->trees[i],
			.place =
			        JSON_PLACE_MEMBER(place, matrix->trees[i].path),
			.arena = place->reader->arena,
			.nodes_max = nodes_left,
			.source.reader = place->reader,
		};

		r.source.prefix = json_place_path(&r.place);

		read_tree(&r);
		nodes_left -= r.count;
		fill_samples(&r);
		clamp_samples(&r);
		strip_addresses(&r);
		if (!r.count)
			continue;
		add_background(&r);
		if (is_outermost_first(&r))
			build(&r);
		else
			build_inverted(&r);
	}
	if (matrix->has_more)
		json_place_note(place, NULL,
		                "only the first %d trees were read",
		                MATRIX_TREES_MAX);
}

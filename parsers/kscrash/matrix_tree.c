// SPDX-License-Identifier: MIT
#include "parsers/kscrash/matrix.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/darwin/cpu.h"
#include "lib/darwin/pointer.h"
#include "lib/model/calltree_invert.h"
#include "lib/model/calltree_walk.h"
#include "parsers/json/source.h"
#include "parsers/kscrash/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** Matrix' sampling interval of a main thread. */
#define PROFILE_US 50000

/** Data of a node other than calls and samples. */
struct frame {
	uint64_t address;
	uint64_t symbol_address;
	uint64_t image_address;
	const char *symbol;
	const char *image;
	bool has_address;
	bool has_samples;
};

/** State of a tree. */
struct reader {
	const struct matrix_tree *tree;
	struct json_place place; ///< of the tree
	struct arena *arena;
	struct json_source source;
	struct calltree calls; ///< as in the input, in pre-order
	struct frame *frames;  ///< by the frame of a node
	size_t count;
	size_t cap;
	uint64_t background;
};

static void reader_release(struct reader *r)
{
	json_pull_free(r->source.pull);
	calltree_release(&r->calls);
	free(r->frames);
}

// Nodes

static uint32_t add_node(struct reader *r, uint32_t parent)
{
	MEM_GROW(r->frames, r->count, r->cap);
	r->frames[r->count] = (struct frame){ 0 };
	return calltree_append(&r->calls, NULL, parent, (uint32_t)r->count++);
}

static struct frame *frame_of(const struct reader *r, uint32_t node)
{
	return &r->frames[r->calls.nodes[node].frame];
}

/** A member of a node. `child` is only opened: its nodes come next. */
static void read_member(struct reader *r, uint32_t index, struct text name)
{
	struct calltree_node *node = &r->calls.nodes[index];
	struct frame *frame = frame_of(r, index);
	const struct json_event *event;
	uint64_t background = 0;

	if (text_is(name, "child")) {
		event = json_pull_next(r->source.pull);
		if (event->type != JSON_EVENT_ARRAY)
			json_source_unexpected(&r->source, event, "an array");
	} else if (text_is(name, "instruction_address")) {
		frame->has_address =
		        json_take_u64(&r->source, UINT64_MAX, &frame->address);
	} else if (text_is(name, "sample")) {
		frame->has_samples =
		        json_take_u64(&r->source, INT64_MAX, &node->samples);
	} else if (text_is(name, "sample_background")) {
		json_take_u64(&r->source, INT64_MAX, &background);
		if (node->parent == CALLTREE_ROOT)
			r->background = number_sum(r->background, background);
	} else if (text_is(name, "object_name")) {
		frame->symbol = json_take_text(&r->source);
	} else if (text_is(name, "object_address")) {
		json_take_u64(&r->source, UINT64_MAX, &frame->symbol_address);
	} else if (text_is(name, "image_name")) {
		frame->image = json_take_text(&r->source);
	} else if (text_is(name, "image_address")) {
		json_take_u64(&r->source, UINT64_MAX, &frame->image_address);
	} else {
		json_pull_skip(r->source.pull);
	}
}

static void end_node(struct reader *r, uint32_t index)
{
	if (!frame_of(r, index)->has_address)
		json_source_note(&r->source, NULL,
		                 "it has no instruction_address");
}

/** Read the nodes of the last opened array, at all levels. */
static void read_nodes(struct reader *r)
{
	size_t floor = json_pull_depth(r->source.pull);
	uint32_t at = CALLTREE_ROOT;

	while (json_pull_depth(r->source.pull) >= floor) {
		const struct json_event *event = json_pull_next(r->source.pull);

		switch (event->type) {
		case JSON_EVENT_OBJECT:
			if (json_source_may_read(&r->source))
				at = add_node(r, at);
			else
				json_pull_skip(r->source.pull);
			break;
		case JSON_EVENT_END_OBJECT:
			end_node(r, at);
			at = r->calls.nodes[at].parent;
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

/** A node without a count gets the sum of its callees. */
static void fill_samples(struct reader *r)
{
	struct calltree_node *nodes = r->calls.nodes;

	for (uint32_t i = r->calls.node_count; i-- > 1;) {
		uint32_t parent = nodes[i].parent;

		if (parent != CALLTREE_ROOT &&
		    !frame_of(r, parent)->has_samples)
			nodes[parent].samples = number_sum(
			        nodes[parent].samples, nodes[i].samples);
	}
}

/**
 * Matrix merges a stack into the first node of its address anywhere in the
 * tree, so children may exceed their parents.
 */
static void clamp_samples(struct reader *r)
{
	struct calltree *calls = &r->calls;
	SCOPED(mem_drop)
	uint64_t *samples = mem_zalloc(r->count + 1, sizeof(*samples));
	size_t clamped;

	for (uint32_t i = 1; i < calls->node_count; i++)
		samples[i] = calls->nodes[i].samples;
	clamped = calltree_own_samples(calls, samples);
	for (uint32_t i = 1; i < calls->node_count; i++)
		calls->nodes[i].self_samples = samples[i];
	calltree_sum(calls);
	if (clamped)
		json_place_note(&r->place, NULL,
		                "%zu call%s more samples than the caller has "
		                "left: reduced to those",
		                clamped, clamped == 1 ? " has" : "s have");
}

// Direction

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

/** Do most roots, or leaves, begin threads? */
static bool begins_threads(const struct reader *r, bool roots)
{
	size_t seen = 0;
	size_t start = 0;

	for (uint32_t i = 1; i < r->calls.node_count; i++) {
		const struct calltree_node *node = &r->calls.nodes[i];
		const struct frame *frame = frame_of(r, i);

		if (roots ? node->parent : node->first_child)
			continue;
		seen++;
		start += is_start_symbol(frame->symbol) ||
		         is_outermost(r->place.reader->report, frame->address);
	}
	return 2 * start > seen;
}

static bool is_outermost_first(struct reader *r)
{
	bool usual = r->tree->is_profile;
	bool roots = begins_threads(r, true);
	bool leaves = begins_threads(r, false);

	if (!calltree_has_calls(&r->calls))
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

static void place_frame(const struct reader *r, const struct frame *from,
                        struct report_frame *frame)
{
	frame->address = from->address;
	frame->image_name = text_base_cstr(from->image);
	if (from->image_address && from->image_address < from->address)
		frame->image_offset = from->address - from->image_address;
	kscrash_set_symbol(frame, from->symbol, from->symbol_address, r->arena);
}

static struct report_tree *add_tree(const struct reader *r)
{
	struct report_tree *tree =
	        report_add_tree(r->place.reader->report, r->arena);

	tree->path = arena_strdup(r->arena, r->tree->path);
	// It is the only thread that was sampled.
	tree->attributed = true;
	if (r->tree->is_profile) {
		tree->title = "HandledThread";
		r->place.reader->report->sample_interval_us = PROFILE_US;
		r->place.reader->report->sample_interval_assumed = true;
	}
	return tree;
}

/** Add a tree with outermost frames as roots. */
static void build(const struct reader *r, const struct calltree *calls)
{
	struct report_tree *tree = add_tree(r);

	for (uint32_t i = calltree_next(calls, CALLTREE_ROOT); i;
	     i = calltree_next(calls, i)) {
		const struct calltree_node *node = &calls->nodes[i];
		struct report_frame *frame = report_add_node(
		        tree, r->arena, node->depth - 1, node->samples);

		place_frame(r, &r->frames[node->frame], frame);
		frame->is_pc = !node->first_child;
	}
}

static void build_inverted(const struct reader *r)
{
	SCOPED(calltree_release) struct calltree inverted = { 0 };
	SCOPED(mem_drop)
	struct calltree_identity *identities =
	        mem_zalloc(r->count + 1, sizeof(*identities));

	for (uint32_t i = 1; i < r->calls.node_count; i++) {
		const struct frame *frame = frame_of(r, i);

		identities[i] = (struct calltree_identity){
			.address = frame->address,
			.kind = frame->symbol ? text_from(frame->symbol)
			                      : TEXT_NONE,
		};
	}
	if (calltree_invert(&r->calls, identities, &inverted))
		build(r, &inverted);
	else
		json_place_note(&r->place, NULL,
		                "too many stacks to reverse: left out");
}

/** Intel signs no pointers. */
static void strip_addresses(struct reader *r)
{
	const char *code_type = r->place.reader->report->code_type;

	if (darwin_arch_is_intel(code_type))
		return;
	for (size_t i = 0; i < r->count; i++)
		r->frames[i].address =
		        pointer_strip(r->frames[i].address, POINTER_WIDTH_36);
}

static void add_background(const struct reader *r)
{
	uint64_t total = 0;

	for (uint32_t i = 1; i < r->calls.node_count; i++)
		if (r->calls.nodes[i].parent == CALLTREE_ROOT)
			total = number_sum(total, r->calls.nodes[i].samples);
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
	for (size_t i = 0; i < matrix->tree_count; i++) {
		SCOPED(reader_release)
		struct reader r = {
			.tree = &matrix->trees[i],
			.place =
			        JSON_PLACE_MEMBER(place, matrix->trees[i].path),
			.arena = place->reader->arena,
			.source.reader = place->reader,
		};

		r.source.prefix = json_place_path(&r.place);

		read_tree(&r);
		fill_samples(&r);
		clamp_samples(&r);
		strip_addresses(&r);
		if (!r.count)
			continue;
		add_background(&r);
		if (is_outermost_first(&r))
			build(&r, &r.calls);
		else
			build_inverted(&r);
	}
	if (matrix->has_more)
		json_place_note(place, NULL,
		                "only the first %d trees were read",
		                MATRIX_TREES_MAX);
}

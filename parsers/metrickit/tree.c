// SPDX-License-Identifier: MIT
#include "lib/base/mem.h"
#include "lib/base/sorted.h"
#include "lib/model/calltree_invert.h"
#include "lib/model/calltree_walk.h"
#include "parsers/metrickit/reader.h"

#include <stdlib.h>
#include <string.h>

// Names of binaries

static int compare_binaries(const void *a, const void *b)
{
	const struct metrickit_binary *x = a;
	const struct metrickit_binary *y = b;
	int order = uuid_compare(&x->uuid, &y->uuid);

	return order ? order : (x->order > y->order) - (x->order < y->order);
}

/** Frames of OS 27 have a UUID alone. */
static void name_frames(struct metrickit_diagnostic *d)
{
	if (!d->binary_count)
		return;
	qsort(d->binaries, d->binary_count, sizeof(*d->binaries),
	      compare_binaries);
	for (size_t i = 0; i < d->frame_count; i++) {
		struct metrickit_frame *frame = &d->frames[i];
		const struct metrickit_binary *all = d->binaries;
		size_t at = SORTED_SKIP(
		        k, d->binary_count,
		        uuid_compare(&all[k].uuid, &frame->uuid) < 0);

		if (!frame->name && at < d->binary_count &&
		    uuid_equal(&all[at].uuid, &frame->uuid))
			frame->name = all[at].name;
	}
}

// Direction

/** Every thread begins in one of these. */
static bool is_start_image(const struct metrickit_frame *frame)
{
	static const char *const names[] = { "dyld", "libdyld.dylib",
		                             "libsystem_pthread.dylib" };

	for (size_t i = 0; frame->name && i < ARRAY_SIZE(names); i++)
		if (!strcmp(frame->name, names[i]))
			return true;
	return false;
}

/** Do most roots of @p stack, or most leaves, begin threads? */
static bool stack_begins(const struct metrickit_diagnostic *d,
                         const struct metrickit_stack *stack,
                         enum metrickit_direction direction)
{
	size_t seen = 0;
	size_t start = 0;

	for (uint32_t i = 1; i < stack->calls.node_count; i++) {
		const struct calltree_node *node = &stack->calls.nodes[i];

		if (direction == METRICKIT_ROOT_FIRST ? node->parent
		                                      : node->first_child)
			continue;
		seen++;
		start += is_start_image(&d->frames[node->frame]);
	}
	return 2 * start > seen;
}

/**
 * Decide by where most stacks have the images in which threads begin. Stacks of
 * one frame, or with such images at both ends, are ignored.
 *
 * @return false if that is undecided.
 */
static bool find_direction(const struct metrickit_diagnostic *d,
                           enum metrickit_direction *ret)
{
	size_t roots = 0;
	size_t ends = 0;

	for (size_t i = 0; i < d->stack_count; i++) {
		const struct metrickit_stack *stack = &d->stacks[i];
		bool at_root = stack_begins(d, stack, METRICKIT_ROOT_FIRST);
		bool at_end = stack_begins(d, stack, METRICKIT_LEAF_FIRST);

		roots += at_root && !at_end;
		ends += at_end && !at_root;
	}
	if (roots == ends)
		return false;
	*ret = roots > ends ? METRICKIT_ROOT_FIRST : METRICKIT_LEAF_FIRST;
	return true;
}

/** Has any stack two frames, one calling the other? */
static bool has_calls(const struct metrickit_diagnostic *d)
{
	for (size_t i = 0; i < d->stack_count; i++)
		if (calltree_has_calls(&d->stacks[i].calls))
			return true;
	return false;
}

/**
 * Crashes are innermost first, samples outermost first; other cases add a note.
 */
static enum metrickit_direction choose_direction(struct metrickit_reader *r,
                                                 bool sampled)
{
	static const char *const names[] = {
		[METRICKIT_LEAF_FIRST] = "innermost",
		[METRICKIT_ROOT_FIRST] = "outermost",
	};
	enum metrickit_direction usual = sampled ? METRICKIT_ROOT_FIRST
	                                         : METRICKIT_LEAF_FIRST;
	enum metrickit_direction found;

	if (!has_calls(r->at))
		return usual;
	if (!find_direction(r->at, &found)) {
		json_source_note(&r->source, "callStackTree",
		                 "the root of the stacks is not clear: read %s "
		                 "frame first",
		                 names[usual]);
		return usual;
	}
	if (found != usual)
		json_source_note(&r->source, "callStackTree",
		                 "the stacks are in reverse order: read %s "
		                 "frame first",
		                 names[found]);
	return found;
}

// Threads

/** Does it have several roots, or several children of a frame? */
static bool branches(const struct calltree *calls)
{
	for (uint32_t i = 0; i < calls->node_count; i++)
		if (calltree_branches(calls, i))
			return true;
	return false;
}

static bool is_sampled(const struct metrickit_diagnostic *d)
{
	if ((d->kind && d->kind->is_sampled) ||
	    (d->has_per_thread && !d->per_thread))
		return true;
	for (size_t i = 0; i < d->stack_count; i++)
		if (branches(&d->stacks[i].calls))
			return true;
	return false;
}

static void build_threads(struct metrickit_reader *r,
                          struct metrickit_images *images,
                          enum metrickit_direction direction)
{
	const struct metrickit_diagnostic *d = r->at;
	struct report *report = d->report;

	for (size_t i = 0; i < d->stack_count; i++) {
		const struct metrickit_stack *stack = &d->stacks[i];
		struct report_thread *thread =
		        report_add_thread(report, r->arena);

		thread->number = i;
		thread->crashed = stack->attributed &&
		                  !report->has_triggered_thread;
		if (thread->crashed) {
			report->has_triggered_thread = true;
			report->triggered_thread = i;
		}
		for (uint32_t k = 1; k < stack->calls.node_count; k++) {
			uint32_t at = direction == METRICKIT_LEAF_FIRST
			                      ? k
			                      : stack->calls.node_count - k;

			metrickit_place(
			        r, images,
			        &d->frames[stack->calls.nodes[at].frame],
			        report_add_frame(&thread->stack, r->arena));
		}
	}
}

// Trees

/** Add a tree with outermost frames as roots. */
static void build_tree(struct metrickit_reader *r,
                       struct metrickit_images *images,
                       const struct calltree *calls, struct report_tree *tree)
{
	for (uint32_t i = calltree_next(calls, CALLTREE_ROOT); i;
	     i = calltree_next(calls, i)) {
		const struct calltree_node *node = &calls->nodes[i];
		struct report_frame *frame = report_add_node(
		        tree, r->arena, node->depth - 1, node->samples);

		metrickit_place(r, images, &r->at->frames[node->frame], frame);
		frame->is_pc = !node->first_child;
	}
}

static bool invert(const struct metrickit_diagnostic *d,
                   const struct calltree *calls, struct calltree *ret)
{
	SCOPED(mem_drop)
	struct calltree_identity *identities =
	        mem_zalloc((size_t)calls->node_count + 1, sizeof(*identities));

	for (uint32_t i = 1; i < calls->node_count; i++) {
		const struct metrickit_frame *frame =
		        &d->frames[calls->nodes[i].frame];

		identities[i] = (struct calltree_identity){
			.address = frame->has_address ? frame->address
			                              : frame->offset,
			// It may be in another image.
			.kind = { (const char *)frame->uuid.bytes,
			          sizeof(frame->uuid.bytes) },
		};
	}
	return calltree_invert(calls, identities, ret);
}

/** As build_tree(), for a tree with innermost frames as roots. */
static void build_inverted(struct metrickit_reader *r,
                           struct metrickit_images *images,
                           const struct calltree *calls,
                           struct report_tree *tree)
{
	SCOPED(calltree_release) struct calltree inverted = { 0 };

	if (invert(r->at, calls, &inverted)) {
		build_tree(r, images, &inverted, tree);
		return;
	}
	json_source_note(&r->source, "callStackTree",
	                 "too many stacks to reverse: innermost frames first");
	build_tree(r, images, calls, tree);
}

static const char *title_of(struct metrickit_reader *r, size_t index)
{
	const struct metrickit_diagnostic *d = r->at;

	if (d->per_thread)
		return arena_printf(r->arena, "Thread %zu", index);
	if (d->stack_count > 1)
		return arena_printf(r->arena, "Stack %zu", index);
	return NULL;
}

static void build_trees(struct metrickit_reader *r,
                        struct metrickit_images *images,
                        enum metrickit_direction direction)
{
	const struct metrickit_diagnostic *d = r->at;

	for (size_t i = 0; i < d->stack_count; i++) {
		const struct metrickit_stack *stack = &d->stacks[i];
		struct report_tree *tree;

		if (!stack->calls.node_count)
			continue;
		tree = report_add_tree(d->report, r->arena);
		tree->title = title_of(r, i);
		tree->attributed = stack->attributed;
		if (direction == METRICKIT_ROOT_FIRST)
			build_tree(r, images, &stack->calls, tree);
		else
			build_inverted(r, images, &stack->calls, tree);
	}
}

void metrickit_build(struct metrickit_reader *r)
{
	SCOPED(metrickit_images_release) struct metrickit_images images = { 0 };
	struct metrickit_diagnostic *d = r->at;
	bool sampled = is_sampled(d);
	enum metrickit_direction direction;

	if (!d->frame_count)
		json_source_note(&r->source, "callStackTree",
		                 "there are no frames");
	name_frames(d);
	direction = choose_direction(r, sampled);
	// Without a kind, assume that samples are of a hang.
	if (sampled && !d->kind)
		d->report->sample_kind = SAMPLE_KIND_STALL;
	if (sampled)
		build_trees(r, &images, direction);
	else
		build_threads(r, &images, direction);
	metrickit_finish_images(r, &images);
}

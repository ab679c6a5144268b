// SPDX-License-Identifier: MIT
/*
 * The `speedscope` format, for speedscope and others: a profile of type
 * `sampled`, whose samples are stacks with weights. Source:
 * src/lib/file-format-spec.ts of jlfwong/speedscope.
 *
 * A tree by cost is in milliseconds, others in plain numbers. In a comparison,
 * the newer is the first profile and the older the second. If the order of
 * samples is known, each report is a profile of its own, in milliseconds and in
 * order; with several, the sum comes first. The format has no image, but allows
 * extra members: it is in `image`, and replaces an unknown file.
 */
#include "formatters/formatter.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/model/calltree_before.h"
#include "lib/model/calltree_walk.h"
#include "lib/model/timeline.h"
#include "lib/text/json/writer.h"

#include <inttypes.h>
#include <stdlib.h>

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

/** The index of a used frame, in digits. */
struct frame_number {
	char digits[11];
	unsigned char size; ///< 0: not in use
};

struct scope {
	const struct calltree *tree;
	struct out *out;
	struct json_writer w;
	struct frame_number *numbers; ///< by frame
	struct stack_text stack;
	uint32_t *path; ///< of one sample
	size_t path_cap;
};

static void scope_release(struct scope *s)
{
	free(s->numbers);
	free(s->path);
	stack_text_release(&s->stack);
}

static void add_frame(struct scope *s, const struct calltree_frame *frame)
{
	const char *file = calltree_path(frame);

	json_open_object(&s->w, NULL);
	json_text(&s->w, "name", calltree_name(frame));
	json_text(&s->w, "file", file ? file : frame->image);
	if (frame->file && frame->line)
		json_number(&s->w, "line", frame->line);
	json_text(&s->w, "image", frame->image);
	json_close(&s->w);
}

/** Frames in order of appearance; unused ones are omitted. */
static void add_frames(struct scope *s)
{
	const struct calltree *tree = s->tree;
	uint32_t count = 0;

	s->numbers = mem_zalloc(tree->frame_count, sizeof(*s->numbers));
	json_open_array(&s->w, "frames");
	for (uint32_t node = calltree_next(tree, CALLTREE_ROOT); node;
	     node = calltree_next(tree, node)) {
		struct frame_number *number =
		        &s->numbers[tree->nodes[node].frame];

		if (number->size)
			continue;
		number->size = (unsigned char)snprintf(number->digits,
		                                       sizeof(number->digits),
		                                       "%" PRIu32, count);
		out_add(s->out, count++ ? "" : "\n");
		add_frame(s, calltree_frame_of(tree, node));
	}
	json_close(&s->w);
}

static uint64_t self_of(const struct scope *s, bool before, uint32_t node)
{
	struct calltree_weight weight;

	if (!before)
		return calltree_self_of(s->tree, node);
	weight = calltree_weight_before(s->tree, node);
	return calltree_self(s->tree, &weight);
}

/** Bypasses the writer, to write the common part of samples once. */
static void add_samples(struct scope *s, bool before)
{
	const struct calltree *tree = s->tree;
	const char *separator = "\n[";

	json_open_array(&s->w, "samples");
	for (uint32_t node = calltree_next(tree, CALLTREE_ROOT); node;
	     node = calltree_next(tree, node)) {
		const struct frame_number *number =
		        &s->numbers[tree->nodes[node].frame];

		stack_text_enter(&s->stack, tree->nodes[node].depth, ',',
		                 (struct text){ number->digits, number->size });
		if (!self_of(s, before, node))
			continue;
		out_add(s->out, separator);
		out_add_bytes(s->out, s->stack.text.data, s->stack.text.size);
		separator = "],\n[";
	}
	out_add(s->out, *separator == ']' ? "]" : "");
	json_close(&s->w);
}

static void add_weight(struct scope *s, const char *key, uint64_t weight)
{
	if (s->tree->by_cost && cost_unit_is_time(s->tree->cost_unit))
		json_ms(&s->w, key, weight);
	else
		json_number(&s->w, key, weight);
}

static uint64_t add_weights(struct scope *s, bool before)
{
	uint64_t total = 0;

	json_open_array(&s->w, "weights");
	for (uint32_t node = calltree_next(s->tree, CALLTREE_ROOT); node;
	     node = calltree_next(s->tree, node)) {
		uint64_t self = self_of(s, before, node);

		if (!self)
			continue;
		add_weight(s, NULL, self);
		total = number_sum(total, self);
	}
	json_close(&s->w);
	return total;
}

static const char *unit_of(const struct calltree *tree)
{
	if (tree->by_cost && cost_unit_is_time(tree->cost_unit))
		return "milliseconds";
	return tree->by_cost && tree->cost_unit == COST_BYTES ? "bytes"
	                                                      : "none";
}

static void add_profile(struct scope *s, const char *name, bool before)
{
	uint64_t total;

	json_open_object(&s->w, NULL);
	json_text(&s->w, "type", "sampled");
	json_text(&s->w, "name", name);
	json_text(&s->w, "unit", unit_of(s->tree));
	json_number(&s->w, "startValue", 0);
	add_samples(s, before);
	total = add_weights(s, before);
	add_weight(s, "endValue", total);
	json_close(&s->w);
}

/** The numbers of the frames from the outermost to @p node. */
static void add_stack(struct scope *s, uint32_t node)
{
	const struct calltree *tree = s->tree;
	uint32_t depth = calltree_depth(tree, node);

	MEM_GROW(s->path, depth, s->path_cap);
	calltree_stack(tree, node, s->path);
	out_add(s->out, "[");
	for (uint32_t i = 0; i < depth; i++) {
		const struct frame_number *number = &s->numbers[s->path[i]];

		out_add(s->out, i ? "," : "");
		out_add_bytes(s->out, number->digits, number->size);
	}
	out_add(s->out, "]");
}

/** A report, with its samples in order. */
static void add_track(struct scope *s, size_t track)
{
	const struct timeline *timeline = s->tree->timeline;
	size_t count;
	const struct timeline_sample *samples =
	        timeline_samples(timeline, track, &count);
	uint64_t total = 0;

	json_open_object(&s->w, NULL);
	json_text(&s->w, "type", "sampled");
	json_text(&s->w, "name", timeline->tracks[track].name);
	json_text(&s->w, "unit", "milliseconds");
	json_number(&s->w, "startValue", 0);
	json_open_array(&s->w, "samples");
	for (size_t i = 0; i < count; i++) {
		out_add(s->out, i ? ",\n" : "\n");
		add_stack(s, samples[i].node);
	}
	json_close(&s->w);
	json_open_array(&s->w, "weights");
	for (size_t i = 0; i < count; i++) {
		json_ms(&s->w, NULL, samples[i].cost_us);
		total = number_sum(total, samples[i].cost_us);
	}
	json_close(&s->w);
	json_ms(&s->w, "endValue", total);
	json_close(&s->w);
}

static void add_profiles(struct scope *s, const char *title)
{
	const struct calltree *tree = s->tree;
	size_t tracks = tree->timeline ? tree->timeline->track_count : 0;

	if (tracks != 1)
		add_profile(s, tree->before ? "after" : title, false);
	if (tree->before)
		add_profile(s, "before", true);
	for (size_t i = 0; i < tracks; i++)
		add_track(s, i);
}

static void speedscope_calltree(const struct calltree *tree,
                                const struct format_options *options UNUSED,
                                struct out *out)
{
	SCOPED(scope_release)
	struct scope s = {
		.tree = tree,
		.out = out,
		.w = json_writer_compact(out),
	};
	const char *title = tree->title ? tree->title : TIMELINE_UNTITLED;

	json_open_object(&s.w, NULL);
	json_text(&s.w, "$schema", SCHEMA);
	json_text(&s.w, "exporter", "apmtool " APMTOOL_VERSION);
	json_text(&s.w, "name", title);
	if (cost_origin_note(tree->cost_origin))
		json_text(&s.w, "cost_origin",
		          cost_origin_name(tree->cost_origin));
	json_number(&s.w, "activeProfileIndex", 0);
	json_open_object(&s.w, "shared");
	add_frames(&s);
	json_close(&s.w);
	json_open_array(&s.w, "profiles");
	add_profiles(&s, title);
	json_close(&s.w);
	json_close(&s.w);
	json_finish(&s.w);
}

const struct formatter speedscope_formatter = {
	.name = "speedscope",
	.summary = "call trees for speedscope (JSON)",
	.shows_order = true,
	.lists_samples = true,
	.calltree = speedscope_calltree,
};

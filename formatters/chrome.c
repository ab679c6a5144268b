// SPDX-License-Identifier: MIT
/*
 * The `chrome` format: trace events in JSON for Perfetto, chrome://tracing and
 * speedscope. A thread for each report, in which a call lasts as long as
 * consecutive samples pass through it. Source: "Trace Event Format" of the
 * Chromium project: complete events (phase X) in microseconds, and metadata
 * events (M) for thread names. A caller precedes its callees, also if both
 * begin and end together. A call ends half a microsecond before the next
 * begins: speedscope 1.25 reads an end and a beginning of one function at the
 * same time as a call of no duration, and loses the stack.
 */
#include "formatters/calltree/formats.h"
#include "formatters/formatter.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/model/calltree_walk.h"
#include "lib/model/timeline.h"
#include "lib/text/json/writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A call, from its first sample to the end of its last. */
struct call {
	uint32_t node;
	uint64_t start_us;
	uint64_t end_us;
};

struct chrome {
	const struct calltree *tree;
	struct json_writer w;
	uint64_t thread; ///< from 1
	uint64_t time_us;
	struct call *calls; ///< of the thread, in the order of their start
	size_t call_count;
	size_t call_cap;
	size_t *open; ///< continuing calls, outermost first
	size_t open_count;
	size_t open_cap;
	uint32_t *path; ///< of the next sample
	size_t path_cap;
};

static void chrome_release(struct chrome *c)
{
	free(c->calls);
	free(c->open);
	free(c->path);
}

static void begin_event(struct chrome *c, const char *phase, uint64_t time_us,
                        const char *name)
{
	out_add(c->w.out, "\n");
	json_open_object(&c->w, NULL);
	json_text(&c->w, "ph", phase);
	json_number(&c->w, "pid", 1);
	json_number(&c->w, "tid", c->thread);
	json_number(&c->w, "ts", time_us);
	json_text(&c->w, "name", name);
}

static void name_thread(struct chrome *c, const char *name)
{
	begin_event(c, "M", 0, "thread_name");
	json_open_object(&c->w, "args");
	json_text(&c->w, "name", name);
	json_close(&c->w);
	json_close(&c->w);
}

static void add_duration(struct chrome *c, const struct call *call)
{
	char text[sizeof("18446744073709551615.5")];
	uint64_t us = call->end_us - call->start_us;

	snprintf(text, sizeof(text), us ? "%" PRIu64 ".5" : "%" PRIu64,
	         us - (us != 0));
	json_decimal(&c->w, "dur", text);
}

static void add_call(struct chrome *c, const struct call *call)
{
	const struct calltree_frame *frame =
	        calltree_frame_of(c->tree, call->node);

	begin_event(c, "X", call->start_us, calltree_name(frame));
	add_duration(c, call);
	json_text(&c->w, "cat", calltree_kind_name(frame->kind));
	json_open_object(&c->w, "args");
	json_text(&c->w, "image", frame->image);
	json_text(&c->w, "file", calltree_path(frame));
	if (frame->file && frame->line)
		json_number(&c->w, "line", frame->line);
	json_close(&c->w);
	json_close(&c->w);
}

static void begin_call(struct chrome *c, uint32_t node)
{
	MEM_GROW(c->open, c->open_count, c->open_cap);
	c->open[c->open_count++] = c->call_count;
	MEM_GROW(c->calls, c->call_count, c->call_cap);
	c->calls[c->call_count++] = (struct call){
		.node = node,
		.start_us = c->time_us,
	};
}

static void end_call(struct chrome *c)
{
	c->calls[c->open[--c->open_count]].end_us = c->time_us;
}

/** The nodes from the outermost frame to @p node; how many. */
static size_t list_path(struct chrome *c, uint32_t node)
{
	size_t depth = calltree_depth(c->tree, node);

	MEM_GROW(c->path, depth, c->path_cap);
	for (size_t i = depth; i--; node = c->tree->nodes[node].parent)
		c->path[i] = node;
	return depth;
}

static void add_sample(struct chrome *c, const struct timeline_sample *sample)
{
	size_t depth = list_path(c, sample->node);
	size_t same = 0;

	while (same < depth && same < c->open_count &&
	       c->calls[c->open[same]].node == c->path[same])
		same++;
	while (c->open_count > same)
		end_call(c);
	for (; same < depth; same++)
		begin_call(c, c->path[same]);
	c->time_us = number_sum(c->time_us, sample->cost_us);
}

static void add_track(struct chrome *c, const struct timeline *timeline,
                      size_t track)
{
	size_t count;
	const struct timeline_sample *samples =
	        timeline_samples(timeline, track, &count);

	c->thread = track + 1;
	c->time_us = 0;
	name_thread(c, timeline->tracks[track].name);
	for (size_t i = 0; i < count; i++)
		add_sample(c, &samples[i]);
	while (c->open_count)
		end_call(c);
	for (size_t i = 0; i < c->call_count; i++)
		add_call(c, &c->calls[i]);
	c->call_count = 0;
}

static void chrome_calltree(const struct calltree *tree,
                            const struct format_options *options UNUSED,
                            struct out *out)
{
	SCOPED(timeline_release) struct timeline made = { 0 };
	SCOPED(chrome_release)
	struct chrome c = { .tree = tree, .w = json_writer_compact(out) };
	const struct timeline *timeline = timeline_of_tree(tree, &made);

	json_open_object(&c.w, NULL);
	json_text(&c.w, "displayTimeUnit", "ms");
	json_open_object(&c.w, "otherData");
	json_text(&c.w, "exporter", "apmtool " APMTOOL_VERSION);
	if (!cost_is_exact(tree->cost_origin))
		json_text(&c.w, "cost_origin",
		          cost_origin_name(tree->cost_origin));
	json_close(&c.w);
	json_open_array(&c.w, "traceEvents");
	for (size_t i = 0; i < timeline->track_count; i++)
		add_track(&c, timeline, i);
	json_close(&c.w);
	json_close(&c.w);
	json_finish(&c.w);
}

const struct formatter chrome_formatter = {
	.name = "chrome",
	.summary = "call trees as trace events for Perfetto and Chrome (JSON)",
	.shows_one = true,
	.shows_order = true,
	.lists_samples = true,
	.calltree = chrome_calltree,
};

// SPDX-License-Identifier: MIT
/*
 * The `firefox` format: the processed profile of the Firefox Profiler, version
 * 48 (src/types/profile of firefox-devtools/profiler, and its
 * docs-developer/CHANGELOG-formats.md). A thread for each report, with its
 * samples in order, in milliseconds; each thread has its own tables, with
 * columns of equal length, of strings, functions, frames and stacks.
 */
#include "formatters/formatter.h"
#include "lib/base/intern.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/model/calltree_walk.h"
#include "lib/model/timeline.h"
#include "lib/text/json/writer.h"

#include <stdlib.h>

// Version of the gecko format that this is based on, and of the processed
// format.
#define GECKO_VERSION     27
#define PROCESSED_VERSION 48

#define RESOURCE_LIBRARY 1

/** Things that a thread uses, numbered as they are met. */
struct numbers {
	uint32_t *number_of; ///< from 1, by thing; 0: not in use
	uint32_t *list;
	uint32_t count;
};

struct firefox {
	const struct calltree *tree;
	struct json_writer w;
	struct intern libs; ///< images of the profile
	struct intern strings;
	struct intern resources; ///< images of the thread
	struct numbers frames;
	struct numbers stacks; ///< nodes
	struct str number;
};

static void numbers_init(struct numbers *numbers, size_t things)
{
	*numbers = (struct numbers){
		.number_of = mem_zalloc(things + 1, sizeof(uint32_t)),
		.list = mem_zalloc(things + 1, sizeof(uint32_t)),
	};
}

/** True: it is new. */
static bool numbers_add(struct numbers *numbers, uint32_t thing)
{
	if (numbers->number_of[thing])
		return false;
	numbers->list[numbers->count++] = thing;
	numbers->number_of[thing] = numbers->count;
	return true;
}

static void numbers_clear(struct numbers *numbers)
{
	for (uint32_t i = 0; i < numbers->count; i++)
		numbers->number_of[numbers->list[i]] = 0;
	numbers->count = 0;
}

static void firefox_release(struct firefox *f)
{
	intern_release(&f->libs);
	intern_release(&f->strings);
	intern_release(&f->resources);
	free(f->frames.number_of);
	free(f->frames.list);
	free(f->stacks.number_of);
	free(f->stacks.list);
	str_release(&f->number);
}

// Columns

/** A column with the same value in all rows: null, or a number. */
static void add_constant(struct firefox *f, const char *key, size_t count,
                         bool is_null, int64_t number)
{
	json_open_array(&f->w, key);
	for (size_t i = 0; i < count; i++) {
		if (is_null)
			json_null(&f->w, NULL);
		else
			json_signed(&f->w, NULL, number);
	}
	json_close(&f->w);
}

static void add_falses(struct firefox *f, const char *key, size_t count)
{
	json_open_array(&f->w, key);
	for (size_t i = 0; i < count; i++)
		json_bool(&f->w, NULL, false);
	json_close(&f->w);
}

static void add_empty(struct firefox *f, const char *key,
                      const char *const *columns, size_t count)
{
	json_open_object(&f->w, key);
	for (size_t i = 0; i < count; i++)
		add_constant(f, columns[i], 0, true, 0);
	json_number(&f->w, "length", 0);
	json_close(&f->w);
}

static uint32_t string(struct firefox *f, const char *text)
{
	return intern_add(&f->strings, text_from(text));
}

static const struct calltree_frame *frame_at(const struct firefox *f,
                                             uint32_t index)
{
	return &f->tree->frames[f->frames.list[index]];
}

// Tables of a thread

static int compare_nodes(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a;
	uint32_t right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

/** Number them in tree order, callers first. */
static void numbers_sort(struct numbers *numbers)
{
	if (numbers->count)
		qsort(numbers->list, numbers->count, sizeof(*numbers->list),
		      compare_nodes);
	for (uint32_t i = 0; i < numbers->count; i++)
		numbers->number_of[numbers->list[i]] = i + 1;
}

/** The stacks of its samples, callers first, and their frames. */
static void number_stacks(struct firefox *f,
                          const struct timeline_sample *samples, size_t count)
{
	const struct calltree *tree = f->tree;

	for (size_t i = 0; i < count; i++)
		for (uint32_t node = samples[i].node; node != CALLTREE_ROOT;
		     node = tree->nodes[node].parent)
			if (!numbers_add(&f->stacks, node))
				break;
	numbers_sort(&f->stacks);
	for (uint32_t i = 0; i < f->stacks.count; i++)
		numbers_add(&f->frames, tree->nodes[f->stacks.list[i]].frame);
}

static void add_samples(struct firefox *f,
                        const struct timeline_sample *samples, size_t count)
{
	uint64_t time_us = 0;

	json_open_object(&f->w, "samples");
	json_text(&f->w, "weightType", "tracing-ms");
	json_open_array(&f->w, "stack");
	for (size_t i = 0; i < count; i++) {
		uint32_t number = f->stacks.number_of[samples[i].node];

		if (samples[i].node == CALLTREE_ROOT)
			json_null(&f->w, NULL);
		else
			json_number(&f->w, NULL, number - 1);
	}
	json_close(&f->w);
	json_open_array(&f->w, "time");
	for (size_t i = 0; i < count; i++) {
		json_ms(&f->w, NULL, time_us);
		time_us = number_sum(time_us, samples[i].cost_us);
	}
	json_close(&f->w);
	json_open_array(&f->w, "weight");
	for (size_t i = 0; i < count; i++)
		json_ms(&f->w, NULL, samples[i].cost_us);
	json_close(&f->w);
	json_number(&f->w, "length", count);
	json_close(&f->w);
}

static void add_stacks(struct firefox *f)
{
	const struct calltree_node *nodes = f->tree->nodes;
	const struct numbers *stacks = &f->stacks;

	json_open_object(&f->w, "stackTable");
	json_open_array(&f->w, "frame");
	for (uint32_t i = 0; i < stacks->count; i++)
		json_number(&f->w, NULL,
		            f->frames.number_of[nodes[stacks->list[i]].frame] -
		                    1);
	json_close(&f->w);
	json_open_array(&f->w, "prefix");
	for (uint32_t i = 0; i < stacks->count; i++) {
		uint32_t caller = nodes[stacks->list[i]].parent;

		if (caller == CALLTREE_ROOT)
			json_null(&f->w, NULL);
		else
			json_number(&f->w, NULL, stacks->number_of[caller] - 1);
	}
	json_close(&f->w);
	json_open_array(&f->w, "category");
	for (uint32_t i = 0; i < stacks->count; i++)
		json_number(&f->w, NULL,
		            f->tree->frames[nodes[stacks->list[i]].frame].kind);
	json_close(&f->w);
	add_constant(f, "subcategory", stacks->count, false, 0);
	json_number(&f->w, "length", stacks->count);
	json_close(&f->w);
}

static void add_frames(struct firefox *f)
{
	uint32_t count = f->frames.count;

	json_open_object(&f->w, "frameTable");
	add_constant(f, "address", count, false, -1);
	add_constant(f, "inlineDepth", count, false, 0);
	json_open_array(&f->w, "category");
	for (uint32_t i = 0; i < count; i++)
		json_number(&f->w, NULL, frame_at(f, i)->kind);
	json_close(&f->w);
	add_constant(f, "subcategory", count, false, 0);
	json_open_array(&f->w, "func");
	for (uint32_t i = 0; i < count; i++)
		json_number(&f->w, NULL, i);
	json_close(&f->w);
	add_constant(f, "nativeSymbol", count, true, 0);
	add_constant(f, "innerWindowID", count, true, 0);
	add_constant(f, "implementation", count, true, 0);
	json_open_array(&f->w, "line");
	for (uint32_t i = 0; i < count; i++) {
		const struct calltree_frame *frame = frame_at(f, i);

		if (frame->file && frame->line)
			json_number(&f->w, NULL, frame->line);
		else
			json_null(&f->w, NULL);
	}
	json_close(&f->w);
	add_constant(f, "column", count, true, 0);
	json_number(&f->w, "length", count);
	json_close(&f->w);
}

/** One function for each frame. */
static void add_functions(struct firefox *f)
{
	uint32_t count = f->frames.count;

	json_open_object(&f->w, "funcTable");
	add_falses(f, "isJS", count);
	add_falses(f, "relevantForJS", count);
	json_open_array(&f->w, "name");
	for (uint32_t i = 0; i < count; i++)
		json_number(&f->w, NULL,
		            string(f, calltree_name(frame_at(f, i))));
	json_close(&f->w);
	json_open_array(&f->w, "resource");
	for (uint32_t i = 0; i < count; i++) {
		const char *image = frame_at(f, i)->image;

		json_signed(&f->w, NULL,
		            image ? (int64_t)intern_add(&f->resources,
		                                        text_from(image))
		                  : -1);
	}
	json_close(&f->w);
	json_open_array(&f->w, "fileName");
	for (uint32_t i = 0; i < count; i++) {
		const char *file = calltree_path(frame_at(f, i));

		if (file)
			json_number(&f->w, NULL, string(f, file));
		else
			json_null(&f->w, NULL);
	}
	json_close(&f->w);
	add_constant(f, "lineNumber", count, true, 0);
	add_constant(f, "columnNumber", count, true, 0);
	json_number(&f->w, "length", count);
	json_close(&f->w);
}

static void add_resources(struct firefox *f)
{
	const struct intern *resources = &f->resources;

	json_open_object(&f->w, "resourceTable");
	json_open_array(&f->w, "lib");
	for (uint32_t i = 0; i < resources->count; i++)
		json_number(&f->w, NULL,
		            intern_add(&f->libs, resources->texts[i]));
	json_close(&f->w);
	json_open_array(&f->w, "name");
	for (uint32_t i = 0; i < resources->count; i++)
		json_number(&f->w, NULL,
		            intern_add(&f->strings, resources->texts[i]));
	json_close(&f->w);
	add_constant(f, "host", resources->count, true, 0);
	add_constant(f, "type", resources->count, false, RESOURCE_LIBRARY);
	json_number(&f->w, "length", resources->count);
	json_close(&f->w);
}

static void add_strings(struct firefox *f)
{
	json_open_array(&f->w, "stringArray");
	for (uint32_t i = 0; i < f->strings.count; i++)
		json_text(&f->w, NULL, intern_cstr(&f->strings, i));
	json_close(&f->w);
}

/** Each report is a process of its own, since it may be from any device. */
static void add_identity(struct firefox *f, const char *name, size_t number)
{
	str_clear(&f->number);
	str_add_number(&f->number, number);
	json_text(&f->w, "name", name);
	json_text(&f->w, "processName", name);
	json_text(&f->w, "processType", "default");
	json_bool(&f->w, "isMainThread", true);
	json_text(&f->w, "pid", str_cstr(&f->number));
	json_number(&f->w, "tid", number);
	json_number(&f->w, "processStartupTime", 0);
	json_null(&f->w, "processShutdownTime");
	json_number(&f->w, "registerTime", 0);
	json_null(&f->w, "unregisterTime");
	json_open_array(&f->w, "pausedRanges");
	json_close(&f->w);
}

static void add_thread(struct firefox *f, const struct timeline *timeline,
                       size_t track)
{
	static const char *const markers[] = { "data",  "name",     "startTime",
		                               "phase", "category", "endTime" };
	static const char *const symbols[] = { "libIndex", "address", "name",
		                               "functionSize" };
	size_t count;
	const struct timeline_sample *samples =
	        timeline_samples(timeline, track, &count);

	number_stacks(f, samples, count);
	out_add(f->w.out, "\n");
	json_open_object(&f->w, NULL);
	add_identity(f, timeline->tracks[track].name, track + 1);
	add_samples(f, samples, count);
	add_stacks(f);
	add_frames(f);
	add_functions(f);
	add_resources(f);
	add_empty(f, "markers", markers, ARRAY_SIZE(markers));
	add_empty(f, "nativeSymbols", symbols, ARRAY_SIZE(symbols));
	add_strings(f);
	json_close(&f->w);
	numbers_clear(&f->stacks);
	numbers_clear(&f->frames);
	intern_release(&f->strings);
	intern_release(&f->resources);
}

// The profile

/** In the order of enum calltree_kind; a grey one has to be there. */
static void add_categories(struct firefox *f)
{
	static const char *const categories[][2] = {
		[CALLTREE_APP] = { "App", "orange" },
		[CALLTREE_SYSTEM] = { "System", "grey" },
	};
	static const char *const others[] = { "Other" };

	json_open_array(&f->w, "categories");
	for (size_t i = 0; i < ARRAY_SIZE(categories); i++) {
		json_open_object(&f->w, NULL);
		json_text(&f->w, "name", categories[i][0]);
		json_text(&f->w, "color", categories[i][1]);
		json_texts(&f->w, "subcategories", others, ARRAY_SIZE(others));
		json_close(&f->w);
	}
	json_close(&f->w);
}

static void add_meta(struct firefox *f)
{
	json_open_object(&f->w, "meta");
	json_number(&f->w, "version", GECKO_VERSION);
	json_number(&f->w, "preprocessedProfileVersion", PROCESSED_VERSION);
	json_text(&f->w, "product", "apmtool");
	if (!cost_is_exact(f->tree->cost_origin))
		json_text(&f->w, "cost_origin",
		          cost_origin_name(f->tree->cost_origin));
	json_text(&f->w, "importedFrom", "apmtool " APMTOOL_VERSION);
	json_number(&f->w, "interval", 1);
	json_number(&f->w, "startTime", 0);
	json_number(&f->w, "processType", 0);
	json_number(&f->w, "stackwalk", 1);
	json_bool(&f->w, "debug", false);
	json_bool(&f->w, "symbolicated", true);
	json_bool(&f->w, "usesOnlyOneStackType", true);
	json_bool(&f->w, "doesNotUseFrameImplementation", true);
	json_bool(&f->w, "sourceCodeIsNotOnSearchfox", true);
	add_categories(f);
	json_open_array(&f->w, "markerSchema");
	json_close(&f->w);
	json_close(&f->w);
}

/** Images of all threads, which are complete now. */
static void add_libs(struct firefox *f)
{
	static const char none[] = "000000000000000000000000000000000";

	json_open_array(&f->w, "libs");
	for (uint32_t i = 0; i < f->libs.count; i++) {
		const char *name = intern_cstr(&f->libs, i);

		json_open_object(&f->w, NULL);
		json_text(&f->w, "arch", "");
		json_text(&f->w, "name", name);
		json_text(&f->w, "path", name);
		json_text(&f->w, "debugName", name);
		json_text(&f->w, "debugPath", name);
		json_text(&f->w, "breakpadId", none);
		json_null(&f->w, "codeId");
		json_close(&f->w);
	}
	json_close(&f->w);
}

static void firefox_calltree(const struct calltree *tree,
                             const struct format_options *options UNUSED,
                             struct out *out)
{
	SCOPED(timeline_release) struct timeline made = { 0 };
	SCOPED(firefox_release)
	struct firefox f = { .tree = tree, .w = json_writer_compact(out) };
	const struct timeline *timeline = timeline_of_tree(tree, &made);

	numbers_init(&f.frames, tree->frame_count);
	numbers_init(&f.stacks, tree->node_count);
	json_open_object(&f.w, NULL);
	add_meta(&f);
	json_open_array(&f.w, "threads");
	for (size_t i = 0; i < timeline->track_count; i++)
		add_thread(&f, timeline, i);
	json_close(&f.w);
	add_libs(&f);
	json_open_array(&f.w, "counters");
	json_close(&f.w);
	json_close(&f.w);
	json_finish(&f.w);
}

const struct formatter firefox_formatter = {
	.name = "firefox",
	.summary = "call trees for the Firefox Profiler (JSON)",
	.shows_one = true,
	.shows_order = true,
	.lists_samples = true,
	.calltree = firefox_calltree,
};

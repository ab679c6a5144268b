// SPDX-License-Identifier: MIT
#include "lib/base/limit.h"
#include "lib/base/mem.h"
#include "lib/base/units.h"
#include "lib/model/calltree_walk.h"
#include "parsers/kscrash/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NO_FRAME UINT32_MAX
/** More than hours in nanoseconds is no time of a profile. */
#define TIME_MAX UINT64_C(10000000000000)

/** State of a profile: frames, and samples with indexes of frames. */
struct sampling {
	struct json_place place;
	const cJSON *object;
	struct arena *arena;
	struct report_stack frames; ///< readable ones
	uint32_t *numbers;          ///< by index in the profile; or NO_FRAME
	size_t number_count;
	uint32_t *stack; ///< of a sample, outermost first
	size_t stack_cap;
	struct calltree calls; ///< with indexes into @c frames
	size_t damaged;        ///< samples with an invalid frame
	size_t empty;          ///< samples without a frame
};

static void sampling_release(struct sampling *s)
{
	calltree_release(&s->calls);
	free(s->numbers);
	free(s->stack);
}

static void read_frames(struct sampling *s)
{
	const cJSON *frames =
	        json_place_member(&s->place, s->object, "frames", JSON_ARRAY);
	struct json_place place = JSON_PLACE_MEMBER(&s->place, "frames");

	s->number_count = (size_t)cJSON_GetArraySize(frames);
	s->numbers = mem_zalloc(s->number_count + 1, sizeof(*s->numbers));
	place.index = 0;
	for (const cJSON *value = cJSON_GetArrayItem(frames, 0); value;
	     value = value->next, place.index++) {
		size_t before = s->frames.count;

		kscrash_read_frame(&place, value, &s->frames);
		s->numbers[place.index] =
		        s->frames.count > before ? (uint32_t)before : NO_FRAME;
	}
}

/** The frame of a sample; or NO_FRAME. */
static uint32_t frame_of(const struct sampling *s, const cJSON *value)
{
	uint64_t index;

	return json_as_u64(value, &index) && index < s->number_count
	               ? s->numbers[index]
	               : NO_FRAME;
}

/** Put a sample's frames, innermost first, into @c stack, outermost first. */
static bool read_stack(struct sampling *s, const cJSON *indices, size_t count)
{
	size_t at = count;

	MEM_ROOM(s->stack, count, s->stack_cap);
	const cJSON *value;

	cJSON_ArrayForEach (value, indices) {
		uint32_t frame = frame_of(s, value);

		if (frame == NO_FRAME)
			return false;
		s->stack[--at] = frame;
	}
	return true;
}

static void read_sample(struct sampling *s, const cJSON *sample)
{
	const cJSON *indices =
	        cJSON_GetObjectItemCaseSensitive(sample, "frames");
	size_t count = cJSON_IsArray(indices)
	                       ? (size_t)cJSON_GetArraySize(indices)
	                       : 0;
	uint32_t node;

	if (!count) {
		s->empty++;
		return;
	}
	if (!read_stack(s, indices, count)) {
		s->damaged++;
		return;
	}
	node = calltree_add(&s->calls, s->stack, count);
	s->calls.nodes[node].self_samples++;
}

static void note_samples(const struct sampling *s)
{
	uint64_t truncated = 0;

	json_as_u64(
	        cJSON_GetObjectItemCaseSensitive(s->object, "truncated_count"),
	        &truncated);
	if (s->damaged)
		json_place_note(&s->place, "samples",
		                "%zu name%s a frame that the profile does not "
		                "have: left out",
		                s->damaged, s->damaged == 1 ? "s" : "");
	if (s->empty)
		json_place_note(&s->place, "samples",
		                "%zu ha%s no frames: left out", s->empty,
		                s->empty == 1 ? "s" : "ve");
	if (truncated)
		json_place_note(&s->place, "samples",
		                "of %" PRIu64 " the outer frames were not "
		                "recorded",
		                truncated);
	if (s->calls.full)
		json_place_note(&s->place, "samples",
		                "too many calls: deep stacks are truncated");
}

static void read_samples(struct sampling *s)
{
	const cJSON *samples =
	        json_place_member(&s->place, s->object, "samples", JSON_ARRAY);

	s->calls.node_limit = (uint32_t)limit_get(LIMIT_LINES) + 1;
	const cJSON *sample;

	cJSON_ArrayForEach (sample, samples)
		read_sample(s, sample);
	if (s->calls.node_count)
		calltree_sum(&s->calls);
	note_samples(s);
}

/** A time of the profile in microseconds; 0: unknown or invalid. */
static uint64_t microseconds(const struct sampling *s, const char *key)
{
	static const struct {
		const char *unit;
		uint64_t divisor;
		uint64_t factor;
	} units[] = {
		{ "nanoseconds", 1000, 1 },
		{ "microseconds", 1, 1 },
		{ "milliseconds", 1, 1000 },
		{ "seconds", 1, 1000000 },
	};
	const char *unit = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(s->object, "time_units"));
	uint64_t value;

	if (!json_as_u64(cJSON_GetObjectItemCaseSensitive(s->object, key),
	                 &value))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(unit ? unit : "nanoseconds", units[i].unit))
			return value > TIME_MAX ? 0
			                        : value * units[i].factor /
			                                  units[i].divisor;
	json_place_note(&s->place, "time_units",
	                "expected a unit of time, found '%.32s'", unit);
	return 0;
}

/** `262.253 ms` */
static const char *milliseconds(uint64_t us, struct arena *arena)
{
	SCOPED(str_release) struct str text = { 0 };

	units_add_exact(&text, us, 1000);
	str_add(&text, " ms");
	return arena_text(arena, str_text(&text));
}

static void read_facts(const struct sampling *s)
{
	struct report *report = s->place.reader->report;
	const char *name = cJSON_GetStringValue(
	        cJSON_GetObjectItemCaseSensitive(s->object, "name"));
	uint64_t duration = microseconds(s, "duration");

	report->sample_interval_us =
	        microseconds(s, "expected_sample_interval");
	if (name && *name)
		report_add_field(report, s->arena, "Profile",
		                 arena_strdup(s->arena, name));
	if (duration)
		report_add_field(report, s->arena, "Duration",
		                 milliseconds(duration, s->arena));
}

/** The samples as the report's only tree. */
static void add_tree(const struct sampling *s)
{
	const struct calltree *calls = &s->calls;
	struct report_tree *tree;

	if (calls->node_count < 2)
		return;
	tree = report_add_tree(s->place.reader->report, s->arena);
	tree->path = json_place_path(&s->place);
	// It is the only thread that was sampled.
	tree->attributed = true;
	for (uint32_t i = calltree_next(calls, CALLTREE_ROOT); i;
	     i = calltree_next(calls, i)) {
		const struct calltree_node *node = &calls->nodes[i];
		struct report_frame *frame;

		if (!json_place_may_read(&s->place, 1))
			return;
		frame = report_add_node(tree, s->arena, node->depth - 1,
		                        node->samples);
		*frame = s->frames.frames[node->frame];
		// It is that of the call, not the one that it returns to.
		frame->is_pc = true;
	}
}

void kscrash_read_profile(const struct kscrash *ks)
{
	struct json_place crash_place = JSON_PLACE_MEMBER(&ks->place, "crash");
	struct json_place error_place =
	        JSON_PLACE_MEMBER(&crash_place, "error");
	SCOPED(sampling_release)
	struct sampling s = {
		.place = JSON_PLACE_MEMBER(&error_place, "profile"),
		.arena = ks->place.reader->arena,
	};

	if (ks->error_type != KSCRASH_ERROR_PROFILE)
		return;
	ks->place.reader->report->kind = "profile of KSCrash";
	// Like `sample`'s output, it does not have a reason.
	ks->place.reader->report->sample_kind = SAMPLE_KIND_STALL;
	s.object = json_place_member(&error_place, ks->error, "profile",
	                             JSON_OBJECT);
	if (!s.object)
		return;
	read_facts(&s);
	read_frames(&s);
	read_samples(&s);
	add_tree(&s);
}

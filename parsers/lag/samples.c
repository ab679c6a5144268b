// SPDX-License-Identifier: MIT
#include "parsers/lag/reader.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <string.h>

void lag_samples_begin(struct lag_json *json)
{
	struct lag_samples *samples = &json->samples;

	json->stack.is_nodes = false;
	*samples = (struct lag_samples){
		.tallies = samples->tallies,
		.tally_cap = samples->tally_cap,
	};
}

/**
 * Read an array of frames whose first event was read; false if it has nodes.
 */
static bool take_stack(struct lag_json *json)
{
	if (!json->samples.begun)
		json->samples.folded_leaf_first = json->samples.leaf_first;
	json->stack.leaf_first = json->samples.folded_leaf_first;
	json->stack.count = 0;
	lag_frames_take(json);
	return !json->stack.is_nodes;
}

void lag_sample_take_bare(struct lag_json *json)
{
	const struct lag_sample sample = { .has_stack = take_stack(json) };

	lag_sample_end(json, &sample);
}

bool lag_sample_member(struct lag_json *json, struct text name,
                       struct lag_sample *sample)
{
	if (text_is(name, "stack")) {
		const struct json_event *event =
		        json_pull_next(json->source.pull);

		json->stack.count = 0;
		sample->has_stack = event->type == JSON_EVENT_ARRAY;
		if (sample->has_stack)
			sample->has_stack = take_stack(json);
		else
			json_source_unexpected(&json->source, event,
			                       "an array of frames");
		return true;
	}
	if (text_is(name, "cost_ms")) {
		sample->has_cost = lag_json_take_ms(json, LAG_COST_US_MAX,
		                                    &sample->cost_us);
		return true;
	}
	if (text_is(name, "time_ms") || text_is(name, "time")) {
		// Array order is chronological order.
		json_pull_skip(json->source.pull);
		return true;
	}
	return false;
}

/** Room for the nodes of the tree. */
static struct lag_tally *tally_of(struct lag_json *json, uint32_t node)
{
	struct lag_samples *samples = &json->samples;
	size_t count = json->report->profile.stacks.node_count;

	if (samples->tally_count < count) {
		MEM_ROOM(samples->tallies, count, samples->tally_cap);
		memset(samples->tallies + samples->tally_count, 0,
		       (count - samples->tally_count) *
		               sizeof(*samples->tallies));
		samples->tally_count = count;
	}
	return &samples->tallies[node];
}

/** Equal except that one of them may be innermost. */
static bool same_frame(const struct lag_report *report, uint32_t a, uint32_t b)
{
	const struct profile_frame *left;
	const struct profile_frame *right;

	if (a == b || a < PROFILE_FRAME || b < PROFILE_FRAME)
		return a == b;
	left = &report->profile.frames.items[a - PROFILE_FRAME];
	right = &report->profile.frames.items[b - PROFILE_FRAME];
	return left->address == right->address &&
	       left->symbol == right->symbol && left->image == right->image;
}

/** Extend the run of samples with equal frames at the assumed outer end. */
static void extend_run(struct lag_json *json, uint32_t frame, uint32_t node)
{
	struct lag_samples *samples = &json->samples;
	struct profile_run *run = &samples->run;

	if (!run->samples || !same_frame(json->report, run->frame, frame))
		*run = (struct profile_run){ .frame = frame };
	run->node = node;
	run->samples++;
	if (run->samples >= samples->best_run.samples)
		samples->best_run = *run;
}

void lag_sample_end(struct lag_json *json, const struct lag_sample *sample)
{
	const struct lag_stack *stack = &json->stack;
	struct lag_tally *tally;
	uint32_t node;

	// A truncated sample does not count.
	if (lag_json_is_broken(json) || json->stack.is_nodes)
		return;
	if (!sample->has_stack || !stack->count) {
		json_source_note(&json->source, NULL,
		                 "expected a stack of frames, found none: "
		                 "left out");
		return;
	}
	node = profile_add(&json->report->profile, stack->frames, stack->count,
	                   1, sample->has_cost ? sample->cost_us : 0);
	tally = tally_of(json, node);
	if (!tally->first)
		tally->first = json->report->profile.sequence;
	tally->uncosted += !sample->has_cost;
	if (!sample->has_cost)
		profile_uncosted(&json->report->profile);
	extend_run(json, stack->frames[0], node);
	json->samples.begun = true;
}

void lag_sample_take(struct lag_json *json)
{
	struct lag_sample sample = { 0 };
	const struct json_event *event;

	while ((event = json_pull_next(json->source.pull))->type !=
	       JSON_EVENT_END_OBJECT)
		if (!lag_sample_member(json, event->text, &sample))
			json_pull_skip(json->source.pull);
	lag_sample_end(json, &sample);
}

void lag_samples_end(struct lag_json *json)
{
	struct lag_samples *samples = &json->samples;
	struct lag_report *report = json->report;

	for (uint32_t i = 0; i < samples->tally_count; i++) {
		uint64_t uncosted = samples->tallies[i].uncosted;

		profile_count(&report->profile, i, 0,
		              lag_cost_us(uncosted, report->interval_us));
		if (uncosted && !report->interval_us)
			report->cost_origin = COST_ASSUMED;
	}
	profile_finish_costs(&report->profile,
	                     lag_cost_us(1, report->interval_us));
	if (samples->begun && samples->leaf_first != samples->folded_leaf_first)
		lag_samples_turn(json);
}

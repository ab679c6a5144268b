// SPDX-License-Identifier: MIT
#include "lib/model/timeline.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"
#include "lib/model/calltree_walk.h"

#include <stdlib.h>

void timeline_begin(struct timeline *timeline, const char *name,
                    bool is_ordered)
{
	if (timeline->is_full)
		return;
	MEM_GROW(timeline->tracks, timeline->track_count, timeline->track_cap);
	timeline->tracks[timeline->track_count++] = (struct timeline_track){
		.name = arena_strdup(&timeline->arena, name),
		.is_ordered = is_ordered,
		.first = timeline->sample_count,
	};
}

static void give_up(struct timeline *timeline)
{
	timeline_release(timeline);
	timeline->is_full = true;
}

/** Can it be merged with the previous sample of the track? */
static bool extends_last(const struct timeline *timeline, uint32_t node,
                         uint32_t weight)
{
	size_t first = timeline->tracks[timeline->track_count - 1].first;
	const struct timeline_sample *last;

	if (timeline->sample_count == first)
		return false;
	last = &timeline->samples[timeline->sample_count - 1];
	return last->node == node && last->weight <= UINT32_MAX - weight;
}

static void put(struct timeline *timeline, uint32_t node, uint32_t weight,
                uint64_t cost_us)
{
	MEM_GROW(timeline->samples, timeline->sample_count,
	         timeline->sample_cap);
	timeline->samples[timeline->sample_count++] = (struct timeline_sample){
		.node = node, .weight = weight, .cost_us = cost_us
	};
}

void timeline_add(struct timeline *timeline, uint32_t node, uint32_t weight,
                  uint64_t cost_us)
{
	if (timeline->is_full)
		return;
	if (extends_last(timeline, node, weight)) {
		struct timeline_sample *last =
		        &timeline->samples[timeline->sample_count - 1];

		last->weight += weight;
		last->cost_us = number_sum(last->cost_us, cost_us);
		return;
	}
	if (timeline->sample_count == TIMELINE_SAMPLES_MAX)
		give_up(timeline);
	else
		put(timeline, node, weight, cost_us);
}

const struct timeline_sample *timeline_samples(const struct timeline *timeline,
                                               size_t track, size_t *ret_count)
{
	size_t first = timeline->tracks[track].first;
	size_t end = track + 1 < timeline->track_count
	                     ? timeline->tracks[track + 1].first
	                     : timeline->sample_count;

	*ret_count = end - first;
	return timeline->samples + first;
}

size_t timeline_ordered(const struct timeline *timeline)
{
	size_t ordered = 0;

	for (size_t i = 0; i < timeline->track_count; i++) {
		size_t count;

		timeline_samples(timeline, i, &count);
		ordered += count && timeline->tracks[i].is_ordered;
	}
	return ordered;
}

void timeline_renumber(struct timeline *timeline, const uint32_t *node_of)
{
	for (size_t i = 0; i < timeline->sample_count; i++)
		timeline->samples[i].node = node_of[timeline->samples[i].node];
}

/** Set the turns of the nodes that a track is the first to meet. */
static void meet(const struct timeline *timeline, size_t track,
                 const struct calltree *tree, uint32_t *turns, uint32_t *turn)
{
	size_t count;
	const struct timeline_sample *samples =
	        timeline_samples(timeline, track, &count);

	for (size_t i = 0; i < count; i++) {
		uint32_t node = samples[i].node;

		if (node == CALLTREE_ROOT || turns[node] != UINT32_MAX)
			continue;
		// Rank callers at their first appearance.
		for (; node != CALLTREE_ROOT && turns[node] == UINT32_MAX;
		     node = tree->nodes[node].parent)
			turns[node] = *turn;
		(*turn)++;
	}
}

void timeline_sort(const struct timeline *timeline, struct calltree *tree)
{
	SCOPED(mem_drop)
	uint32_t *turns =
	        mem_alloc(((size_t)tree->node_count + 1) * sizeof(*turns));
	uint32_t turn = 0;

	for (uint32_t i = 0; i < tree->node_count; i++)
		turns[i] = UINT32_MAX;
	for (size_t i = 0; i < timeline->track_count; i++)
		if (timeline->tracks[i].is_ordered)
			meet(timeline, i, tree, turns, &turn);
	calltree_sort_nodes(tree, turns);
}

const struct timeline *timeline_of_tree(const struct calltree *tree,
                                        struct timeline *made)
{
	if (tree->timeline)
		return tree->timeline;
	timeline_begin(made, tree->title ? tree->title : TIMELINE_UNTITLED,
	               false);
	for (uint32_t i = calltree_next(tree, CALLTREE_ROOT); i;
	     i = calltree_next(tree, i)) {
		const struct calltree_node *node = &tree->nodes[i];
		uint64_t samples = node->self_samples;

		if (samples || node->self_cost_us)
			put(made, i,
			    samples < UINT32_MAX ? (uint32_t)samples
			                         : UINT32_MAX,
			    node->self_cost_us);
	}
	return made;
}

void timeline_release(struct timeline *timeline)
{
	arena_release(&timeline->arena);
	free(timeline->tracks);
	free(timeline->samples);
	*timeline = (struct timeline){ 0 };
}

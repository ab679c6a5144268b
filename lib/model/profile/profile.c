// SPDX-License-Identifier: MIT
#include "lib/model/profile/profile.h"

#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <stdlib.h>

void profile_init(struct profile *profile, struct intern *strings)
{
	*profile = (struct profile){ .strings = strings };
}

void profile_clear(struct profile *profile)
{
	profile_frames_clear(&profile->frames);
	calltree_clear(&profile->stacks);
	profile->images.count = 0;
	*profile = (struct profile){
		.strings = profile->strings,
		.images = profile->images,
		.frames = profile->frames,
		.stacks = profile->stacks,
		.keeps_order = profile->keeps_order,
		.order = profile->order,
		.order_cap = profile->order_cap,
	};
}

void profile_release(struct profile *profile)
{
	profile_frames_release(&profile->frames);
	calltree_release(&profile->stacks);
	free(profile->images.items);
	free(profile->order);
	*profile = (struct profile){ 0 };
}

uint32_t profile_frame(struct profile *profile,
                       const struct profile_frame *frame)
{
	uint32_t index = profile_frames_add(&profile->frames, frame);

	if (index >= PROFILE_FRAME)
		mem_fail();
	return PROFILE_FRAME + index;
}

static void extend_run(struct profile *profile, uint32_t frame, uint32_t node,
                       uint64_t weight)
{
	struct profile_run *run = &profile->run;

	if (!run->samples || run->frame != frame)
		*run = (struct profile_run){ .frame = frame };
	run->node = node;
	run->samples = number_sum(run->samples, weight);
	if (run->samples >= profile->best_run.samples)
		profile->best_run = *run;
}

// The order

static void keep(struct profile *profile, uint32_t node, uint64_t weight,
                 uint64_t cost_us)
{
	uint32_t count = weight < UINT32_MAX ? (uint32_t)weight : UINT32_MAX;
	struct profile_sample *last =
	        profile->order_count ? &profile->order[profile->order_count - 1]
	                             : NULL;

	if (last && last->node == node && last->weight <= UINT32_MAX - count) {
		last->weight += count;
		last->cost_us = number_sum(last->cost_us, cost_us);
		return;
	}
	if (profile->order_count > PROFILE_ORDER_MAX)
		return;
	MEM_GROW(profile->order, profile->order_count, profile->order_cap);
	profile->order[profile->order_count++] = (struct profile_sample){
		.node = node, .weight = count, .cost_us = cost_us
	};
}

void profile_uncosted(struct profile *profile)
{
	if (profile->order_count)
		profile->order[profile->order_count - 1].uncosted++;
}

void profile_finish_costs(struct profile *profile, uint64_t each_us)
{
	for (size_t i = 0; i < profile->order_count; i++) {
		struct profile_sample *sample = &profile->order[i];
		uint64_t cost_us;

		if (__builtin_mul_overflow(each_us, sample->uncosted, &cost_us))
			cost_us = UINT64_MAX;
		sample->cost_us = number_sum(sample->cost_us, cost_us);
		sample->uncosted = 0;
	}
}

/** Distributes a new total over costs in proportion. */
struct rescaling {
	uint64_t from;
	uint64_t to;
	uint64_t sum; ///< of the parts so far
};

static uint64_t rescale(struct rescaling *r, uint64_t part)
{
	__extension__ typedef unsigned __int128 wide;
	uint64_t before = r->sum;

	if (!r->from)
		return 0;
	r->sum = part < r->from - before ? before + part : r->from;
	return (uint64_t)((wide)r->to * r->sum / r->from) -
	       (uint64_t)((wide)r->to * before / r->from);
}

void profile_set_cost(struct profile *profile, uint64_t total_us)
{
	struct rescaling nodes = { profile->cost_us, total_us, 0 };
	struct rescaling order = nodes;

	for (uint32_t i = 0; i < profile->stacks.node_count; i++)
		profile->stacks.nodes[i].self_cost_us =
		        rescale(&nodes, profile->stacks.nodes[i].self_cost_us);
	for (size_t i = 0; i < profile->order_count; i++)
		profile->order[i].cost_us =
		        rescale(&order, profile->order[i].cost_us);
	profile->cost_us = nodes.sum ? total_us : 0;
}

void profile_forget_cost(struct profile *profile)
{
	for (uint32_t i = 0; i < profile->stacks.node_count; i++)
		profile->stacks.nodes[i].self_cost_us = 0;
	profile->cost_us = 0;
}

static void count_at(struct profile *profile, uint32_t at, uint32_t frame,
                     uint64_t weight, uint64_t cost_us)
{
	struct calltree_node *node = &profile->stacks.nodes[at];

	node->self_samples = number_sum(node->self_samples, weight);
	node->self_cost_us = number_sum(node->self_cost_us, cost_us);
	profile->sample_count = number_sum(profile->sample_count, weight);
	profile->cost_us = number_sum(profile->cost_us, cost_us);
	if (!weight)
		return;
	if (profile->keeps_order)
		keep(profile, at, weight, cost_us);
	if (profile->sequence < UINT32_MAX)
		profile->sequence++;
	node->newest = profile->sequence;
	extend_run(profile, frame, at, weight);
}

void profile_count(struct profile *profile, uint32_t node, uint64_t weight,
                   uint64_t cost_us)
{
	if (node != CALLTREE_ROOT)
		count_at(profile, node, profile->stacks.nodes[node].frame,
		         weight, cost_us);
}

uint32_t profile_add(struct profile *profile, const uint32_t *frames,
                     size_t count, uint64_t weight, uint64_t cost_us)
{
	uint32_t leaf;

	if (!count)
		return CALLTREE_ROOT;
	leaf = calltree_add(&profile->stacks, frames, count);
	count_at(profile, leaf, frames[count - 1], weight, cost_us);
	return leaf;
}

void profile_place(struct profile *profile, enum pointer_signing signing)
{
	profile_images_place(&profile->images, profile->strings, signing,
	                     profile->is_placed, &profile->frames);
}

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
	};
}

void profile_release(struct profile *profile)
{
	profile_frames_release(&profile->frames);
	calltree_release(&profile->stacks);
	free(profile->images.items);
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

#include "lib/model/lag.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_LEAST 64
#define SLOTS_KEPT  4096

void lag_report_init(struct lag_report *report, struct intern *names)
{
	*report = (struct lag_report){ .names = names, .seed = hash_seed() };
}

void lag_report_clear(struct lag_report *report)
{
	struct lag_report kept = {
		.names = report->names,
		.arena = report->arena,
		.input = report->input,
		.images = report->images,
		.image_cap = report->image_cap,
		.frames = report->frames,
		.frame_cap = report->frame_cap,
		.tree = report->tree,
		.frame_slots = report->frame_slots,
		.frame_slot_count = report->frame_slot_count,
		.seed = report->seed,
	};

	arena_clear(&kept.arena);
	calltree_clear(&kept.tree);
	// A table that one large report left behind is not wiped for each of
	// a million small ones.
	if (kept.frame_slot_count > SLOTS_KEPT) {
		free(kept.frame_slots);
		kept.frame_slots = NULL;
		kept.frame_slot_count = 0;
	} else if (report->frame_count) {
		memset(kept.frame_slots, 0,
		       kept.frame_slot_count * sizeof(*kept.frame_slots));
	}
	*report = kept;
}

void lag_report_release(struct lag_report *report)
{
	arena_release(&report->arena);
	calltree_release(&report->tree);
	free(report->images);
	free(report->frames);
	free(report->frame_slots);
	*report = (struct lag_report){ 0 };
}

// Frames

static bool same_frame(const struct lag_frame *a, const struct lag_frame *b)
{
	return a->address == b->address && a->symbol == b->symbol &&
	       a->image == b->image && a->placed == b->placed &&
	       a->exact == b->exact;
}

/** The slot of an equal frame, or the free one where it belongs. */
static uint32_t *find_slot(const struct lag_report *report,
                           const struct lag_frame *frame)
{
	// All of it: a million symbols may claim to be at one address.
	const uint64_t key[] = {
		frame->address,
		(uint64_t)frame->symbol << 32 | frame->image,
		(uint64_t)frame->placed << 1 | frame->exact,
	};
	size_t mask = report->frame_slot_count - 1;
	uint64_t hash = hash_bytes(report->seed, key, sizeof(key));

	for (size_t at = hash & mask;; at = (at + 1) & mask) {
		uint32_t *slot = &report->frame_slots[at];

		if (!*slot || same_frame(&report->frames[*slot - 1], frame))
			return slot;
	}
}

static void grow_slots(struct lag_report *report)
{
	size_t count = report->frame_slot_count ? 2 * report->frame_slot_count
	                                        : SLOTS_LEAST;

	free(report->frame_slots);
	report->frame_slots = mem_zalloc(count, sizeof(*report->frame_slots));
	report->frame_slot_count = count;
	for (size_t i = 0; i < report->frame_count; i++)
		*find_slot(report, &report->frames[i]) = (uint32_t)(i + 1);
}

uint32_t lag_report_frame(struct lag_report *report,
                          const struct lag_frame *frame)
{
	uint32_t *slot;

	if (report->frame_count >= report->frame_slot_count / 2)
		grow_slots(report);
	slot = find_slot(report, frame);
	if (!*slot) {
		if (report->frame_count >= LAG_FRAME_PLACED)
			mem_fail();
		MEM_GROW(report->frames, report->frame_count,
		         report->frame_cap);
		report->frames[report->frame_count] = *frame;
		*slot = (uint32_t)++report->frame_count;
	}
	return LAG_FRAME_PLACED + (*slot - 1);
}

// Samples

static void extend_run(struct lag_report *report, uint32_t frame, uint32_t node,
                       uint64_t weight)
{
	struct lag_run *run = &report->run;

	if (!run->samples || run->frame != frame)
		*run = (struct lag_run){ .frame = frame };
	run->node = node;
	run->samples = number_sum(run->samples, weight);
	if (run->samples >= report->best_run.samples)
		report->best_run = *run;
}

static void count_at(struct lag_report *report, uint32_t at, uint32_t frame,
                     uint64_t weight, uint64_t cost_us)
{
	struct calltree_node *node = &report->tree.nodes[at];

	node->self_samples = number_sum(node->self_samples, weight);
	node->self_cost_us = number_sum(node->self_cost_us, cost_us);
	report->sample_count = number_sum(report->sample_count, weight);
	report->cost_us = number_sum(report->cost_us, cost_us);
	if (!weight)
		return;
	if (report->sequence < UINT32_MAX)
		report->sequence++;
	node->newest = report->sequence;
	extend_run(report, frame, at, weight);
}

void lag_report_count(struct lag_report *report, uint32_t node, uint64_t weight,
                      uint64_t cost_us)
{
	if (node != CALLTREE_ROOT)
		count_at(report, node, report->tree.nodes[node].frame, weight,
		         cost_us);
}

uint32_t lag_report_add(struct lag_report *report, const uint32_t *frames,
                        size_t count, uint64_t weight, uint64_t cost_us)
{
	uint32_t leaf;

	if (!count)
		return CALLTREE_ROOT;
	leaf = calltree_add(&report->tree, frames, count);
	count_at(report, leaf, frames[count - 1], weight, cost_us);
	return leaf;
}

// Images

struct lag_image *lag_report_add_image(struct lag_report *report)
{
	MEM_GROW(report->images, report->image_count, report->image_cap);
	report->images[report->image_count] = (struct lag_image){ .name = "" };
	return &report->images[report->image_count++];
}

// Notes

void lag_report_note(struct lag_report *report, const char *place,
                     const char *text)
{
	if (report->note_count < LAG_NOTES)
		report->notes[report->note_count] = (struct lag_note){
			.place = arena_strdup(&report->arena, place),
			.text = arena_strdup(&report->arena, text),
		};
	report->note_count++;
}

#include "lib/model/lag.h"

#include "lib/base/hash.h"
#include "lib/base/mem.h"
#include "lib/base/number.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_LEAST 64
#define SLOTS_KEPT  4096

// arm64: user addresses have at most 47 bits, the rest is a signature.
#define ADDRESS_BITS 47

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
	       a->image == b->image && a->exact == b->exact;
}

/** The slot of an equal frame, or the free one where it belongs. */
static uint32_t *find_slot(const struct lag_report *report,
                           const struct lag_frame *frame)
{
	size_t mask = report->frame_slot_count - 1;
	uint64_t hash = hash_bytes(report->seed, &frame->address,
	                           sizeof(frame->address));

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
		MEM_GROW(report->frames, report->frame_count,
		         report->frame_cap);
		report->frames[report->frame_count] = *frame;
		report->frames[report->frame_count].placed = LAG_NO_IMAGE;
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

uint32_t lag_report_add(struct lag_report *report, const uint32_t *frames,
                        size_t count, uint64_t weight, uint64_t cost_us)
{
	uint32_t leaf;
	struct calltree_node *node;

	if (!count || !weight)
		return CALLTREE_ROOT;
	leaf = calltree_add(&report->tree, frames, count);
	node = &report->tree.nodes[leaf];
	node->self_samples = number_sum(node->self_samples, weight);
	node->self_cost_us = number_sum(node->self_cost_us, cost_us);
	if (report->sequence < UINT32_MAX)
		report->sequence++;
	node->newest = report->sequence;
	report->sample_count = number_sum(report->sample_count, weight);
	report->cost_us = number_sum(report->cost_us, cost_us);
	extend_run(report, frames[count - 1], leaf, weight);
	return leaf;
}

// Images

struct lag_image *lag_report_add_image(struct lag_report *report)
{
	MEM_GROW(report->images, report->image_count, report->image_cap);
	report->images[report->image_count] = (struct lag_image){ 0 };
	return &report->images[report->image_count++];
}

static int compare_images(const void *a, const void *b)
{
	const struct lag_image *left = a;
	const struct lag_image *right = b;

	if (left->base != right->base)
		return left->base < right->base ? -1 : 1;
	if (left->size != right->size)
		return left->size < right->size ? -1 : 1;
	return strcmp(left->name, right->name);
}

/** The last image at or below @p address, unless it ends before. */
static uint32_t find_image(const struct lag_report *report, uint64_t address)
{
	size_t low = 0;
	size_t high = report->image_count;
	const struct lag_image *image;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (report->images[middle].base <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return LAG_NO_IMAGE;
	image = &report->images[low - 1];
	if (image->size && address - image->base >= image->size)
		return LAG_NO_IMAGE;
	return (uint32_t)(low - 1);
}

static uint32_t find_image_by_name(const struct lag_report *report,
                                   const char *name, uint64_t address)
{
	for (size_t i = 0; i < report->image_count; i++)
		if (!strcmp(report->images[i].name, name) &&
		    report->images[i].base <= address)
			return (uint32_t)i;
	return LAG_NO_IMAGE;
}

static void place_frame(const struct lag_report *report,
                        struct lag_frame *frame)
{
	uint64_t plain = frame->address & (((uint64_t)1 << ADDRESS_BITS) - 1);

	frame->placed = find_image(report, frame->address);
	if (frame->placed == LAG_NO_IMAGE && plain != frame->address) {
		frame->placed = find_image(report, plain);
		if (frame->placed != LAG_NO_IMAGE)
			frame->address = plain;
	}
	if (frame->placed == LAG_NO_IMAGE && frame->image != INTERN_NONE)
		frame->placed = find_image_by_name(
		        report, intern_cstr(report->names, frame->image),
		        frame->address);
}

void lag_report_place(struct lag_report *report)
{
	if (!report->image_count)
		return;
	qsort(report->images, report->image_count, sizeof(*report->images),
	      compare_images);
	for (size_t i = 0; i < report->frame_count; i++)
		place_frame(report, &report->frames[i]);
}

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

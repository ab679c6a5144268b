// SPDX-License-Identifier: MIT
#include "lib/base/mem.h"
#include "lib/model/image_map.h"
#include "lib/model/report.h"

#include <stdlib.h>

static void place_frame(const struct image_map *map, struct report_frame *frame)
{
	struct image_place place;
	size_t image;

	if (frame->image != REPORT_NO_IMAGE || !frame->address)
		return;
	if (image_map_find(map, frame->address, &place)) {
		frame->image = place.image;
		frame->image_offset = place.offset;
		return;
	}
	if (!frame->image_offset)
		return;
	image = image_map_find_base(map, frame->address - frame->image_offset);
	if (image != IMAGE_NONE)
		frame->image = image;
}

static void place_stack(struct report_stack *stack, void *context)
{
	for (size_t i = 0; i < stack->count; i++)
		place_frame(context, &stack->frames[i]);
}

/** By the code type, else by an image. */
static enum pointer_signing signing_of(const struct report *report)
{
	enum pointer_signing signing = pointer_signing_of(report->code_type);

	for (size_t i = 0; i < report->image_count && !report->code_type; i++) {
		const char *arch = report->images[i].arch;

		if (arch && signing != POINTERS_SIGNED)
			signing = pointer_signing_of(arch);
	}
	return signing;
}

void report_place_frames(struct report *report)
{
	SCOPED(mem_drop)
	struct image_range *ranges =
	        mem_alloc((report->image_count + 1) * sizeof(*ranges));
	struct image_map map;

	for (size_t i = 0; i < report->image_count; i++)
		ranges[i] = (struct image_range){
			.base = report->images[i].base,
			.size = report->images[i].size,
		};
	image_map_init(&map, ranges, report->image_count, signing_of(report));
	report_each_stack(report, place_stack, &map);
	image_map_release(&map);
}

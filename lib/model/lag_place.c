#include "lib/base/mem.h"
#include "lib/model/image_map.h"
#include "lib/model/lag.h"

#include <inttypes.h>

/** Said once: what no image covers, no symbol file will name. */
static void note_outside(struct lag_report *report)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	uint64_t first = 0;
	size_t count = 0;
	bool has_map = false;

	for (size_t i = 0; i < report->image_count; i++)
		has_map |= report->images[i].base != 0;
	for (size_t i = 0; i < report->frame_count && has_map; i++) {
		const struct lag_frame *frame = &report->frames[i];

		// One that names its image is of a list that is not here.
		if (!frame->address || frame->placed != LAG_NO_IMAGE ||
		    frame->image != INTERN_NONE)
			continue;
		if (!count++)
			first = frame->address;
	}
	if (count)
		lag_report_note(
		        report, "dyld_images",
		        count == 1 ? arena_printf(&arena,
		                                  "a frame lies outside all "
		                                  "images, at 0x%" PRIx64,
		                                  first)
		                   : arena_printf(
		                             &arena,
		                             "%zu frames lie outside all "
		                             "images, the first at 0x%" PRIx64,
		                             count, first));
}

/** The images as ranges; their names are numbers of the report's. */
static struct image_range *list_ranges(const struct lag_report *report)
{
	struct image_range *ranges =
	        mem_alloc((report->image_count + 1) * sizeof(*ranges));

	for (size_t i = 0; i < report->image_count; i++) {
		const struct lag_image *image = &report->images[i];

		ranges[i] = (struct image_range){
			.base = image->base,
			.size = image->size,
			.name = intern_find(report->names,
			                    text_from(image->name)),
		};
	}
	return ranges;
}

static void place_frame(struct image_map *map, struct lag_frame *frame)
{
	struct image_place place;

	frame->placed = LAG_NO_IMAGE;
	frame->has_offset = image_map_find(map, frame->address, &place) ||
	                    (frame->image != INTERN_NONE &&
	                     image_map_find_named(map, frame->image,
	                                          frame->address, &place));
	if (!frame->has_offset)
		return;
	frame->placed = (uint32_t)place.image;
	frame->address = place.address;
}

static uint32_t lowest_named(struct image_map *map, uint32_t name)
{
	size_t image = image_map_lowest_named(map, name);

	return image == IMAGE_NONE ? LAG_NO_IMAGE : (uint32_t)image;
}

static void place_frames(struct lag_report *report)
{
	SCOPED(mem_drop) struct image_range *ranges = list_ranges(report);
	struct image_map map;

	image_map_init(&map, ranges, report->image_count,
	               pointer_signing_of(report->arch));
	for (size_t i = 0; i < report->frame_count; i++) {
		struct lag_frame *frame = &report->frames[i];

		if (!report->is_placed)
			place_frame(&map, frame);
		if (frame->placed == LAG_NO_IMAGE &&
		    frame->image != INTERN_NONE)
			frame->placed = lowest_named(&map, frame->image);
	}
	image_map_release(&map);
}

void lag_report_place(struct lag_report *report)
{
	place_frames(report);
	note_outside(report);
}

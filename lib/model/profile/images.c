// SPDX-License-Identifier: MIT
#include "lib/model/profile/images.h"

#include "lib/base/mem.h"
#include "lib/model/image_map.h"

struct profile_image *profile_images_add(struct profile_images *images)
{
	MEM_GROW(images->items, images->count, images->cap);
	images->items[images->count] = (struct profile_image){ .name = "" };
	return &images->items[images->count++];
}

/** The images as ranges, with names from the strings. */
static struct image_range *list_ranges(const struct profile_images *images,
                                       const struct intern *strings)
{
	struct image_range *ranges =
	        mem_alloc((images->count + 1) * sizeof(*ranges));

	for (size_t i = 0; i < images->count; i++) {
		const struct profile_image *image = &images->items[i];

		ranges[i] = (struct image_range){
			.base = image->base,
			.size = image->size,
			.name = intern_find(strings, text_from(image->name)),
		};
	}
	return ranges;
}

static void place_frame(struct image_map *map, struct profile_frame *frame)
{
	struct image_place place;

	frame->placed = PROFILE_NO_IMAGE;
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

	return image == IMAGE_NONE ? PROFILE_NO_IMAGE : (uint32_t)image;
}

void profile_images_place(const struct profile_images *images,
                          const struct intern *strings,
                          enum pointer_signing signing, bool keep,
                          struct profile_frames *frames)
{
	SCOPED(mem_drop) struct image_range *ranges = NULL;
	struct image_map map;

	// There may be a million reports with only symbols.
	if (!frames->count)
		return;
	ranges = list_ranges(images, strings);
	image_map_init(&map, ranges, images->count, signing);
	for (size_t i = 0; i < frames->count; i++) {
		struct profile_frame *frame = &frames->items[i];

		if (!keep)
			place_frame(&map, frame);
		if (frame->placed == PROFILE_NO_IMAGE &&
		    frame->image != INTERN_NONE)
			frame->placed = lowest_named(&map, frame->image);
	}
	image_map_release(&map);
}

#include "lib/base/mem.h"
#include "lib/model/lag.h"
#include "lib/model/pointer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/** From @p start to the next segment, addresses belong to one image. */
struct segment {
	uint64_t start;
	uint32_t image; ///< LAG_NO_IMAGE: a gap
};

struct named_image {
	uint32_t name; ///< in the report's names
	uint32_t image;
};

struct image_map {
	const struct lag_report *report;
	uint64_t *lasts; ///< by image: its last address
	uint32_t *open;  ///< images of the sweep, the greatest base last
	size_t open_count;
	struct segment *segments;
	size_t segment_count;
	struct named_image *named; ///< by name, then by base; NULL: not made
	size_t named_count;
};

/** No code lies at 0: an image there is one whose base is not known. */
static bool is_placed(const struct lag_image *image)
{
	return image->base;
}

/** By base; of one base, the longest first: what is shorter lies on top. */
static int compare_images(const void *a, const void *b)
{
	const struct lag_image *left = a;
	const struct lag_image *right = b;

	if (left->base != right->base)
		return left->base < right->base ? -1 : 1;
	// 0, up to the next image, becomes the greatest size.
	if (left->size != right->size)
		return left->size - 1 > right->size - 1 ? -1 : 1;
	if (strcmp(left->name, right->name) != 0)
		return strcmp(left->name, right->name);
	return memcmp(&left->uuid, &right->uuid, sizeof(left->uuid));
}

/** Set the last address of each image. */
static void find_lasts(struct image_map *map)
{
	const struct lag_image *images = map->report->images;
	uint64_t next = UINT64_MAX; ///< the last address below the next image

	for (size_t i = map->report->image_count; i-- > 0;) {
		// Without a size, one does not reach out of user space: signed
		// pointers lie there.
		uint64_t last = images[i].base |
		                (UINT64_MAX >> (64 - POINTER_BITS));

		if (images[i].size &&
		    __builtin_add_overflow(images[i].base, images[i].size - 1,
		                           &last))
			last = UINT64_MAX;
		if (!images[i].size && last > next)
			last = next;
		map->lasts[i] = last;
		if (i && images[i - 1].base < images[i].base)
			next = images[i].base - 1;
	}
}

static void add_segment(struct image_map *map, uint64_t start, uint32_t image)
{
	// What begins where another ends, or another begins, is on top of it.
	if (map->segment_count &&
	    map->segments[map->segment_count - 1].start == start)
		map->segment_count--;
	map->segments[map->segment_count++] = (struct segment){
		.start = start,
		.image = image,
	};
}

/** Close the open images that end before @p limit. */
static void close_images(struct image_map *map, uint64_t limit)
{
	while (map->open_count) {
		uint64_t last = map->lasts[map->open[map->open_count - 1]];

		if (last >= limit)
			return;
		// What lies below may have ended already.
		while (map->open_count &&
		       map->lasts[map->open[map->open_count - 1]] <= last)
			map->open_count--;
		add_segment(map, last + 1,
		            map->open_count ? map->open[map->open_count - 1]
		                            : LAG_NO_IMAGE);
	}
}

static void image_map_init(struct image_map *map,
                           const struct lag_report *report)
{
	size_t count = report->image_count;

	*map = (struct image_map){
		.report = report,
		.lasts = mem_zalloc(count, sizeof(*map->lasts)),
		.open = mem_zalloc(count, sizeof(*map->open)),
		.segments = mem_zalloc(2 * count, sizeof(*map->segments)),
	};
	find_lasts(map);
	for (size_t i = 0; i < count; i++) {
		if (!is_placed(&report->images[i]))
			continue;
		close_images(map, report->images[i].base);
		add_segment(map, report->images[i].base, (uint32_t)i);
		map->open[map->open_count++] = (uint32_t)i;
	}
	close_images(map, UINT64_MAX);
}

static void image_map_release(struct image_map *map)
{
	free(map->lasts);
	free(map->open);
	free(map->segments);
	free(map->named);
}

static uint32_t find_image(const struct image_map *map, uint64_t address)
{
	size_t low = 0;
	size_t high = map->segment_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (map->segments[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? map->segments[low - 1].image : LAG_NO_IMAGE;
}

static int compare_named(const void *a, const void *b)
{
	const struct named_image *left = a;
	const struct named_image *right = b;

	if (left->name != right->name)
		return left->name < right->name ? -1 : 1;
	return (left->image > right->image) - (left->image < right->image);
}

static void find_names(struct image_map *map)
{
	const struct lag_report *report = map->report;

	map->named = mem_zalloc(report->image_count, sizeof(*map->named));
	for (size_t i = 0; i < report->image_count; i++) {
		struct text name = text_from(report->images[i].name);

		if (!is_placed(&report->images[i]))
			continue;
		map->named[map->named_count++] = (struct named_image){
			.name = intern_find(report->names, name),
			.image = (uint32_t)i,
		};
	}
	qsort(map->named, map->named_count, sizeof(*map->named), compare_named);
}

/** Of the images of that name, the one with the greatest base below. */
static uint32_t find_image_by_name(struct image_map *map, uint32_t name,
                                   uint64_t address)
{
	const struct lag_image *images = map->report->images;
	size_t low = 0;
	size_t high;

	if (!map->named)
		find_names(map);
	high = map->named_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct named_image *at = &map->named[middle];

		if (at->name < name ||
		    (at->name == name && images[at->image].base <= address))
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || map->named[low - 1].name != name)
		return LAG_NO_IMAGE;
	return map->named[low - 1].image;
}

static uint32_t find_for(struct image_map *map, const struct lag_frame *frame,
                         uint64_t address, bool by_name)
{
	return by_name ? find_image_by_name(map, frame->image, address)
	               : find_image(map, address);
}

/**
 * On arm64, any user address can be signed. Where the kind is not known, only
 * one that is too large otherwise is taken for one.
 */
static bool is_signed_kind(const struct lag_report *report, uint64_t address)
{
	bool is_user = !(address >> POINTER_BITS);

	if (!pointer_may_be_signed(address))
		return false;
	return report->arch ? !strncasecmp(report->arch, "arm64", 5) : !is_user;
}

/** Set the frame's image; where the pointer is signed, its address, too. */
static bool place_at(struct image_map *map, struct lag_frame *frame,
                     bool by_name)
{
	bool may_be_signed = is_signed_kind(map->report, frame->address);

	// Any base is below a signed pointer: for a name, that says nothing.
	if (!by_name || !may_be_signed)
		frame->placed = find_for(map, frame, frame->address, by_name);
	for (size_t i = 0; may_be_signed && frame->placed == LAG_NO_IMAGE &&
	                   i < POINTER_WIDTHS;
	     i++) {
		uint64_t plain = pointer_strip(frame->address, i);

		frame->placed = find_for(map, frame, plain, by_name);
		if (frame->placed != LAG_NO_IMAGE)
			frame->address = plain;
	}
	return frame->placed != LAG_NO_IMAGE;
}

/** Told once: what no image covers, no symbol file will name. */
static void note_outside(struct lag_report *report)
{
	SCOPED(arena_release) struct arena arena = { 0 };
	uint64_t first = 0;
	size_t count = 0;

	for (size_t i = 0; i < report->frame_count; i++) {
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

void lag_report_place(struct lag_report *report)
{
	struct image_map map;

	for (size_t i = 0; i < report->frame_count; i++)
		report->frames[i].placed = LAG_NO_IMAGE;
	if (!report->image_count)
		return;
	qsort(report->images, report->image_count, sizeof(*report->images),
	      compare_images);
	image_map_init(&map, report);
	for (size_t i = 0; i < report->frame_count; i++) {
		struct lag_frame *frame = &report->frames[i];

		if (!place_at(&map, frame, false) &&
		    frame->image != INTERN_NONE)
			place_at(&map, frame, true);
	}
	if (map.segment_count)
		note_outside(report);
	image_map_release(&map);
}

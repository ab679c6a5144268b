// SPDX-License-Identifier: MIT
#include "lib/model/image_map.h"

#include "lib/base/mem.h"
#include "lib/base/sorted.h"

#include <stdlib.h>

/** Addresses from @p start to the next segment are in one image. */
struct image_segment {
	uint64_t start;
	size_t image; ///< IMAGE_NONE: a gap
};

struct image_start {
	uint64_t base;
	uint64_t last; ///< the image's last address
	size_t image;
	uint32_t name;
};

/** Images that cover the current point of the sweep. */
struct open_images {
	const struct image_map *map;
	size_t *heap; ///< indices of starts, the smallest image first
	size_t count;
};

// Starts

static int compare_starts(const void *a, const void *b)
{
	const struct image_start *left = a;
	const struct image_start *right = b;

	if (left->base != right->base)
		return left->base < right->base ? -1 : 1;
	return (left->image > right->image) - (left->image < right->image);
}

static int compare_named(const void *a, const void *b)
{
	const struct image_start *left = a;
	const struct image_start *right = b;

	if (left->name != right->name)
		return left->name < right->name ? -1 : 1;
	return compare_starts(a, b);
}

/** Most lists are sorted already. */
static void sort_starts(struct image_map *map)
{
	for (size_t i = 1; i < map->start_count; i++)
		if (map->starts[i].base < map->starts[i - 1].base) {
			qsort(map->starts, map->start_count,
			      sizeof(*map->starts), compare_starts);
			return;
		}
}

static void find_lasts(struct image_map *map)
{
	uint64_t next = UINT64_MAX; ///< the last address below the next base

	for (size_t i = map->start_count; i-- > 0;) {
		struct image_start *start = &map->starts[i];
		uint64_t size = map->ranges[start->image].size;

		if (i + 1 < map->start_count && start[1].base > start->base)
			next = start[1].base - 1;
		if (!size) {
			// Signed pointers are beyond the half.
			start->last = start->base | POINTER_MASK;
			if (start->last > next)
				start->last = next;
		} else if (__builtin_add_overflow(start->base, size - 1,
		                                  &start->last)) {
			start->last = UINT64_MAX;
		}
	}
}

// Open images

static bool is_smaller(const struct open_images *open, size_t a, size_t b)
{
	const struct image_map *map = open->map;
	size_t left = map->starts[a].image;
	size_t right = map->starts[b].image;
	// Size 0 (unknown) becomes the max.
	uint64_t left_size = map->ranges[left].size - 1;
	uint64_t right_size = map->ranges[right].size - 1;

	return left_size != right_size ? left_size < right_size : left < right;
}

static void swap_starts(size_t *a, size_t *b)
{
	size_t kept = *a;

	*a = *b;
	*b = kept;
}

static void open_add(struct open_images *open, size_t start)
{
	size_t at = open->count++;

	open->heap[at] = start;
	while (at &&
	       is_smaller(open, open->heap[at], open->heap[(at - 1) / 2])) {
		swap_starts(&open->heap[at], &open->heap[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
}

static void open_drop_first(struct open_images *open)
{
	size_t at = 0;

	open->heap[0] = open->heap[--open->count];
	for (;;) {
		size_t min = at;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2; child++)
			if (child < open->count &&
			    is_smaller(open, open->heap[child],
			               open->heap[min]))
				min = child;
		if (min == at)
			return;
		swap_starts(&open->heap[at], &open->heap[min]);
		at = min;
	}
}

/** The smallest image that covers @p point; or NULL. */
static const struct image_start *open_first(struct open_images *open,
                                            uint64_t point)
{
	while (open->count && open->map->starts[open->heap[0]].last < point)
		open_drop_first(open);
	return open->count ? &open->map->starts[open->heap[0]] : NULL;
}

// Segments

static void add_segment(struct image_map *map, uint64_t start,
                        const struct image_start *owner)
{
	size_t image = owner ? owner->image : IMAGE_NONE;

	// Of images with one base, the smallest wins.
	if (map->segment_count &&
	    map->segments[map->segment_count - 1].start == start)
		map->segment_count--;
	map->segments[map->segment_count++] = (struct image_segment){
		.start = start,
		.image = image,
	};
}

/** Where the smallest image ends, the next smallest continues. */
static void close_images(struct image_map *map, struct open_images *open,
                         uint64_t limit)
{
	while (open->count) {
		uint64_t last = map->starts[open->heap[0]].last;

		if (last >= limit)
			return;
		add_segment(map, last + 1, open_first(open, last + 1));
	}
}

static void sweep(struct image_map *map)
{
	SCOPED(mem_drop)
	size_t *heap = mem_alloc((map->start_count + 1) * sizeof(*heap));
	struct open_images open = { .map = map, .heap = heap };

	for (size_t i = 0; i < map->start_count; i++) {
		uint64_t base = map->starts[i].base;

		close_images(map, &open, base);
		open_add(&open, i);
		add_segment(map, base, open_first(&open, base));
	}
	close_images(map, &open, UINT64_MAX);
}

void image_map_init(struct image_map *map, const struct image_range *ranges,
                    size_t count, enum pointer_signing signing)
{
	*map = (struct image_map){
		.ranges = ranges,
		.count = count,
		.signing = signing,
		.starts = mem_alloc((count + 1) * sizeof(*map->starts)),
		.segments = mem_alloc((2 * count + 1) * sizeof(*map->segments)),
	};
	for (size_t i = 0; i < count; i++)
		if (ranges[i].base)
			map->starts[map->start_count++] = (struct image_start){
				.base = ranges[i].base,
				.image = i,
			};
	sort_starts(map);
	find_lasts(map);
	sweep(map);
}

void image_map_release(struct image_map *map)
{
	free(map->starts);
	free(map->segments);
	free(map->named);
	*map = (struct image_map){ 0 };
}

// Queries

static bool find_segment(const struct image_map *map, uint64_t address,
                         struct image_place *ret)
{
	size_t at = SORTED_SKIP(i, map->segment_count,
	                        map->segments[i].start <= address);
	size_t image = at ? map->segments[at - 1].image : IMAGE_NONE;

	if (image == IMAGE_NONE)
		return false;
	*ret = (struct image_place){
		.image = image,
		.address = address,
		.offset = address - map->ranges[image].base,
	};
	return true;
}

bool image_map_find(const struct image_map *map, uint64_t address,
                    struct image_place *ret)
{
	if (find_segment(map, address, ret))
		return true;
	if (!pointer_may_be_signed(address, map->signing))
		return false;
	for (size_t i = 0; i < POINTER_WIDTHS; i++)
		if (find_segment(map, pointer_strip(address, i), ret))
			return true;
	return false;
}

static void find_names(struct image_map *map)
{
	map->named = mem_alloc((map->count + 1) * sizeof(*map->named));
	for (size_t i = 0; i < map->count; i++)
		map->named[i] = (struct image_start){
			.base = map->ranges[i].base,
			.image = i,
			.name = map->ranges[i].name,
		};
	qsort(map->named, map->count, sizeof(*map->named), compare_named);
}

/** Number of images with a name below @p base, or also at it. */
static size_t count_named(struct image_map *map, uint32_t name, uint64_t base,
                          bool with_it)
{
	const struct image_start *named;

	if (!map->named)
		find_names(map);
	named = map->named;
	return SORTED_SKIP(
	        i, map->count,
	        named[i].name != name
	                ? named[i].name < name
	                : named[i].base < base ||
	                          (with_it && named[i].base == base));
}

static bool find_named(struct image_map *map, uint32_t name, uint64_t address,
                       struct image_place *ret)
{
	size_t count = count_named(map, name, address, true);
	const struct image_start *found;

	if (!count)
		return false;
	found = &map->named[count - 1];
	if (found->name != name || !found->base)
		return false;
	*ret = (struct image_place){
		.image = found->image,
		.address = address,
		.offset = address - found->base,
	};
	return true;
}

bool image_map_find_named(struct image_map *map, uint32_t name,
                          uint64_t address, struct image_place *ret)
{
	// Any base is below a signed pointer, so a name would always match.
	if (!pointer_may_be_signed(address, map->signing))
		return find_named(map, name, address, ret);
	for (size_t i = 0; i < POINTER_WIDTHS; i++)
		if (find_named(map, name, pointer_strip(address, i), ret))
			return true;
	return false;
}

size_t image_map_lowest_named(struct image_map *map, uint32_t name)
{
	size_t at = count_named(map, name, 0, false);

	return at < map->count && map->named[at].name == name
	               ? map->named[at].image
	               : IMAGE_NONE;
}

size_t image_map_find_base(const struct image_map *map, uint64_t base)
{
	size_t at =
	        SORTED_SKIP(i, map->start_count, map->starts[i].base < base);

	return at < map->start_count && map->starts[at].base == base
	               ? map->starts[at].image
	               : IMAGE_NONE;
}

// SPDX-License-Identifier: MIT
/**
 * Finds the image of an address; used for all reports.
 *
 * - The smallest image that covers the address wins, since ranges overlap. Of
 *   equal sizes, the first one wins.
 * - An image without a size extends to the next higher base, but not out of its
 *   half of the address space. It counts as larger than any image with a size.
 * - An image at 0 has an unknown base and covers nothing.
 * - An address that no image covers and that may be signed
 *   (lib/darwin/pointer.h) is tried without its signature.
 *
 *     image_map_init(&map, ranges, count, POINTERS_SIGNED);
 *     if (image_map_find(&map, address, &place))
 *             … place.image, place.offset …
 *     image_map_release(&map);
 *
 * Building takes O(n log n), a lookup O(log n).
 */
#ifndef APMTOOL_LIB_MODEL_IMAGE_MAP_H
#define APMTOOL_LIB_MODEL_IMAGE_MAP_H

#include "lib/darwin/pointer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Not the index of an image. */
#define IMAGE_NONE ((size_t)-1)

struct image_range {
	uint64_t base; ///< load address; 0: unknown
	uint64_t size; ///< bytes; 0: unknown
	uint32_t name; ///< number of its name, chosen by the caller
};

struct image_place {
	size_t image;     ///< index of the range
	uint64_t address; ///< without a signature
	uint64_t offset;  ///< from the image's base
};

struct image_map {
	const struct image_range *ranges;
	struct image_start *starts; ///< images with a base, by base
	size_t start_count;
	struct image_segment *segments;
	size_t segment_count;
	/** all, by name and base; NULL: not built yet */
	struct image_start *named;
	size_t count;
	enum pointer_signing signing;
};

/** @param ranges  Borrowed until image_map_release(). */
void image_map_init(struct image_map *map, const struct image_range *ranges,
                    size_t count, enum pointer_signing signing);
void image_map_release(struct image_map *map);

/** Returns false, and sets nothing, if no image covers @p address. */
bool image_map_find(const struct image_map *map, uint64_t address,
                    struct image_place *ret);

/**
 * For a frame with an image name but no image that covers it: the image of that
 * name with the highest base at or below @p address.
 */
bool image_map_find_named(struct image_map *map, uint32_t name,
                          uint64_t address, struct image_place *ret);

/** The image of that name with the lowest base, known or not; or IMAGE_NONE. */
size_t image_map_lowest_named(struct image_map *map, uint32_t name);

/** The first image loaded at exactly @p base; or IMAGE_NONE. */
size_t image_map_find_base(const struct image_map *map, uint64_t base);

#endif

// SPDX-License-Identifier: MIT
/**
 * Where an address lies: the one way to place an address in an image.
 *
 * - The smallest image that covers the address wins, for ranges overlap
 *   (formats.md 2.9). Of two of one size, it is the one that comes first.
 * - An image without a size reaches to the next greater base (formats.md 7.1),
 *   but not out of the half of the address space in which it begins. It is
 *   larger than any that has a size.
 * - Nothing lies in an image at 0: that is one whose base is not known.
 * - An address that no image covers and that may be signed
 *   (lib/darwin/pointer.h) is tried without its signature.
 *
 *     image_map_init(&map, ranges, count, POINTERS_SIGNED);
 *     if (image_map_find(&map, address, &place))
 *             … place.image, place.offset …
 *     image_map_release(&map);
 *
 * It is made in O(n log n) and answers in O(log n).
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
	uint64_t base; ///< load address; 0: not known
	uint64_t size; ///< bytes; 0: not known
	uint32_t name; ///< a number of the caller's, for names alone
};

struct image_place {
	size_t image;     ///< index of the range
	uint64_t address; ///< without a signature
	uint64_t offset;  ///< from the image's base
};

struct image_map {
	const struct image_range *ranges;
	struct image_start *starts; ///< of images that have a base, by base
	size_t start_count;
	struct image_segment *segments;
	size_t segment_count;
	struct image_start *named; ///< all, by name and base; NULL: not made
	size_t count;
	enum pointer_signing signing;
};

/** @param ranges  Borrowed until image_map_release(). */
void image_map_init(struct image_map *map, const struct image_range *ranges,
                    size_t count, enum pointer_signing signing);
void image_map_release(struct image_map *map);

/** false, and nothing is set, where no image covers @p address. */
bool image_map_find(const struct image_map *map, uint64_t address,
                    struct image_place *ret);

/**
 * For a frame that names its image and that no image covers: of the images of
 * that name, the one with the greatest base at or below @p address.
 */
bool image_map_find_named(struct image_map *map, uint32_t name,
                          uint64_t address, struct image_place *ret);

/** Of the images of that name, the one with the least base, known or not;
 *  IMAGE_NONE if there is none. */
size_t image_map_lowest_named(struct image_map *map, uint32_t name);

/** The first image that is loaded at exactly @p base; IMAGE_NONE. */
size_t image_map_find_base(const struct image_map *map, uint64_t base);

#endif

// SPDX-License-Identifier: MIT
/** Resolves overlaps of ranges: each address is assigned to one range. */
#ifndef APMTOOL_LIB_OBJECT_DWARF_OVERLAPS_H
#define APMTOOL_LIB_OBJECT_DWARF_OVERLAPS_H

#include <stddef.h>
#include <stdint.h>

/** [low, high) of an object of the caller. */
struct overlap_range {
	uint64_t low;
	uint64_t high;
	uint64_t rank; ///< at each address the lowest rank wins,
	size_t item;   ///< then the lowest item
};

/**
 * Assign each address to one of the ranges that contain it. Contiguous
 * addresses of one range are passed in one call.
 *
 * @param ranges  In any order; they are reordered. Empty ranges get no address.
 * @param give    Called for each assigned part, ascending: at most twice as
 *              often as there are ranges.
 */
void overlaps_resolve(struct overlap_range *ranges, size_t count,
                      void (*give)(void *context,
                                   const struct overlap_range *own),
                      void *context);

#endif

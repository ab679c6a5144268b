// SPDX-License-Identifier: MIT
/**
 * Ranges that overlap, put apart: each place is given to one of them.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_SETTLE_H
#define APMTOOL_LIB_OBJECT_DWARF_SETTLE_H

#include <stddef.h>
#include <stdint.h>

/** [low, high) of something that the caller knows by a number. */
struct settle_range {
	uint64_t low;
	uint64_t high;
	uint64_t rank; ///< of several at a place the lowest counts,
	size_t item;   ///< then the lowest
};

/**
 * Give each place to one of the ranges that contain it. What one of them has
 * side by side is given at once.
 *
 * @param ranges  In any order, which is changed; empty ones get nothing.
 * @param give    Called for the places of a range, ascending, apart: up to
 *                twice as often as there are ranges.
 */
void settle(struct settle_range *ranges, size_t count,
            void (*give)(void *context, const struct settle_range *own),
            void *context);

#endif

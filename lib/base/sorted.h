// SPDX-License-Identifier: MIT
/**
 * Binary search in sorted arrays, and sorting of numbers.
 *
 *     // the first row at or above an address (lower bound)
 *     at = SORTED_SKIP(i, count, rows[i].address < address);
 *     // the first row above it (upper bound)
 *     at = SORTED_SKIP(i, count, rows[i].address <= address);
 */
#ifndef APMTOOL_LIB_BASE_SORTED_H
#define APMTOOL_LIB_BASE_SORTED_H

#include <stddef.h>
#include <stdint.h>

/**
 * Number of leading elements for which @p condition holds. It must be false for
 * all elements after the first for which it is false.
 *
 * @param i          Name of the index in @p condition.
 * @param count      Number of elements.
 * @param condition  Is the element before the wanted one?
 */
#define SORTED_SKIP(i, count, condition)                                   \
	__extension__({                                                    \
		size_t sorted_low_ = 0;                                    \
		size_t sorted_high_ = (count);                             \
                                                                           \
		while (sorted_low_ < sorted_high_) {                       \
			const size_t i = sorted_low_ +                     \
			                 (sorted_high_ - sorted_low_) / 2; \
                                                                           \
			if (condition)                                     \
				sorted_low_ = i + 1;                       \
			else                                               \
				sorted_high_ = i;                          \
		}                                                          \
		sorted_low_;                                               \
	})

/**
 * Sort numbers and remove duplicates, in a few passes regardless of their
 * order.
 *
 * @return The number of remaining elements.
 */
size_t sorted_once(uint64_t *numbers, size_t count);

#endif

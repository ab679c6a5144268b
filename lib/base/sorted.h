// SPDX-License-Identifier: MIT
/**
 * Search of what is sorted, by halves; and numbers put in order.
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
 * How many elements to skip: those at the beginning for which @p condition
 * holds. It holds for none after the first for which it does not.
 *
 * @param i          Name of the index in @p condition.
 * @param count      Number of elements.
 * @param condition  Is the element before what is wanted?
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
 * Put numbers in ascending order, and keep each of them once.
 *
 * Many cost a few passes over them, however they are ordered.
 *
 * @return How many there are then.
 */
size_t sorted_once(uint64_t *numbers, size_t count);

#endif

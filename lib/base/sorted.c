// SPDX-License-Identifier: MIT
#include "lib/base/sorted.h"

#include "lib/base/mem.h"

#include <stdbool.h>
#include <stdlib.h>

/** Fewer numbers are left to qsort(). */
#define PASSES_LEAST 256
/** Bits per pass; the number of passes is even. */
#define PASS_BITS   8
#define PASS_VALUES ((size_t)1 << PASS_BITS)

static int compare_numbers(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

/** Order by the bits from @p shift on; equal ones stay as they are. */
static void pass(const uint64_t *from, size_t count, unsigned shift,
                 uint64_t *to)
{
	size_t starts[PASS_VALUES] = { 0 };
	size_t start = 0;

	for (size_t i = 0; i < count; i++)
		starts[from[i] >> shift & (PASS_VALUES - 1)]++;
	for (size_t i = 0; i < PASS_VALUES; i++) {
		size_t of_value = starts[i];

		starts[i] = start;
		start += of_value;
	}
	for (size_t i = 0; i < count; i++)
		to[starts[from[i] >> shift & (PASS_VALUES - 1)]++] = from[i];
}

/** From the lowest bits up, as far as the numbers differ. */
static void sort_by_passes(uint64_t *numbers, size_t count, uint64_t differing)
{
	SCOPED(mem_drop) uint64_t *other = mem_zalloc(count, sizeof(*other));

	for (unsigned shift = 0; shift < 64 && differing >> shift;
	     shift += 2 * PASS_BITS) {
		pass(numbers, count, shift, other);
		pass(other, count, shift + PASS_BITS, numbers);
	}
}

size_t sorted_once(uint64_t *numbers, size_t count)
{
	bool is_ascending = true;
	uint64_t differing = 0;
	size_t kept = 0;

	for (size_t i = 1; i < count; i++) {
		is_ascending &= numbers[i - 1] < numbers[i];
		differing |= numbers[i - 1] ^ numbers[i];
	}
	if (is_ascending)
		return count;
	if (count < PASSES_LEAST)
		qsort(numbers, count, sizeof(*numbers), compare_numbers);
	else
		sort_by_passes(numbers, count, differing);
	for (size_t i = 0; i < count; i++)
		if (!kept || numbers[kept - 1] != numbers[i])
			numbers[kept++] = numbers[i];
	return kept;
}

// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/overlaps.h"

#include "lib/base/mem.h"

#include <stdbool.h>
#include <stdlib.h>

/** The ranges that cover the place reached, the one that counts on top. */
struct heap {
	struct overlap_range *items;
	size_t count;
};

static bool wins(const struct overlap_range *a, const struct overlap_range *b)
{
	return a->rank != b->rank ? a->rank < b->rank : a->item < b->item;
}

static void heap_push(struct heap *heap, struct overlap_range item)
{
	size_t i = heap->count++;

	while (i && wins(&item, &heap->items[(i - 1) / 2])) {
		heap->items[i] = heap->items[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap->items[i] = item;
}

static void heap_pop(struct heap *heap)
{
	struct overlap_range last = heap->items[--heap->count];
	size_t i = 0;

	for (size_t child = 1; child < heap->count; child = 2 * i + 1) {
		if (child + 1 < heap->count &&
		    wins(&heap->items[child + 1], &heap->items[child]))
			child++;
		if (!wins(&heap->items[child], &last))
			break;
		heap->items[i] = heap->items[child];
		i = child;
	}
	heap->items[i] = last;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct overlap_range *left = a;
	const struct overlap_range *right = b;

	if (left->low != right->low)
		return left->low < right->low ? -1 : 1;
	return (left->item > right->item) - (left->item < right->item);
}

void overlaps_resolve(struct overlap_range *ranges, size_t count,
                      void (*give)(void *context,
                                   const struct overlap_range *own),
                      void *context)
{
	struct heap heap = { .items = mem_zalloc(count, sizeof(*ranges)) };
	struct overlap_range own = { 0 }; // the part not delivered yet
	uint64_t place = 0;
	size_t next = 0;

	if (count)
		qsort(ranges, count, sizeof(*ranges), compare_ranges);
	// From one end of a range to the next.
	while (heap.count || next < count) {
		const struct overlap_range *top = heap.items;

		if (!heap.count)
			place = ranges[next].low;
		while (next < count && ranges[next].low <= place)
			heap_push(&heap, ranges[next++]);
		while (heap.count && top->high <= place)
			heap_pop(&heap);
		if (!heap.count)
			continue;
		if (own.high != place || own.item != top->item) {
			if (own.low < own.high)
				give(context, &own);
			own = *top;
			own.low = place;
		}
		own.high = top->high;
		if (next < count && ranges[next].low < own.high)
			own.high = ranges[next].low;
		place = own.high;
	}
	if (own.low < own.high)
		give(context, &own);
	free(heap.items);
}

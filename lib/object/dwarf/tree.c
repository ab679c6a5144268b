#include "lib/object/dwarf/tree.h"

#include "lib/base/mem.h"
#include "lib/base/sorted.h"

#include <stdlib.h>
#include <string.h>

void function_list_add(struct function_list *list,
                       const struct debug_function *function)
{
	MEM_GROW(list->functions, list->count, list->cap);
	list->functions[list->count++] = *function;
}

void function_list_release(struct function_list *list)
{
	free(list->functions);
	*list = (struct function_list){ 0 };
}

/**
 * What looking at a call costs, in bytes read. A tree may have to be cut
 * once for each of the functions placed inside its own.
 */
#define CUT_WORK 16

/** Sorted ranges that something lies in. */
struct bounds {
	const struct debug_range *ranges;
	size_t count;
};

/** The first of @p bounds that ends after @p address. */
static size_t bound_after(struct bounds bounds, uint64_t address)
{
	return SORTED_SKIP(i, bounds.count, bounds.ranges[i].high <= address);
}

static bool inside(struct bounds bounds, struct debug_range range)
{
	size_t i = bound_after(bounds, range.low);

	return i < bounds.count && bounds.ranges[i].low <= range.low &&
	       range.high <= bounds.ranges[i].high;
}

/** Whether a tree needs no cutting; its depth is bounded. */
static bool fits(const struct debug_inline *calls, size_t count,
                 struct bounds bounds)
{
	for (size_t i = 0; i < count; i++) {
		const struct debug_inline *call = &calls[i];

		for (size_t j = 0; j < call->range_count; j++)
			if (!inside(bounds, call->ranges[j]))
				return false;
		struct bounds own = { call->ranges, call->range_count };
		if (!fits(call->children, call->child_count, own))
			return false;
	}
	return true;
}

static struct debug_range common(struct debug_range a, struct debug_range b)
{
	return (struct debug_range){ .low = a.low > b.low ? a.low : b.low,
		                     .high = a.high < b.high ? a.high
		                                             : b.high };
}

/** The ranges of @p call within @p bounds. */
static void cut_ranges(struct debug_inline *call, struct bounds bounds,
                       struct arena *arena)
{
	struct debug_range *kept = NULL;
	size_t count = 0;
	size_t cap = 0;

	for (size_t i = 0; i < call->range_count; i++) {
		struct debug_range range = call->ranges[i];

		for (size_t j = bound_after(bounds, range.low);
		     j < bounds.count && bounds.ranges[j].low < range.high;
		     j++) {
			ARENA_GROW(arena, kept, count, cap);
			kept[count++] = common(range, bounds.ranges[j]);
		}
	}
	call->ranges = kept;
	call->range_count = (uint32_t)count;
}

/** A copy of a tree, cut to @p bounds; its depth is bounded. */
static struct debug_inline *cut(const struct debug_inline *calls,
                                uint32_t *count, struct bounds bounds,
                                struct dwarf_work *work, struct arena *arena)
{
	struct debug_inline *kept = NULL;
	size_t kept_count = 0;
	size_t cap = 0;

	for (size_t i = 0; i < *count; i++) {
		struct debug_inline call = calls[i];

		if (!dwarf_work_take(work, CUT_WORK + call.range_count))
			break;
		cut_ranges(&call, bounds, arena);
		if (!call.range_count)
			continue;
		struct bounds own = { call.ranges, call.range_count };
		call.children =
		        cut(call.children, &call.child_count, own, work, arena);
		ARENA_GROW(arena, kept, kept_count, cap);
		kept[kept_count++] = call;
	}
	*count = (uint32_t)kept_count;
	return kept;
}

/** The first row that lies after @p address. */
static size_t line_after(const struct debug_function *function,
                         uint64_t address)
{
	return SORTED_SKIP(i, function->line_count,
	                   function->lines[i].address <= address);
}

static void cut_lines(struct debug_function *part, struct arena *arena)
{
	size_t first = line_after(part, part->range.low);
	size_t end = line_after(part, part->range.high - 1);

	// The row in force where the part begins is the one before.
	if (first)
		first--;
	size_t count = end - first;
	part->line_count = (uint32_t)count & DEBUG_LINES_MAX;
	if (!count)
		return;
	const struct debug_line *lines = &part->lines[first];
	part->lines = arena_array(arena, count, sizeof(*lines));
	memcpy(part->lines, lines, count * sizeof(*lines));
	if (part->lines[0].address < part->range.low)
		part->lines[0].address = part->range.low;
}

struct debug_function debug_function_part(const struct debug_function *function,
                                          struct debug_range range,
                                          struct dwarf_work *work,
                                          struct arena *arena)
{
	struct debug_function part = *function;
	struct bounds bounds = { &range, 1 };

	part.range = range;
	if (!fits(part.inlines, part.inline_count, bounds))
		part.inlines = cut(part.inlines, &part.inline_count, bounds,
		                   work, arena);
	if (range.low != function->range.low ||
	    range.high != function->range.high)
		cut_lines(&part, arena);
	return part;
}

/** A function while the list is settled. */
struct settle_item {
	const struct debug_function *function;
	uint64_t width;
	size_t order;
};

/** The functions that cover the place reached, the narrowest on top. */
struct settle_heap {
	struct settle_item *items;
	size_t count;
};

static bool wins(const struct settle_item *a, const struct settle_item *b)
{
	return a->width != b->width ? a->width < b->width : a->order < b->order;
}

static void heap_push(struct settle_heap *heap, struct settle_item item)
{
	size_t i = heap->count++;

	while (i && wins(&item, &heap->items[(i - 1) / 2])) {
		heap->items[i] = heap->items[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap->items[i] = item;
}

static void heap_pop(struct settle_heap *heap)
{
	struct settle_item last = heap->items[--heap->count];
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

static int compare_items(const void *a, const void *b)
{
	const struct settle_item *left = a;
	const struct settle_item *right = b;
	uint64_t left_low = left->function->range.low;
	uint64_t right_low = right->function->range.low;

	if (left_low != right_low)
		return left_low < right_low ? -1 : 1;
	return (left->order > right->order) - (left->order < right->order);
}

/** The winner of [low, high): more of the last function, or another one. */
struct settle_output {
	struct function_list list;
	const struct debug_function *last;
	struct debug_range range; ///< of the last one, so far
	struct dwarf_work *work;
	struct arena *arena;
};

static void flush(struct settle_output *out)
{
	if (!out->last)
		return;
	struct debug_function part = debug_function_part(out->last, out->range,
	                                                 out->work, out->arena);
	function_list_add(&out->list, &part);
	out->last = NULL;
}

static void emit(struct settle_output *out,
                 const struct debug_function *function, uint64_t low,
                 uint64_t high)
{
	if (out->last == function && out->range.high == low) {
		out->range.high = high;
		return;
	}
	flush(out);
	out->last = function;
	out->range = (struct debug_range){ .low = low, .high = high };
}

/** Go from one end of a function to the next; the narrowest one counts. */
static void sweep(const struct settle_item *items, size_t count,
                  struct settle_output *out)
{
	struct settle_heap heap = {
		.items = mem_zalloc(count, sizeof(*items)),
	};
	uint64_t place = 0;
	size_t next = 0;

	while (heap.count || next < count) {
		if (!heap.count)
			place = items[next].function->range.low;
		while (next < count && items[next].function->range.low <= place)
			heap_push(&heap, items[next++]);
		while (heap.count &&
		       heap.items[0].function->range.high <= place)
			heap_pop(&heap);
		if (!heap.count)
			continue;
		const struct debug_function *top = heap.items[0].function;
		uint64_t end = top->range.high;
		if (next < count && items[next].function->range.low < end)
			end = items[next].function->range.low;
		emit(out, top, place, end);
		place = end;
	}
	flush(out);
	free(heap.items);
}

void function_list_settle(struct function_list *list, struct dwarf_work *work,
                          struct arena *arena)
{
	size_t count = list->count;
	struct settle_item *items = mem_zalloc(count, sizeof(*items));
	struct settle_output out = { .work = work, .arena = arena };

	for (size_t i = 0; i < count; i++) {
		const struct debug_function *function = &list->functions[i];
		items[i] = (struct settle_item){
			.function = function,
			.width = function->range.high - function->range.low,
			.order = i,
		};
	}
	if (count)
		qsort(items, count, sizeof(*items), compare_items);
	sweep(items, count, &out);
	function_list_release(list);
	*list = out.list;
	free(items);
}

// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/tree.h"

#include "lib/base/mem.h"
#include "lib/base/sorted.h"
#include "lib/object/dwarf/overlaps.h"

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
 * Cost of examining a call, in bytes read. A tree may be cut once for each
 * function placed inside its own.
 */
#define CUT_WORK 16

/** Sorted ranges that limit others. */
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

/** The first row after @p address. */
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

	// The previous row applies at the start of the part.
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

/** Functions in order first, then narrower ones. */
static uint64_t overlap_rank(const struct debug_function *function)
{
	const uint64_t others = UINT64_C(1) << 63;
	uint64_t width = function->range.high - function->range.low;

	if (width >= others)
		width = others - 1;
	return function->in_order ? width : others + width;
}

/** Functions while they are put apart. */
struct overlap_output {
	const struct debug_function *functions;
	struct function_list apart;
	struct dwarf_work *work;
	struct arena *arena;
};

static void add_resolved(void *context, const struct overlap_range *own)
{
	struct overlap_output *out = context;
	struct debug_range range = { own->low, own->high };
	struct debug_function part = debug_function_part(
	        &out->functions[own->item], range, out->work, out->arena);

	function_list_add(&out->apart, &part);
}

void function_list_resolve(struct function_list *list, struct dwarf_work *work,
                           struct arena *arena)
{
	struct overlap_output out = { .functions = list->functions,
		                      .work = work,
		                      .arena = arena };
	size_t count = list->count;
	struct overlap_range *ranges = mem_zalloc(count, sizeof(*ranges));

	for (size_t i = 0; i < count; i++) {
		const struct debug_function *function = &list->functions[i];
		struct debug_range range = function->range;

		ranges[i] = (struct overlap_range){
			.low = range.low,
			.high = range.high,
			.rank = overlap_rank(function),
			.item = i,
		};
	}
	overlaps_resolve(ranges, count, add_resolved, &out);
	free(ranges);
	function_list_release(list);
	*list = out.apart;
}

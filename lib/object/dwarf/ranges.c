// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/ranges.h"

#include "lib/base/mem.h"

#include <stdlib.h>

/** Kinds of entries in .debug_rnglists, as the standard numbers them. */
enum {
	RLE_END_OF_LIST = 0,
	RLE_BASE_ADDRESSX = 1,
	RLE_STARTX_ENDX = 2,
	RLE_STARTX_LENGTH = 3,
	RLE_OFFSET_PAIR = 4,
	RLE_BASE_ADDRESS = 5,
	RLE_START_END = 6,
	RLE_START_LENGTH = 7,
};

void range_list_add(struct range_list *list, uint64_t low, uint64_t high)
{
	MEM_GROW(list->ranges, list->count, list->cap);
	list->ranges[list->count++] =
	        (struct debug_range){ .low = low, .high = high };
}

void range_list_release(struct range_list *list)
{
	free(list->ranges);
	*list = (struct range_list){ 0 };
}

static int compare_ranges(const void *a, const void *b)
{
	const struct debug_range *left = a;
	const struct debug_range *right = b;

	return (left->low > right->low) - (left->low < right->low);
}

void range_list_normalize(struct range_list *list, size_t first)
{
	struct debug_range *ranges = list->ranges;
	size_t kept = first;

	if (list->count - first < 2)
		return;
	qsort(&ranges[first], list->count - first, sizeof(ranges[0]),
	      compare_ranges);
	for (size_t i = first; i < list->count; i++) {
		if (kept > first && ranges[i].low <= ranges[kept - 1].high) {
			if (ranges[i].high > ranges[kept - 1].high)
				ranges[kept - 1].high = ranges[i].high;
		} else {
			ranges[kept++] = ranges[i];
		}
	}
	list->count = kept;
}

uint64_t range_address_max(const struct range_unit *unit)
{
	return unit->address_size == 4 ? UINT32_MAX : UINT64_MAX;
}

bool range_indexed_address(const struct dwarf_sections *sections,
                           const struct range_unit *unit, uint64_t index,
                           uint64_t *ret)
{
	if (index > sections->addr.size / unit->address_size ||
	    unit->addr_base > sections->addr.size)
		return false;
	struct cursor c = cursor_at(
	        sections->addr, unit->addr_base + index * unit->address_size,
	        CURSOR_LITTLE);
	uint64_t address = cursor_uint(&c, unit->address_size);
	if (cursor_ok(&c))
		*ret = address;
	return cursor_ok(&c);
}

bool range_list_offset(const struct dwarf_sections *sections,
                       const struct range_unit *unit, uint64_t index,
                       uint64_t *ret)
{
	uint64_t size = sections->rnglists.size;

	if (!unit->rnglists_base || unit->rnglists_base > size ||
	    index > size / unit->offset_size)
		return false;
	struct cursor c = cursor_at(
	        sections->rnglists,
	        unit->rnglists_base + index * unit->offset_size, CURSOR_LITTLE);
	uint64_t offset = cursor_uint(&c, unit->offset_size);
	if (cursor_ok(&c))
		*ret = unit->rnglists_base + offset;
	return cursor_ok(&c);
}

/** A range unless it is empty or of dropped code. */
static void add_live(struct range_list *list, const struct range_unit *unit,
                     uint64_t low, uint64_t high)
{
	uint64_t max = range_address_max(unit);

	low &= max;
	high &= max;
	if (low < high && low != max)
		range_list_add(list, low, high);
}

/** A range takes more memory than in the file. */
#define RANGE_WORK (2 * sizeof(struct debug_range))

/** Pairs of addresses, relative to a base that a pair may set. */
static bool read_pairs(const struct dwarf_sections *sections,
                       const struct range_unit *unit, uint64_t offset,
                       struct dwarf_work *work, struct range_list *list)
{
	struct cursor c = cursor_at(sections->ranges, offset, CURSOR_LITTLE);
	uint64_t max = range_address_max(unit);
	uint64_t base = unit->base;

	while (dwarf_work_take(work, RANGE_WORK)) {
		uint64_t low = cursor_uint(&c, unit->address_size);
		uint64_t high = cursor_uint(&c, unit->address_size);

		if (!cursor_ok(&c))
			return false;
		if (!low && !high)
			return true;
		if (low == max)
			base = high;
		else if (base != max && low < high)
			add_live(list, unit, base + low, base + high);
	}
	return false;
}

/** The value of an index into .debug_addr. */
static uint64_t read_indexed(const struct dwarf_sections *sections,
                             const struct range_unit *unit, struct cursor *c)
{
	uint64_t address = 0;

	if (!range_indexed_address(sections, unit, cursor_uleb(c), &address))
		c->failed = true;
	return address;
}

/** One entry of .debug_rnglists; false at the end of the list. */
static bool read_entry(const struct dwarf_sections *sections,
                       const struct range_unit *unit, struct cursor *c,
                       uint64_t *base, struct range_list *list)
{
	uint8_t kind = cursor_u8(c);
	uint64_t low = 0;
	uint64_t high = 0;

	switch (kind) {
	case RLE_END_OF_LIST:
		return false;
	case RLE_BASE_ADDRESSX:
		*base = read_indexed(sections, unit, c);
		return cursor_ok(c);
	case RLE_BASE_ADDRESS:
		*base = cursor_uint(c, unit->address_size);
		return cursor_ok(c);
	case RLE_STARTX_ENDX:
		low = read_indexed(sections, unit, c);
		high = read_indexed(sections, unit, c);
		break;
	case RLE_STARTX_LENGTH:
		low = read_indexed(sections, unit, c);
		high = low + cursor_uleb(c);
		break;
	case RLE_OFFSET_PAIR:
		low = *base + cursor_uleb(c);
		high = *base + cursor_uleb(c);
		// Dropped code has a base of all ones; adding offsets wraps
		// around.
		if (*base == range_address_max(unit))
			high = low;
		break;
	case RLE_START_END:
		low = cursor_uint(c, unit->address_size);
		high = cursor_uint(c, unit->address_size);
		break;
	case RLE_START_LENGTH:
		low = cursor_uint(c, unit->address_size);
		high = low + cursor_uleb(c);
		break;
	default:
		c->failed = true;
		break;
	}
	if (cursor_ok(c))
		add_live(list, unit, low, high);
	return cursor_ok(c);
}

bool range_list_read(const struct dwarf_sections *sections,
                     const struct range_unit *unit, uint64_t offset,
                     struct dwarf_work *work, struct range_list *list)
{
	if (unit->version < 5)
		return read_pairs(sections, unit, offset, work, list);

	struct cursor c = cursor_at(sections->rnglists, offset, CURSOR_LITTLE);
	uint64_t base = unit->base;
	while (dwarf_work_take(work, RANGE_WORK) &&
	       read_entry(sections, unit, &c, &base, list))
		;
	return cursor_ok(&c) && work->left;
}

// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/units.h"

#include "lib/base/sorted.h"

/** Size of a length field of 0. */
#define UNIT_LENGTH_BYTES 4

/** DWARF 5 unit types that have the header of a plain unit. */
enum { UNIT_COMPILE = 1, UNIT_TYPE = 2, UNIT_PARTIAL = 3, UNIT_SKELETON = 4 };

/**
 * The length field of units, sets and line programs, 4 bytes, or an escape and
 * 8: returns the offset size, 0 if it is invalid.
 */
static uint8_t length_read(struct cursor *c, uint64_t *ret_length)
{
	uint64_t length = cursor_u32(c);
	uint8_t offset_size = 4;

	if (length == UINT32_MAX) {
		length = cursor_u64(c);
		offset_size = 8;
	} else if (length >= 0xfffffff0) {
		return 0; // reserved values
	}
	if (!cursor_ok(c) || length > cursor_left(c))
		return 0;
	*ret_length = length;
	return offset_size;
}

bool unit_read(struct bytes info, uint64_t offset, struct unit *ret)
{
	struct cursor c = cursor_at(info, offset, CURSOR_LITTLE);
	uint64_t length = 0;

	*ret = (struct unit){ .offset = offset };
	ret->offset_size = length_read(&c, &length);
	if (!ret->offset_size)
		return false;
	ret->size = c.pos - offset + length;

	cursor_end_at(&c, offset + ret->size);
	ret->version = cursor_u16(&c);
	if (ret->version >= 5) {
		uint8_t type = cursor_u8(&c);
		ret->address_size = cursor_u8(&c);
		ret->abbrev_offset = cursor_uint(&c, ret->offset_size);
		if (type < UNIT_COMPILE || type > UNIT_SKELETON)
			return false;
		if (type == UNIT_TYPE)
			cursor_skip(&c, 8U + ret->offset_size);
		else if (type == UNIT_SKELETON)
			cursor_skip(&c, 8);
	} else {
		ret->abbrev_offset = cursor_uint(&c, ret->offset_size);
		ret->address_size = cursor_u8(&c);
	}
	ret->header_size = (uint8_t)(c.pos - offset);
	ret->empty = !cursor_left(&c);
	return cursor_ok(&c) && ret->version >= 2 && ret->version <= 5 &&
	       (ret->address_size == 4 || ret->address_size == 8);
}

void unit_list_read(struct bytes info, struct arena *arena,
                    struct unit_list *ret, size_t *ret_bad)
{
	size_t cap = 0;
	uint64_t offset = 0;
	bool is_zeroed = false;

	*ret = (struct unit_list){ 0 };
	*ret_bad = 0;
	while (offset < info.size && ret->count < UNITS_MAX) {
		struct unit unit;
		bool good = unit_read(info, offset, &unit);

		if (good) {
			ARENA_GROW(arena, ret->units, ret->count, cap);
			ret->units[ret->count++] = unit;
		} else if (!is_zeroed) {
			++*ret_bad;
		}
		// A run of zeros is not a unit every four bytes.
		is_zeroed = !good && unit.size == UNIT_LENGTH_BYTES;
		// Without a length there is no way to the next header.
		if (!unit.size)
			break;
		offset += unit.size;
	}
}

const struct unit *unit_list_find(const struct unit_list *list, uint64_t offset)
{
	size_t after =
	        SORTED_SKIP(i, list->count, list->units[i].offset <= offset);
	const struct unit *unit = after ? &list->units[after - 1] : NULL;

	return unit && offset - unit->offset < unit->size ? unit : NULL;
}

/** Units that .debug_aranges omits have no code, and are few. */
#define UNITS_STEPPED_MAX 64

bool unit_find_after(struct bytes info, uint64_t start, uint64_t offset,
                     struct unit *ret)
{
	for (unsigned i = 0; i < UNITS_STEPPED_MAX && start <= offset; i++) {
		bool good = unit_read(info, start, ret);

		if (!ret->size)
			return false;
		if (offset - start < ret->size)
			return good;
		start += ret->size;
	}
	return false;
}

/** The wanted addresses, ascending; at least one. */
struct wanted {
	const uint64_t *addresses;
	size_t count;
};

/** Whether [low, low + size) covers a wanted address. */
static bool covers(const struct wanted *wanted, uint64_t low, uint64_t size)
{
	const uint64_t *addresses = wanted->addresses;

	// Most tuples are before or after all addresses.
	if (low > addresses[wanted->count - 1] ||
	    (low <= addresses[0] && addresses[0] - low >= size))
		return false;
	size_t first = SORTED_SKIP(i, wanted->count, addresses[i] < low);
	return addresses[first] - low < size;
}

bool unit_set_next(struct cursor *c, struct unit_set *ret)
{
	size_t start = c->pos;
	uint64_t length = 0;
	uint8_t offset_size = length_read(c, &length);

	if (!offset_size)
		return false;
	struct cursor set = *c;
	cursor_end_at(&set, c->pos + length);
	cursor_skip(c, length);

	uint16_t version = cursor_u16(&set);
	ret->unit = cursor_uint(&set, offset_size);
	uint8_t address_size = cursor_u8(&set);
	uint8_t segment_size = cursor_u8(&set);
	ret->address_size = 0;
	if (!cursor_ok(&set) || version != 2 || segment_size != 0 ||
	    (address_size != 4 && address_size != 8))
		return true;

	// Pairs are aligned to their own size, from the start of the set.
	size_t pair = 2U * address_size;
	size_t odd = (set.pos - start) % pair;
	cursor_skip(&set, odd ? pair - odd : 0);
	if (cursor_ok(&set))
		ret->address_size = address_size;
	ret->pairs = set;
	return true;
}

bool unit_set_range(struct unit_set *set, uint64_t *ret_low, uint64_t *ret_size)
{
	if (!set->address_size ||
	    cursor_left(&set->pairs) < 2U * set->address_size)
		return false;
	*ret_low = cursor_uint(&set->pairs, set->address_size);
	*ret_size = cursor_uint(&set->pairs, set->address_size);
	return true;
}

/** Whether any range of a set covers a wanted address. */
static bool set_covers(const struct wanted *wanted, struct unit_set set)
{
	uint64_t low, size;
	bool found = false;

	while (unit_set_range(&set, &low, &size))
		if (size && covers(wanted, low, size))
			found = true;
	return found;
}

void unit_hits_read(struct bytes aranges, const uint64_t *addresses,
                    size_t count, struct arena *arena, struct unit_hits *ret)
{
	const struct wanted wanted = { addresses, count };
	struct cursor c = cursor_at(aranges, 0, CURSOR_LITTLE);
	size_t cap = 0;
	struct unit_set set;

	*ret = (struct unit_hits){ 0 };
	if (!count)
		return;
	ret->aranges = aranges;
	ret->arena = arena;
	while (cursor_left(&c) && unit_set_next(&c, &set)) {
		if (!set_covers(&wanted, set))
			continue;
		ARENA_GROW(arena, ret->offsets, ret->count, cap);
		ret->offsets[ret->count++] = set.unit;
	}
	ret->count = sorted_once(ret->offsets, ret->count);
}

static void list_starts(struct unit_hits *hits)
{
	struct cursor c = cursor_at(hits->aranges, 0, CURSOR_LITTLE);
	size_t cap = 0;
	struct unit_set set;

	while (cursor_left(&c) && unit_set_next(&c, &set)) {
		ARENA_GROW(hits->arena, hits->starts, hits->start_count, cap);
		hits->starts[hits->start_count++] = set.unit;
	}
	hits->start_count = sorted_once(hits->starts, hits->start_count);
}

const uint64_t *unit_hits_starts(struct unit_hits *hits, size_t *ret_count)
{
	if (!hits->has_starts)
		list_starts(hits);
	hits->has_starts = true;
	*ret_count = hits->start_count;
	return hits->starts;
}

// SPDX-License-Identifier: MIT
#include "lib/object/dwarf/die.h"

#include "lib/base/mem.h"
#include "lib/base/sorted.h"
#include "lib/object/dwarf/native.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** Cost of examining an entry of an index. */
#define INDEX_WORK 1

#define NO_PARENT SIZE_MAX

/** An inlined call before the tree is built, in the order of the entries. */
struct draft {
	size_t parent; ///< NO_PARENT: the function itself
	size_t first_range;
	size_t range_count;
	const char *name;
	uint32_t call_file;
	uint32_t call_line;
	size_t child_count;
	struct debug_inline *call; ///< once built
};

/** State of reading the functions of a unit. */
struct walk {
	const struct die_reader *reader;
	struct unit_reader *unit;
	struct unit_files *files;
	struct function_list *list;
	bool is_c; ///< the unit's language is C
	struct range_list ranges;
	struct draft *drafts;
	size_t draft_count;
	size_t draft_cap;
};

/** The first wanted address at or after @p low. */
static size_t wanted_at(const struct die_wanted *wanted, uint64_t low)
{
	return SORTED_SKIP(i, wanted->count, wanted->addresses[i] < low);
}

/** Is any wanted address in the range? */
static bool wanted_any(const struct die_wanted *wanted,
                       struct debug_range range)
{
	if (!wanted->count)
		return true;
	size_t i = wanted_at(wanted, range.low);
	return i < wanted->count && wanted->addresses[i] < range.high;
}

bool die_wanted_missing(const struct die_wanted *wanted,
                        struct debug_range range, struct dwarf_work *work)
{
	for (size_t i = wanted_at(wanted, range.low);
	     i < wanted->count && wanted->addresses[i] < range.high &&
	     dwarf_work_take(work, 1);
	     i++)
		if (!wanted->covered[i])
			return true;
	return false;
}

void die_wanted_cover(const struct die_wanted *wanted, struct debug_range range,
                      struct dwarf_work *work)
{
	for (size_t i = wanted_at(wanted, range.low);
	     i < wanted->count && wanted->addresses[i] < range.high &&
	     dwarf_work_take(work, 1);
	     i++)
		wanted->covered[i] = true;
}

bool die_wanted_has(const struct die_wanted *wanted, struct debug_range range)
{
	return (range.low || wanted->zero_is_code) && wanted_any(wanted, range);
}

static struct error *fault(const struct unit_reader *unit, enum entry_step step)
{
	if (step == ENTRY_BAD)
		return error_new(ERROR_FORMAT, "unit at 0x%" PRIx64 ": %s",
		                 unit->unit.offset, unit->fault);
	if (!unit->source.work->left)
		return error_new(ERROR_LIMIT,
		                 "unit at 0x%" PRIx64
		                 ": too complex for a file of this size",
		                 unit->unit.offset);
	return NULL;
}

/**
 * Does the function cover all wanted addresses? At address 0 it may be dropped
 * code.
 */
static bool has_all(const struct unit_source *source, struct debug_range range)
{
	size_t count = source->address_count;

	return count && range.low && source->addresses[0] >= range.low &&
	       source->addresses[count - 1] < range.high;
}

/**
 * After each function: does one that is in order cover all wanted addresses?
 *
 * @param found  Number of that function, if known; else SIZE_MAX.
 */
static bool is_enough(struct unit_reader *unit, const struct range_list *list,
                      size_t *found)
{
	const struct function_order *order = &unit->order;

	if (*found == SIZE_MAX) {
		if (list->count != 1 ||
		    !has_all(&unit->source, list->ranges[0]))
			return false;
		*found = order->count - 1;
	}
	// The next one shows whether it is in order.
	unit->gives_next = order->count == *found + 1;
	return !unit->gives_next && function_order_has(order, *found);
}

struct error *die_index(struct unit_reader *unit, struct die_index *ret)
{
	struct range_list ranges = { 0 };
	size_t found = SIZE_MAX;
	struct entry entry;
	enum entry_step step =
	        unit_reader_seek(unit, unit->root.offset, &entry);

	*ret = (struct die_index){ 0 };
	unit->order = (struct function_order){ .broken = SIZE_MAX };
	unit->gives_next = false;
	while (step == ENTRY_TAKEN) {
		step = unit_reader_next(unit, ENTRY_FUNCTIONS, true, &entry);
		if (step != ENTRY_TAKEN)
			break;
		ranges.count = 0;
		entry_ranges(unit, &entry, &ranges);
		range_list_normalize(&ranges, 0);
		for (size_t i = 0; i < ranges.count; i++) {
			MEM_GROW(ret->items, ret->count, ret->cap);
			ret->items[ret->count++] = (struct die_function){
				.range = ranges.ranges[i],
				.offset = entry.offset,
				.number = unit->order.count,
			};
		}
		if (ranges.count &&
		    function_order_add(unit, ranges.ranges[0].low,
		                       ranges.ranges[ranges.count - 1].high) &&
		    is_enough(unit, &ranges, &found))
			step = ENTRY_NONE;
	}
	range_list_release(&ranges);
	return fault(unit, step);
}

void die_index_release(struct die_index *index)
{
	free(index->items);
	*index = (struct die_index){ 0 };
}

static uint32_t small_number(const struct walk *walk, const struct entry *entry,
                             unsigned value)
{
	uint64_t number = 0;

	entry_number(walk->unit, entry, value, &number);
	return number <= UINT32_MAX ? (uint32_t)number : 0;
}

/** Add an inlined call; false if it has no code. */
static bool add_draft(struct walk *walk, const struct entry *entry,
                      size_t parent)
{
	size_t first = walk->ranges.count;

	entry_ranges(walk->unit, entry, &walk->ranges);
	range_list_normalize(&walk->ranges, first);
	if (walk->ranges.count == first)
		return false;
	MEM_GROW(walk->drafts, walk->draft_count, walk->draft_cap);
	walk->drafts[walk->draft_count++] = (struct draft){
		.parent = parent,
		.first_range = first,
		.range_count = walk->ranges.count - first,
		.name = name_find(walk->reader->names, walk->unit, entry),
		.call_file = unit_files_index(
		        walk->files,
		        small_number(walk, entry, ENTRY_CALL_FILE)),
		.call_line = small_number(walk, entry, ENTRY_CALL_LINE),
	};
	return true;
}

/** A call on the path to the current entry. */
struct level {
	unsigned depth; ///< of its entry
	size_t draft;
};

/** Read the calls inlined into the current function. */
static void read_calls(struct walk *walk)
{
	struct level stack[DEBUG_INLINE_DEPTH_MAX];
	size_t open = 0;
	bool into = true;
	struct entry entry;

	walk->draft_count = 0;
	while (unit_reader_next(walk->unit, ENTRY_CALLS, into, &entry) ==
	       ENTRY_TAKEN) {
		while (open && stack[open - 1].depth >= entry.least_depth)
			open--;
		into = open < DEBUG_INLINE_DEPTH_MAX;
		if (into && add_draft(walk, &entry,
		                      open ? stack[open - 1].draft : NO_PARENT))
			stack[open++] = (struct level){
				.depth = entry.depth,
				.draft = walk->draft_count - 1,
			};
	}
}

/** The tree of the drafts, in the arena. */
static void build_tree(struct walk *walk, struct debug_function *function)
{
	struct arena *arena = walk->reader->arena;

	for (size_t i = 0; i < walk->draft_count; i++) {
		if (walk->drafts[i].parent == NO_PARENT)
			function->inline_count++;
		else
			walk->drafts[walk->drafts[i].parent].child_count++;
	}
	function->inlines = arena_array(arena, function->inline_count,
	                                sizeof(*function->inlines));
	struct debug_inline *next = function->inlines;
	for (size_t i = 0; i < walk->draft_count; i++) {
		struct draft *draft = &walk->drafts[i];
		struct debug_inline *call = next;

		if (draft->parent == NO_PARENT) {
			next++;
		} else {
			struct debug_inline *parent =
			        walk->drafts[draft->parent].call;
			call = &parent->children[parent->child_count++];
		}
		draft->call = call;
		call->name = draft->name;
		call->call_file = draft->call_file;
		call->call_line = draft->call_line;
		call->range_count = (uint32_t)draft->range_count;
		call->ranges = arena_array(arena, draft->range_count,
		                           sizeof(*call->ranges));
		memcpy(call->ranges, &walk->ranges.ranges[draft->first_range],
		       draft->range_count * sizeof(*call->ranges));
		call->children = arena_array(arena, draft->child_count,
		                             sizeof(*call->children));
	}
}

/** Read the function with a wanted range. */
static void read_function(struct walk *walk, const struct die_function *at)
{
	const struct die_reader *reader = walk->reader;
	struct debug_function function = { 0 };
	struct entry entry;
	size_t piece_count;

	if (unit_reader_seek(walk->unit, at->offset, &entry) != ENTRY_TAKEN)
		return;
	walk->ranges.count = 0;
	entry_ranges(walk->unit, &entry, &walk->ranges);
	range_list_normalize(&walk->ranges, 0);
	piece_count = walk->ranges.count;
	function.name = name_find(reader->names, walk->unit, &entry);
	function.in_order = function_order_has(&walk->unit->order, at->number);
	function.named_in_c = walk->is_c && entry_has(&entry, ENTRY_NAME);
	// A fault inside is not lost: the index met it too.
	read_calls(walk);
	build_tree(walk, &function);
	for (size_t i = 0; i < piece_count; i++) {
		struct debug_range range = walk->ranges.ranges[i];

		if (!die_wanted_has(reader->wanted, range))
			continue;
		function.range = range;
		struct debug_function piece = debug_function_part(
		        &function, range, reader->work, reader->arena);
		function_list_add(walk->list, &piece);
		die_wanted_cover(reader->wanted, range, reader->work);
	}
}

bool die_language_is_c(uint64_t language)
{
	// DW_LANG_C89, C, C99, ObjC, C11 and C17.
	static const uint16_t languages[] = { 1, 2, 0x0c, 0x10, 0x1d, 0x2c };

	for (size_t i = 0; i < ARRAY_SIZE(languages); i++)
		if (languages[i] == language)
			return true;
	return false;
}

static bool is_c(const struct unit_reader *unit)
{
	uint64_t language;

	return entry_number(unit, &unit->root, ENTRY_LANGUAGE, &language) &&
	       die_language_is_c(language);
}

void die_read(const struct die_reader *reader, struct unit_reader *unit,
              const struct die_index *index, struct unit_files *files,
              struct function_list *list)
{
	struct walk walk = {
		.reader = reader,
		.unit = unit,
		.files = files,
		.list = list,
		.is_c = is_c(unit),
	};
	uint64_t last = UINT64_MAX;

	// The ranges of a function that has several come one after the other.
	for (size_t i = 0; i < index->count; i++) {
		const struct die_function *function = &index->items[i];

		if (!dwarf_work_take(reader->work, INDEX_WORK))
			break;
		if (function->offset == last ||
		    !die_wanted_has(reader->wanted, function->range))
			continue;
		last = function->offset;
		read_function(&walk, function);
	}
	range_list_release(&walk.ranges);
	free(walk.drafts);
}

#include "lib/object/dwarf/die.h"

#include "lib/base/mem.h"
#include "lib/base/sorted.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/** What a look at an entry costs, in bytes read; libdwarf takes about 1 µs. */
#define ENTRY_WORK 64

enum {
	TAG_LEXICAL_BLOCK = 0x0b,
	TAG_COMMON_BLOCK = 0x1a,
	TAG_INLINED_SUBROUTINE = 0x1d,
	TAG_MODULE = 0x1e,
	TAG_WITH_STMT = 0x22,
	TAG_CATCH_BLOCK = 0x25,
	TAG_SUBPROGRAM = 0x2e,
	TAG_TRY_BLOCK = 0x32,
	TAG_NAMESPACE = 0x39,
	AT_CALL_FILE = 0x58,
	AT_CALL_LINE = 0x59,
};

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

/** The walk over one unit. */
struct walk {
	const struct die_reader *reader;
	struct window *window;
	struct unit_files *files;
	struct function_list *list;
	bool thorough; ///< look into every entry
	struct range_list ranges;
	struct draft *drafts;
	size_t draft_count;
	size_t draft_cap;
	/** Functions met inside functions, to be read after those. */
	uint64_t *nested;
	size_t nested_count;
	size_t nested_cap;
};

/** The first wanted address at or after @p low. */
static size_t wanted_at(const struct die_wanted *wanted, uint64_t low)
{
	return SORTED_SKIP(i, wanted->count, wanted->addresses[i] < low);
}

/** Whether any wanted address lies in a range. */
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
		if (!wanted->found[i])
			return true;
	return false;
}

static void mark_found(const struct die_reader *reader,
                       struct debug_range range)
{
	const struct die_wanted *wanted = reader->wanted;

	for (size_t i = wanted_at(wanted, range.low);
	     i < wanted->count && wanted->addresses[i] < range.high &&
	     dwarf_work_take(reader->work, 1);
	     i++)
		wanted->found[i] = true;
}

/** Whether a range is code, and asked for. */
static bool is_wanted(const struct walk *walk, struct debug_range range)
{
	const struct die_wanted *wanted = walk->reader->wanted;

	if (!range.low && !wanted->zero_is_code)
		return false;
	return wanted_any(wanted, range);
}

/** What to do with the entries below one. */
enum descent {
	DESCENT_NONE,
	DESCENT_SAME, ///< they belong to where the entry itself belongs
	DESCENT_CALL, ///< they belong to the call that was added last
};

/** An entry on the way down. */
struct level {
	struct Dwarf_Die_s *die;
	size_t parent; ///< the draft that its siblings belong to
	unsigned call_depth;
};

typedef enum descent (*visit)(struct walk *walk, const struct level *level);

/**
 * The next entry beside those on the stack, or further up.
 *
 * To find a sibling libdwarf reads all that lies between, at every level
 * again: that is charged, else deep trees would cost their size times their
 * depth.
 */
static enum window_step next_level(struct walk *walk, struct level *stack,
                                   size_t *depth)
{
	struct dwarf_work *work = walk->reader->work;
	enum window_step taken = WINDOW_STEP_NONE;
	// Entries come in the order of their offsets: none lies after it yet.
	uint64_t last = window_offset(walk->window, stack[*depth - 1].die);

	while (*depth && taken == WINDOW_STEP_NONE) {
		struct level *top = &stack[*depth - 1];
		struct Dwarf_Die_s *sibling = NULL;

		if (!dwarf_work_take(
		            work, last - window_offset(walk->window, top->die)))
			return WINDOW_STEP_NONE;
		taken = window_sibling(walk->window, top->die, &sibling);
		window_entry_free(top->die);
		top->die = sibling;
		if (taken == WINDOW_STEP_TAKEN)
			dwarf_work_take(work,
			                window_offset(walk->window, sibling) -
			                        last);
		else if (taken == WINDOW_STEP_NONE)
			--*depth;
	}
	return taken;
}

/** Go through the entries below @p root; @p call decides how deep. */
static enum window_step walk_below(struct walk *walk, struct Dwarf_Die_s *root,
                                   visit call)
{
	struct level stack[DIE_DEPTH_MAX];
	size_t depth = 1;
	enum window_step taken;

	stack[0] = (struct level){ .parent = NO_PARENT };
	taken = window_child(walk->window, root, &stack[0].die);
	while (taken == WINDOW_STEP_TAKEN) {
		struct level *top = &stack[depth - 1];

		if (!dwarf_work_take(walk->reader->work, ENTRY_WORK))
			break;
		enum descent descent = call(walk, top);
		taken = WINDOW_STEP_NONE;
		if (descent != DESCENT_NONE && depth < DIE_DEPTH_MAX) {
			struct level below = *top;
			if (descent == DESCENT_CALL) {
				below.parent = walk->draft_count - 1;
				below.call_depth++;
			}
			below.die = NULL;
			taken = window_child(walk->window, top->die,
			                     &below.die);
			if (taken == WINDOW_STEP_TAKEN)
				stack[depth++] = below;
		}
		if (taken == WINDOW_STEP_NONE)
			taken = next_level(walk, stack, &depth);
	}
	while (depth)
		window_entry_free(stack[--depth].die);
	return taken;
}

static uint32_t small_number(struct walk *walk, struct Dwarf_Die_s *die,
                             uint16_t attribute)
{
	uint64_t number = 0;

	window_number(walk->window, die, attribute, &number);
	return number <= UINT32_MAX ? (uint32_t)number : 0;
}

/** Note an inlined call; false where it has no code. */
static bool add_draft(struct walk *walk, const struct level *level)
{
	struct Dwarf_Die_s *die = level->die;
	size_t first = walk->ranges.count;

	window_ranges(walk->window, die, walk->reader->work, &walk->ranges);
	range_list_normalize(&walk->ranges, first);
	if (walk->ranges.count == first)
		return false;
	MEM_GROW(walk->drafts, walk->draft_count, walk->draft_cap);
	walk->drafts[walk->draft_count++] = (struct draft){
		.parent = level->parent,
		.first_range = first,
		.range_count = walk->ranges.count - first,
		.name = name_find(walk->reader->names, walk->window, die),
		.call_file = unit_files_index(
		        walk->files, small_number(walk, die, AT_CALL_FILE)),
		.call_line = small_number(walk, die, AT_CALL_LINE),
	};
	return true;
}

/** Below a function: calls inlined, blocks that hold them, functions. */
static enum descent visit_inside(struct walk *walk, const struct level *level)
{
	switch (window_tag(level->die)) {
	case TAG_INLINED_SUBROUTINE:
		if (level->call_depth == DEBUG_INLINE_DEPTH_MAX)
			return DESCENT_NONE;
		return add_draft(walk, level) ? DESCENT_CALL : DESCENT_SAME;
	case TAG_LEXICAL_BLOCK:
	case TAG_TRY_BLOCK:
	case TAG_CATCH_BLOCK:
	case TAG_WITH_STMT:
		return DESCENT_SAME;
	case TAG_SUBPROGRAM:
		MEM_GROW(walk->nested, walk->nested_count, walk->nested_cap);
		walk->nested[walk->nested_count++] =
		        window_offset(walk->window, level->die);
		return DESCENT_NONE;
	default:
		return walk->thorough ? DESCENT_SAME : DESCENT_NONE;
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
		call->range_count = draft->range_count;
		call->ranges = arena_array(arena, draft->range_count,
		                           sizeof(*call->ranges));
		memcpy(call->ranges, &walk->ranges.ranges[draft->first_range],
		       draft->range_count * sizeof(*call->ranges));
		call->children = arena_array(arena, draft->child_count,
		                             sizeof(*call->children));
	}
}

/** Read a function that is wanted; its ranges are the first of the list. */
static enum window_step add_function(struct walk *walk, struct Dwarf_Die_s *die)
{
	const struct die_reader *reader = walk->reader;
	struct debug_function function = {
		.name = name_find(reader->names, walk->window, die),
	};
	size_t piece_count = walk->ranges.count;

	walk->draft_count = 0;
	enum window_step taken = walk_below(walk, die, visit_inside);
	build_tree(walk, &function);
	for (size_t i = 0; i < piece_count; i++) {
		struct debug_range range = walk->ranges.ranges[i];

		if (!is_wanted(walk, range))
			continue;
		function.range = range;
		struct debug_function piece = debug_function_part(
		        &function, range, reader->work, reader->arena);
		function_list_add(walk->list, &piece);
		mark_found(reader, range);
	}
	return taken;
}

/** A function entry: false if it has no code that is wanted. */
static bool visit_function(struct walk *walk, struct Dwarf_Die_s *die)
{
	bool wanted = false;

	walk->ranges.count = 0;
	window_ranges(walk->window, die, walk->reader->work, &walk->ranges);
	range_list_normalize(&walk->ranges, 0);
	for (size_t i = 0; i < walk->ranges.count && !wanted; i++)
		wanted = is_wanted(walk, walk->ranges.ranges[i]);
	// A fault inside is not lost: the walk around this one meets it too.
	if (wanted)
		(void)add_function(walk, die);
	return wanted;
}

/** At the top: functions, and what may hold functions. */
static enum descent visit_top(struct walk *walk, const struct level *level)
{
	switch (window_tag(level->die)) {
	case TAG_SUBPROGRAM:
		if (visit_function(walk, level->die))
			return DESCENT_NONE;
		return walk->thorough ? DESCENT_SAME : DESCENT_NONE;
	case TAG_NAMESPACE:
	case TAG_MODULE:
	case TAG_COMMON_BLOCK:
		return DESCENT_SAME;
	default:
		return walk->thorough ? DESCENT_SAME : DESCENT_NONE;
	}
}

/** Read the functions that were met inside others, and those inside them. */
static void read_nested(struct walk *walk)
{
	for (size_t i = 0; i < walk->nested_count; i++) {
		struct Dwarf_Die_s *die = NULL;

		if (!dwarf_work_take(walk->reader->work, ENTRY_WORK))
			break;
		if (window_entry_at(walk->window, walk->nested[i], &die) ==
		    WINDOW_STEP_TAKEN)
			visit_function(walk, die);
		window_entry_free(die);
	}
	walk->nested_count = 0;
}

/** Whether the unit covers a wanted address for which it gave no function. */
static bool misses_any(struct walk *walk)
{
	bool misses = false;

	walk->ranges.count = 0;
	window_ranges(walk->window, window_root(walk->window),
	              walk->reader->work, &walk->ranges);
	range_list_normalize(&walk->ranges, 0);
	for (size_t i = 0; i < walk->ranges.count && !misses; i++)
		misses = die_wanted_missing(walk->reader->wanted,
		                            walk->ranges.ranges[i],
		                            walk->reader->work);
	return misses;
}

static enum window_step walk_unit(struct walk *walk)
{
	enum window_step taken =
	        walk_below(walk, window_root(walk->window), visit_top);

	read_nested(walk);
	return taken;
}

struct error *die_functions(const struct die_reader *reader,
                            struct window *window, struct unit_files *files,
                            struct function_list *list)
{
	struct walk walk = {
		.reader = reader,
		.window = window,
		.files = files,
		.list = list,
		.thorough = !reader->wanted->count,
	};
	size_t first = list->count;
	enum window_step taken = walk_unit(&walk);

	if (taken != WINDOW_STEP_BAD && !walk.thorough && misses_any(&walk)) {
		list->count = first;
		walk.thorough = true;
		taken = walk_unit(&walk);
	}
	range_list_release(&walk.ranges);
	free(walk.drafts);
	free(walk.nested);
	if (taken == WINDOW_STEP_BAD)
		return error_new(ERROR_FORMAT, "unit at 0x%" PRIx64 ": %s",
		                 window_unit(window)->offset,
		                 window_fault(window));
	if (!reader->work->left)
		return error_new(ERROR_LIMIT,
		                 "unit at 0x%" PRIx64
		                 ": too complex for a file of this size",
		                 window_unit(window)->offset);
	return NULL;
}

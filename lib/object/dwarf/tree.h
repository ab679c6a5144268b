// SPDX-License-Identifier: MIT
/**
 * Cuts functions to a part of their range.
 *
 * A part of a split function, or the rest of one that overlaps another, has
 * only its own lines and inlined calls.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_TREE_H
#define APMTOOL_LIB_OBJECT_DWARF_TREE_H

#include "lib/base/arena.h"
#include "lib/object/dwarf/debug_info.h"
#include "lib/object/dwarf/sections.h"

/** Deeper calls are merged into their caller. */
#define DEBUG_INLINE_DEPTH_MAX 64

/** A growing list on the heap; the functions' members are in an arena. */
struct function_list {
	struct debug_function *functions;
	size_t count;
	size_t cap;
};

void function_list_add(struct function_list *list,
                       const struct debug_function *function);
void function_list_release(struct function_list *list);

/**
 * The part of @p function in @p range. Ranges of calls are cut to those of
 * their callers; calls without a range are dropped, and so are calls beyond @p
 * work. Shares unchanged data; the rest is in @p arena. Ranges must be sorted.
 */
struct debug_function debug_function_part(const struct debug_function *function,
                                          struct debug_range range,
                                          struct dwarf_work *work,
                                          struct arena *arena);

/**
 * Sort by range and resolve overlaps: a function that is in order in its unit
 * wins, then the narrower one, then the first in the list; others keep the rest
 * on both sides. A wide one is a range that a linker left wrong, or a function
 * with another one placed inside.
 */
void function_list_resolve(struct function_list *list, struct dwarf_work *work,
                           struct arena *arena);

#endif

// SPDX-License-Identifier: MIT
/**
 * Functions cut to a part of their range.
 *
 * A piece of a function that the compiler split, or what remains of one that
 * overlaps another, must hold only its own share of lines and inlined calls.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_TREE_H
#define APMTOOL_LIB_OBJECT_DWARF_TREE_H

#include "lib/base/arena.h"
#include "lib/object/dwarf/debug_info.h"
#include "lib/object/dwarf/sections.h"

/** Deeper calls are shown as part of the call that they are in. */
#define DEBUG_INLINE_DEPTH_MAX 64

/** A growing list on the heap; what the functions point to is in an arena. */
struct function_list {
	struct debug_function *functions;
	size_t count;
	size_t cap;
};

void function_list_add(struct function_list *list,
                       const struct debug_function *function);
void function_list_release(struct function_list *list);

/**
 * The part of @p function within @p range. Ranges of calls are limited to those
 * of their callers, calls without a range left are dropped. Shares what need
 * not change; the rest is in @p arena. Ranges must be sorted. Calls that
 * exceed @p work are dropped.
 */
struct debug_function debug_function_part(const struct debug_function *function,
                                          struct debug_range range,
                                          struct dwarf_work *work,
                                          struct arena *arena);

/**
 * Sort by range and take care that no two overlap: where they do, one that is
 * in order in its unit has the addresses, of several the narrower one (the
 * first of the list, if equal), and the others what is left of them on either
 * side. A wide one is a range that a linker left wrong, or a function with
 * another one placed inside.
 */
void function_list_settle(struct function_list *list, struct dwarf_work *work,
                          struct arena *arena);

#endif

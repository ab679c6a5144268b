/**
 * The functions of a unit, out of its tree of entries.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_DIE_H
#define APMTOOL_LIB_OBJECT_DWARF_DIE_H

#include "lib/object/dwarf/files.h"
#include "lib/object/dwarf/names.h"
#include "lib/object/dwarf/tree.h"
#include "lib/object/dwarf/window.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Deeper entries are not read. */
#define DIE_DEPTH_MAX 256

/** What is looked for. */
struct die_wanted {
	const uint64_t *addresses; ///< ascending
	size_t count;              ///< 0: every function
	bool *found;               ///< for each address: a function covers it
	/** Address 0 is code in this file, not a mark of dropped code. */
	bool zero_is_code;
};

/** What a unit is read with; all borrowed. */
struct die_reader {
	struct die_wanted *wanted;
	struct name_table *names;
	struct dwarf_work *work;
	struct arena *arena;
};

/**
 * Append the functions of @p window that are wanted: without lines, a piece
 * for each of their ranges.
 *
 * Functions are looked for at the top and in namespaces. Only if an address
 * within the unit's ranges is then without one, all entries are looked at:
 * most of them are types, which hardly ever hold code.
 *
 * @return An error where the tree is damaged; what was found is kept.
 */
MUST_CHECK struct error *die_functions(const struct die_reader *reader,
                                       struct window *window,
                                       struct unit_files *files,
                                       struct function_list *list);

/** Whether a wanted address in [low, high) has no function yet. */
bool die_wanted_missing(const struct die_wanted *wanted,
                        struct debug_range range, struct dwarf_work *work);

#endif

// SPDX-License-Identifier: MIT
/**
 * The functions of a unit, out of its tree of entries.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_DIE_H
#define APMTOOL_LIB_OBJECT_DWARF_DIE_H

#include "lib/object/dwarf/entry.h"
#include "lib/object/dwarf/files.h"
#include "lib/object/dwarf/names.h"
#include "lib/object/dwarf/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What is looked for. */
struct die_wanted {
	const uint64_t *addresses; ///< ascending
	size_t count;              ///< 0: every function
	/** For each address: a function, or a unit that was read, covers it. */
	bool *settled;
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

/** A range of a function's code, and where its entry is. */
struct die_function {
	struct debug_range range;
	uint64_t offset; ///< in .debug_info
	size_t number;   ///< in the order of functions
};

/** The functions of a unit, in the order of its entries. */
struct die_index {
	struct die_function *items;
	size_t count;
	size_t cap;
};

/**
 * Find the functions of a unit, wherever they are: also in types, and in other
 * functions. Where one that is in order has all that is wanted, others do not
 * count, and those behind it are not read.
 *
 * @return An error where the tree is damaged; what was found is kept.
 */
MUST_CHECK struct error *die_index(struct unit_reader *unit,
                                   struct die_index *ret);
void die_index_release(struct die_index *index);

/**
 * Append those functions of a unit that are wanted: without lines, a piece
 * for each of their ranges.
 */
void die_read(const struct die_reader *reader, struct unit_reader *unit,
              const struct die_index *index, struct unit_files *files,
              struct function_list *list);

/** Is a range code, and has it a wanted address? */
bool die_wanted_has(const struct die_wanted *wanted, struct debug_range range);

/** Is it C, or Objective-C, whose functions are C's? By DW_AT_language. */
bool die_language_is_c(uint64_t language);

/** A unit that was read has all that there is of [low, high). */
void die_wanted_settle(const struct die_wanted *wanted,
                       struct debug_range range, struct dwarf_work *work);

/** Whether a wanted address in [low, high) is not settled. */
bool die_wanted_missing(const struct die_wanted *wanted,
                        struct debug_range range, struct dwarf_work *work);

#endif

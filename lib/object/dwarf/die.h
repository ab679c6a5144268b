// SPDX-License-Identifier: MIT
/** Reads the functions of a unit from its tree of entries. */
#ifndef APMTOOL_LIB_OBJECT_DWARF_DIE_H
#define APMTOOL_LIB_OBJECT_DWARF_DIE_H

#include "lib/object/dwarf/entry.h"
#include "lib/object/dwarf/files.h"
#include "lib/object/dwarf/names.h"
#include "lib/object/dwarf/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The wanted addresses. */
struct die_wanted {
	const uint64_t *addresses; ///< ascending
	size_t count;              ///< 0: all functions
	/**
	 * For each address: is it covered by a function, or by a unit already
	 * read?
	 */
	bool *covered;
	/** Address 0 is code in this file, not a mark for dropped code. */
	bool zero_is_code;
};

/** Context of reading a unit; all borrowed. */
struct die_reader {
	struct die_wanted *wanted;
	struct name_table *names;
	struct dwarf_work *work;
	struct arena *arena;
};

/** A code range of a function, and the place of its entry. */
struct die_function {
	struct debug_range range;
	uint64_t offset; ///< in .debug_info
	size_t number;   ///< index in the order of functions
};

/** The functions of a unit, in the order of entries. */
struct die_index {
	struct die_function *items;
	size_t count;
	size_t cap;
};

/**
 * Find all functions of a unit, including those in types and other functions.
 * If one that is in order covers all wanted addresses, later ones are not read.
 *
 * @return An error if the tree is damaged; functions before it are kept.
 */
MUST_CHECK struct error *die_index(struct unit_reader *unit,
                                   struct die_index *ret);
void die_index_release(struct die_index *index);

/**
 * Append the wanted functions of a unit, without lines; one for each of their
 * ranges.
 */
void die_read(const struct die_reader *reader, struct unit_reader *unit,
              const struct die_index *index, struct unit_files *files,
              struct function_list *list);

/** Is the range code, with a wanted address? */
bool die_wanted_has(const struct die_wanted *wanted, struct debug_range range);

/** Is DW_AT_language C, or Objective-C, whose functions are C's? */
bool die_language_is_c(uint64_t language);

/** Mark [low, high) as covered by a unit that was read. */
void die_wanted_cover(const struct die_wanted *wanted, struct debug_range range,
                      struct dwarf_work *work);

/** Is a wanted address in [low, high) not covered yet? */
bool die_wanted_missing(const struct die_wanted *wanted,
                        struct debug_range range, struct dwarf_work *work);

#endif

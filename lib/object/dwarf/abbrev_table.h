// SPDX-License-Identifier: MIT
/**
 * Abbreviations as programs that step over entries.
 *
 * An abbreviation says which attributes an entry has, and in which form. Here
 * each is turned, once for its table, into what a reader does with such an
 * entry: mostly "so many bytes on". Only of entries that can hold code are
 * values kept, and of those only the attributes that entry.h names; all else
 * becomes bytes to skip, however many attributes they are.
 *
 * Tables are kept: dsymutil makes one for all units of a file.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_ABBREV_TABLE_H
#define APMTOOL_LIB_OBJECT_DWARF_ABBREV_TABLE_H

#include "lib/base/error.h"
#include "lib/base/map.h"
#include "lib/object/dwarf/form.h"
#include "lib/object/dwarf/sections.h"
#include "lib/object/dwarf/units.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** More attributes than this in one abbreviation are damage. */
#define ABBREV_ATTRIBUTES_MAX 512

/** What an entry is to a reader of code. */
enum abbrev_kind {
	ABBREV_OTHER,
	ABBREV_FUNCTION, ///< a subprogram
	ABBREV_CALL,     ///< an inlined call
};

/** A step to the values that are kept. */
struct abbrev_step {
	uint16_t form;
	uint8_t value;   ///< enum entry_attribute; ENTRY_VALUES: skip it
	uint32_t bytes;  ///< to skip first
	int64_t implied; ///< of FORM_IMPLICIT_CONST
};

/** A step over values, up to one that says itself how long it is. */
struct abbrev_skip {
	uint32_t bytes; ///< before it
	uint16_t form;  ///< of that value
};

struct abbrev {
	uint32_t first_step; ///< into abbrev_table.steps
	uint32_t first_skip; ///< into abbrev_table.skips
	uint16_t step_count;
	uint16_t skip_count;
	uint16_t fixed; ///< bytes after the last skip, or all of them
	uint16_t tag;
	uint8_t kind; ///< enum abbrev_kind
	bool has_children;
	bool has_code; ///< an address or ranges among its attributes
	/**
	 * Where a function says its code is, if it does so with an address and
	 * a number behind values that do not vary: bytes after the code of the
	 * entry, and a form of FORM_ADDR or FORM_DATA1 to 8. Else the form is
	 * 0.
	 */
	uint8_t low_at;
	uint8_t high_at;
	uint8_t high_form;
	uint8_t high_size; ///< of that form, in bytes
	/** How far 8 bytes from either reach, after the code. */
	uint16_t bounds_end;
};

struct abbrev_table {
	uint64_t offset;
	struct form_sizes sizes;
	size_t size; ///< in the section
	struct abbrev *items;
	size_t count;
	size_t cap;
	struct abbrev_step *steps;
	size_t step_count;
	size_t step_cap;
	struct abbrev_skip *skips;
	size_t skip_count;
	size_t skip_cap;
	size_t ordered; ///< so many have the codes 1, 2, 3 and so on
	/** All codes, where some that follow are not in order. */
	uint64_t *codes;
	size_t code_cap;
	struct map map; ///< indexes of codes
	unsigned users;
	uint64_t used;   ///< when, as the cache counts
	bool is_refused; ///< for this form:
	uint64_t unknown_form;
};

/** As many as units can be open at a time, and some more. */
#define ABBREV_TABLES_MAX 64

/** All zeros is empty. */
struct abbrev_cache {
	struct abbrev_table *tables[ABBREV_TABLES_MAX];
	size_t count;
	uint64_t uses;
};

/**
 * The table of a unit. Give it back with abbrev_table_put().
 *
 * @return ERROR_UNSUPPORTED for a form that is not known, ERROR_FORMAT for
 *         other faults, ERROR_LIMIT where it would exceed @p work.
 */
MUST_CHECK struct error *abbrev_table_get(struct abbrev_cache *cache,
                                          struct bytes section,
                                          const struct unit *unit,
                                          struct dwarf_work *work,
                                          struct abbrev_table **ret);
/** NULL is fine. */
void abbrev_table_put(struct abbrev_table *table);

/** For abbrev_find(): codes that are not in order. */
const struct abbrev *abbrev_find_code(const struct abbrev_table *table,
                                      uint64_t code);

/** The abbreviation of a code; NULL if there is none. */
static inline const struct abbrev *abbrev_find(const struct abbrev_table *table,
                                               uint64_t code)
{
	return code - 1 < table->ordered ? &table->items[code - 1]
	                                 : abbrev_find_code(table, code);
}

void abbrev_cache_release(struct abbrev_cache *cache);

#endif

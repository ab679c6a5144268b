// SPDX-License-Identifier: MIT
/**
 * Abbreviations compiled for stepping over entries.
 *
 * An abbreviation lists the attributes of an entry and their forms. Each is
 * compiled once per table into steps for the reader, usually "skip 8
 * bytes". Values are only kept for entries that can have code, and of those
 * only the attributes in entry.h.
 *
 * Tables are cached: dsymutil writes one for all units of a file.
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

/** More attributes in one abbreviation are treated as damage. */
#define ABBREV_ATTRIBUTES_MAX 512

/** Kind of an entry. */
enum abbrev_kind {
	ABBREV_OTHER,
	ABBREV_FUNCTION, ///< a subprogram
	ABBREV_CALL,     ///< an inlined call
};

/** A step to the next value to keep. */
struct abbrev_step {
	uint16_t form;
	uint8_t value;   ///< enum entry_attribute; ENTRY_VALUES: skip the value
	uint32_t bytes;  ///< to skip before it
	int64_t implied; ///< value of FORM_IMPLICIT_CONST
};

/** A step over values, up to one with a variable size. */
struct abbrev_skip {
	uint32_t bytes; ///< before that value
	uint16_t form;  ///< of that value
};

struct abbrev {
	uint32_t first_step; ///< into abbrev_table.steps
	uint32_t first_skip; ///< into abbrev_table.skips
	uint16_t step_count;
	uint16_t skip_count;
	uint16_t fixed; ///< bytes after the last skip, or in total
	uint16_t tag;
	uint8_t kind; ///< enum abbrev_kind
	bool has_children;
	bool has_code; ///< it has an address or ranges
	/**
	 * Positions of a function's address and size after the entry's code, if
	 * the values before have a fixed size and the forms are FORM_ADDR or
	 * FORM_DATA1 to 8. Else the form is 0.
	 */
	uint8_t low_at;
	uint8_t high_at;
	uint8_t high_form;
	uint8_t high_size; ///< size of that form in bytes
	/** End of an 8-byte read at either position. */
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
	/** number of abbreviations with the codes 1, 2, 3 and so on */
	size_t ordered;
	/** All codes, if some are out of order. */
	uint64_t *codes;
	size_t code_cap;
	struct map map; ///< indexes of codes
	unsigned users;
	uint64_t used;   ///< time of the last use, in uses of the cache
	bool is_refused; ///< refused because of this form:
	uint64_t unknown_form;
};

/** More than the max number of open units. */
#define ABBREV_TABLES_MAX 64

/** All zeros is empty. */
struct abbrev_cache {
	struct abbrev_table *tables[ABBREV_TABLES_MAX];
	size_t count;
	uint64_t uses;
};

/**
 * Get the table of a unit. Return it with abbrev_table_put().
 *
 * @return ERROR_UNSUPPORTED for an unknown form, ERROR_FORMAT for other faults,
 * ERROR_LIMIT if it would exceed @p work.
 */
MUST_CHECK struct error *abbrev_table_get(struct abbrev_cache *cache,
                                          struct bytes section,
                                          const struct unit *unit,
                                          struct dwarf_work *work,
                                          struct abbrev_table **ret);
/** Accepts NULL. */
void abbrev_table_put(struct abbrev_table *table);

/** Private to abbrev_find(): codes that are out of order. */
const struct abbrev *abbrev_find_code(const struct abbrev_table *table,
                                      uint64_t code);

/** The abbreviation of a code; or NULL. */
static inline const struct abbrev *abbrev_find(const struct abbrev_table *table,
                                               uint64_t code)
{
	return code - 1 < table->ordered ? &table->items[code - 1]
	                                 : abbrev_find_code(table, code);
}

void abbrev_cache_release(struct abbrev_cache *cache);

#endif

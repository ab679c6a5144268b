// SPDX-License-Identifier: MIT
/**
 * Units of .debug_info, and the units that cover an address.
 *
 * libdwarf walks the headers of all units before it returns the first entry,
 * which costs more than the rest of a lookup in a large file; so headers and
 * .debug_aranges are read here.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_UNITS_H
#define APMTOOL_LIB_OBJECT_DWARF_UNITS_H

#include "lib/base/arena.h"
#include "lib/base/cursor.h"
#include "lib/object/dwarf/form.h"
#include "lib/object/dwarf/sections.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNITS_MAX 1000000

/** The header of a unit. */
struct unit {
	uint64_t offset; ///< in .debug_info
	uint64_t size;   ///< including its length field
	uint64_t abbrev_offset;
	uint16_t version;     ///< 2 to 5
	uint8_t address_size; ///< 4 or 8
	uint8_t offset_size;  ///< 4, or 8 for 64-bit DWARF
	uint8_t header_size;
	bool empty; ///< only a header (old dsymutil)
};

/** Properties of a unit that sizes of values depend on. */
static inline struct form_sizes unit_form_sizes(const struct unit *unit)
{
	return (struct form_sizes){
		.address = unit->address_size,
		.offset = unit->offset_size,
		.ref_addr = unit->version == 2 ? unit->address_size
		                               : unit->offset_size,
	};
}

/** All units, ascending. */
struct unit_list {
	struct unit *units;
	size_t count;
};

/**
 * Read the header at @p offset. False if it is unreadable; @p ret then has
 * offset and size if the length is valid, else size 0.
 */
bool unit_read(struct bytes info, uint64_t offset, struct unit *ret);

/** All units in order; unreadable headers are skipped and counted. */
void unit_list_read(struct bytes info, struct arena *arena,
                    struct unit_list *ret, size_t *ret_bad);

/** The unit that contains @p offset of the section; or NULL. */
const struct unit *unit_list_find(const struct unit_list *list,
                                  uint64_t offset);

/**
 * Find the unit that contains @p offset by walking headers from @p start, the
 * offset of a unit. False if it is not among the next few units; use the list
 * of all units then.
 */
bool unit_find_after(struct bytes info, uint64_t start, uint64_t offset,
                     struct unit *ret);

/** A set of .debug_aranges: the code of one unit. */
struct unit_set {
	uint64_t unit;        ///< offset in .debug_info
	struct cursor pairs;  ///< ranges not read yet
	uint8_t address_size; ///< 0 if the set is unreadable
};

/** The next set; @p c moves after it. False if its length is invalid. */
bool unit_set_next(struct cursor *c, struct unit_set *ret);

/**
 * The next range of a set; false at the end. A pair of zeros ends the set, but
 * linkers also leave such pairs in the middle for dropped functions: these are
 * returned.
 */
bool unit_set_range(struct unit_set *set, uint64_t *ret_low,
                    uint64_t *ret_size);

/**
 * Lookup of the wanted addresses in .debug_aranges. A shortcut that may be
 * wrong: if it yields no unit or function, all units are searched.
 */
struct unit_hits {
	uint64_t *offsets; ///< of units, ascending, unique
	size_t count;
	struct bytes aranges; ///< the section
	struct arena *arena;  ///< owns all results
	// For unit_hits_starts().
	bool has_starts;
	uint64_t *starts;
	size_t start_count;
};

/**
 * Find the units that cover any of @p addresses (ascending) by .debug_aranges.
 * A damaged set ends the search; earlier results are kept. All results are in
 * the arena; arena and section must outlive @p ret.
 */
void unit_hits_read(struct bytes aranges, const uint64_t *addresses,
                    size_t count, struct arena *arena, struct unit_hits *ret);

/**
 * Offsets of units according to the sets; ascending, unique. Computed at the
 * first call.
 *
 * @param hits  From unit_hits_read(); all zeros has none. Not thread-safe.
 * @return      In the arena of @p hits.
 */
const uint64_t *unit_hits_starts(struct unit_hits *hits, size_t *ret_count);

#endif

// SPDX-License-Identifier: MIT
/**
 * The units of .debug_info, and which of them cover an address.
 *
 * libdwarf walks the headers of all units before it gives the first entry of
 * one, which costs more than all the rest of a look-up in a large file; so
 * headers and .debug_aranges are read here.
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
	uint64_t size;   ///< of all of it, its length field included
	uint64_t abbrev_offset;
	uint16_t version;     ///< 2 to 5
	uint8_t address_size; ///< 4 or 8
	uint8_t offset_size;  ///< 4, or 8 for 64-bit DWARF
	uint8_t header_size;
	bool empty; ///< a header and nothing else (old dsymutil)
};

/** What the sizes of values in a unit depend on. */
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
 * Read the header at @p offset. False where there is none that can be read;
 * @p ret then still has offset and size if the length field made sense, else
 * a size of 0.
 */
bool unit_read(struct bytes info, uint64_t offset, struct unit *ret);

/**
 * All units, in the order of the section; those whose header is not
 * understood are left out and counted.
 */
void unit_list_read(struct bytes info, struct arena *arena,
                    struct unit_list *ret, size_t *ret_bad);

/** The unit that contains @p offset of the section; NULL if there is none. */
const struct unit *unit_list_find(const struct unit_list *list,
                                  uint64_t offset);

/**
 * The unit that contains @p offset, on the way from header to header that
 * begins at @p start, where a unit begins. False where it is not among the
 * next few units; the list of all of them may know it.
 */
bool unit_find_after(struct bytes info, uint64_t start, uint64_t offset,
                     struct unit *ret);

/** A set of .debug_aranges: the code of one unit. */
struct unit_set {
	uint64_t unit;        ///< its offset in .debug_info
	struct cursor pairs;  ///< what is left of its ranges
	uint8_t address_size; ///< 0 where the set is not understood
};

/** The next set; @p c moves behind it. False where its length makes no sense.
 */
bool unit_set_next(struct cursor *c, struct unit_set *ret);

/**
 * The next range of a set; false where there is none. A pair of zeros ends the
 * set, but linkers leave such pairs in the middle too, for functions that they
 * dropped: they are given as any other.
 */
bool unit_set_range(struct unit_set *set, uint64_t *ret_low,
                    uint64_t *ret_size);

/**
 * What .debug_aranges says of the wanted addresses. It is a shortcut, and can
 * be wrong: where it leads to no unit, or to no function, all units are asked.
 */
struct unit_hits {
	uint64_t *offsets; ///< of units, ascending, each once
	size_t count;
	struct bytes aranges; ///< the section
	struct arena *arena;  ///< of all results
	// Of unit_hits_starts().
	bool has_starts;
	uint64_t *starts;
	size_t start_count;
};

/**
 * Find the units that cover any of @p addresses (ascending) by
 * .debug_aranges; a set of it that is damaged ends the reading, what was
 * found before it stays. All results are in the arena; it and the section are
 * borrowed, and must outlive @p ret.
 */
void unit_hits_read(struct bytes aranges, const uint64_t *addresses,
                    size_t count, struct arena *arena, struct unit_hits *ret);

/**
 * Where units begin, as the sets say; ascending, each once. Most look-ups do
 * not ask: they are listed, in @p hits, when somebody does.
 *
 * @param hits  As unit_hits_read() gave it; all zeros has none. Not for several
 *              threads at once.
 * @return      In the arena of @p hits.
 */
const uint64_t *unit_hits_starts(struct unit_hits *hits, size_t *ret_count);

#endif

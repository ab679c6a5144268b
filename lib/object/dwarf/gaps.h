// SPDX-License-Identifier: MIT
/**
 * Finds addresses that .debug_aranges assigns to a unit, but that are in no
 * function.
 *
 * dsymutil derives .debug_aranges from functions, so every address in it
 * belongs to one. In DWARF 5, addresses are in a section of their own; if that
 * is damaged, functions appear at wrong addresses, and only such gaps reveal
 * it. It does not hold for other producers: compilers put whole sections into
 * .debug_aranges, and assembly has no functions.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_GAPS_H
#define APMTOOL_LIB_OBJECT_DWARF_GAPS_H

#include "lib/object/dwarf/die.h"

#include <stdbool.h>
#include <stdint.h>

struct gap_search {
	const struct unit_source *source;
	const struct die_wanted *wanted;
	/** All functions found; ascending, not overlapping. */
	const struct function_list *functions;
	struct cursor aranges; ///< position of the search
};

/** False if functions cover all wanted addresses. */
bool gap_search_is_needed(const struct gap_search *search);

/**
 * The next unit that has its addresses in .debug_addr and a wanted address
 * without a function; false if there is none, or the work is used up. Returns a
 * unit once for each such set of .debug_aranges.
 */
bool gap_search_next(struct gap_search *search, uint64_t *ret_unit);

#endif

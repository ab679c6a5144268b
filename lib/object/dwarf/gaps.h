// SPDX-License-Identifier: MIT
/**
 * Places that .debug_aranges gives to a unit, and where no function is.
 *
 * dsymutil writes .debug_aranges out of the functions of each unit, so that
 * every place of it lies in one of them. Where DWARF 5 has the addresses of
 * functions in a section of their own, and that is damaged, they are valid
 * numbers that lead elsewhere: nothing else shows that they were here. Of other
 * units this cannot be said: compilers write sections as a whole into
 * .debug_aranges, and assemblers have no functions.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_GAPS_H
#define APMTOOL_LIB_OBJECT_DWARF_GAPS_H

#include "lib/object/dwarf/die.h"

#include <stdbool.h>
#include <stdint.h>

struct gap_search {
	const struct unit_source *source;
	const struct die_wanted *wanted;
	/** All that were found; ascending, without overlaps. */
	const struct function_list *functions;
	struct cursor aranges; ///< where the search goes on
};

/** False where functions cover all that is wanted. */
bool gap_search_is_needed(const struct gap_search *search);

/**
 * The next unit that has its addresses in .debug_addr, and no function in a
 * place that is wanted and its own; false where there is none, or the work is
 * used up. A unit comes once for each such set of .debug_aranges.
 */
bool gap_search_next(struct gap_search *search, uint64_t *ret_unit);

#endif

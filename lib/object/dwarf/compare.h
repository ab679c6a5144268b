// SPDX-License-Identifier: MIT
/** Compares the results of two readers. */
#ifndef APMTOOL_LIB_OBJECT_DWARF_COMPARE_H
#define APMTOOL_LIB_OBJECT_DWARF_COMPARE_H

#include "lib/object/dwarf/debug_info.h"

/**
 * Compare function by function, in order of address.
 *
 * @param ret  Counts, and the first difference with its place, truncated if
 *             long.
 */
void debug_info_compare(const struct debug_info *native,
                        const struct debug_info *other,
                        struct debug_differences *ret);

#endif

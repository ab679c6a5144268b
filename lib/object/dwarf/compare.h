// SPDX-License-Identifier: MIT
/**
 * What two readers collected, compared.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_COMPARE_H
#define APMTOOL_LIB_OBJECT_DWARF_COMPARE_H

#include "lib/object/dwarf/debug_info.h"

/**
 * Compare function by function, in the order of addresses.
 *
 * @param ret  Counts, and the first difference with its place; cut where it is
 *             long.
 */
void debug_info_compare(const struct debug_info *native,
                        const struct debug_info *other,
                        struct debug_differences *ret);

#endif

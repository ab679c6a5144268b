// SPDX-License-Identifier: MIT
/**
 * Our own reader of entries.
 *
 * It skips entries that are not searched for with the programs of
 * abbrev_table.h, usually one table lookup and one addition for an entry. Each
 * step advances in the unit and is charged by the bytes it advanced; references
 * are not followed here.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_NATIVE_H
#define APMTOOL_LIB_OBJECT_DWARF_NATIVE_H

#include "lib/object/dwarf/entry.h"

/** Open a unit, charging its work. */
MUST_CHECK struct error *unit_open(const struct unit_source *source,
                                   const struct unit *unit,
                                   struct unit_reader **ret);
void unit_reader_close(struct unit_reader *reader); ///< accepts NULL

/** Go to the entry at an offset of .debug_info, and begin a search below it. */
enum entry_step unit_reader_seek(struct unit_reader *reader, uint64_t offset,
                                 struct entry *ret);

/**
 * The next matching entry below the start of the search.
 *
 * @param into  Search below the previous result, too.
 */
enum entry_step unit_reader_next(struct unit_reader *reader,
                                 enum entry_search search, bool into,
                                 struct entry *ret);

#endif

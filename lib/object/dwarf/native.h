// SPDX-License-Identifier: MIT
/**
 * Our own reader of entries.
 *
 * It steps over what is searched for no more than a byte at a time: by the
 * programs of abbrev_table.h, mostly a table look-up and an addition for an
 * entry. Every step moves on in the unit, and is charged by the bytes it
 * moved; references are not followed here.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_NATIVE_H
#define APMTOOL_LIB_OBJECT_DWARF_NATIVE_H

#include "lib/object/dwarf/entry.h"

/** Open a unit, at the cost of its work. */
MUST_CHECK struct error *unit_open(const struct unit_source *source,
                                   const struct unit *unit,
                                   struct unit_reader **ret);
void unit_reader_close(struct unit_reader *reader); ///< NULL is fine

/** Go to the entry at an offset of .debug_info; a search below it begins. */
enum entry_step unit_reader_seek(struct unit_reader *reader, uint64_t offset,
                                 struct entry *ret);

/**
 * The next entry that is searched for below where the reader was sent.
 *
 * @param into  Whether those below the entry that was given last count.
 */
enum entry_step unit_reader_next(struct unit_reader *reader,
                                 enum entry_search search, bool into,
                                 struct entry *ret);

#endif

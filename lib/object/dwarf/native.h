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

extern const struct unit_reader_kind native_reader;

#endif

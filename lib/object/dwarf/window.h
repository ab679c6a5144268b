// SPDX-License-Identifier: MIT
/**
 * The second reader of entries: libdwarf.
 *
 * The only door to it. It is given a window: as its .debug_info it sees the
 * bytes of one unit and nothing else, for it walks the headers of all units
 * before the first entry of one (50 ms in a file of 400 MB). Nor does it see
 * range lists, location lists, line programs, strings and indexes: what it
 * needs not, it cannot fail on. It finds entries and their attributes; values
 * are read from where it says that they are.
 */
#ifndef APMTOOL_LIB_OBJECT_DWARF_WINDOW_H
#define APMTOOL_LIB_OBJECT_DWARF_WINDOW_H

#include "lib/object/dwarf/entry.h"

extern const struct unit_reader_kind window_reader;

/** `libdwarf 20210528`. */
const char *window_library(void);

#endif

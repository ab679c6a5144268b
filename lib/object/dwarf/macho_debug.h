// SPDX-License-Identifier: MIT
/** Debug information in a Mach-O file: a dSYM, or a binary with its own. */
#ifndef APMTOOL_LIB_OBJECT_DWARF_MACHO_DEBUG_H
#define APMTOOL_LIB_OBJECT_DWARF_MACHO_DEBUG_H

#include "lib/object/dwarf/debug_info.h"
#include "lib/object/macho/macho.h"

/** Its sections; empty if missing. Borrows the file. */
struct debug_object macho_debug_object(const struct macho *macho);

#endif

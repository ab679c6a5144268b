// SPDX-License-Identifier: MIT
/** Slices of Mach-O files: dSYMs, and binaries. */
#ifndef APMTOOL_LIB_SYMBOLS_SOURCE_MACHO_H
#define APMTOOL_LIB_SYMBOLS_SOURCE_MACHO_H

#include "lib/object/macho/macho.h"
#include "lib/symbols/source/source.h"

/** The locator of a slice, with its facts. */
struct symbol_locator macho_locator(const struct macho_slice *slice,
                                    uint32_t file_type);

#endif

// SPDX-License-Identifier: MIT
/** Finds the start of a function by its name, in one file. */
#ifndef APMTOOL_LIB_SYMBOLS_SYMBOL_START_H
#define APMTOOL_LIB_SYMBOLS_SYMBOL_START_H

#include "lib/base/text.h"
#include "lib/symbols/index/uuid_entry.h"

#include <stdbool.h>
#include <stdint.h>

struct symbol_start {
	uint64_t address; ///< file address
	uint64_t text_address;
	uint64_t text_size;
};

/**
 * Find the only function with that name in the symbol table of @p entry. Names
 * match as the linker has them, or as Apple's reports print them. An unreadable
 * file has none; a GSYM has no symbol table.
 *
 * @param entries_read  Raised by the number of symbols read.
 */
bool symbol_start_find(const struct uuid_entry *entry, struct text name,
                       uint64_t *entries_read, struct symbol_start *ret);

#endif

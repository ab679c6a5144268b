// SPDX-License-Identifier: MIT
/**
 * Where a function begins that is known by its name, in one symbol file: the
 * other way round than everything else looks.
 */
#ifndef APMTOOL_LIB_SYMBOLS_SYMBOL_START_H
#define APMTOOL_LIB_SYMBOLS_SYMBOL_START_H

#include "lib/base/text.h"
#include "lib/symbols/index/uuid_entry.h"

#include <stdbool.h>
#include <stdint.h>

struct symbol_start {
	uint64_t address; ///< in the file
	uint64_t text_address;
	uint64_t text_size;
};

/**
 * The only function of that name in the symbol table of @p entry, as the linker
 * knows it or as Apple's reports print it. A file that cannot be read has none,
 * and a GSYM has no symbol table.
 *
 * @param entries_read  Raised by the symbols that were looked at.
 */
bool symbol_start_find(const struct uuid_entry *entry, struct text name,
                       uint64_t *entries_read, struct symbol_start *ret);

#endif

// SPDX-License-Identifier: MIT
/**
 * Names from a Mach-O symbol table, bounded by function starts.
 *
 * The answer is the greatest symbol at or below the address in the same
 * section. If a function starts between the symbol and the address, the symbol
 * belongs to another function, and there is no answer (apmtool-formats(5)).
 */
#ifndef APMTOOL_LIB_SYMBOLS_SOURCE_SYMTAB_H
#define APMTOOL_LIB_SYMBOLS_SOURCE_SYMTAB_H

#include "lib/object/macho/macho.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symtab_answer {
	struct text name; ///< as in the table (with leading `_`); or empty
	uint64_t start;   ///< of the symbol
};

/**
 * Resolve many addresses in one pass over the table, without sorting it.
 *
 * @param addresses  File addresses, ascending; Thumb bit cleared.
 * @param answers  By address; all are set. Names borrow from the file.
 */
void symtab_resolve(const struct macho *macho, const uint64_t *addresses,
                    size_t count, struct symtab_answer *answers);

/**
 * As symtab_resolve(), but only symbols that begin at an address. Reads no
 * other names, for few addresses in a table of hundreds of thousands.
 */
void symtab_find_starts(const struct macho *macho, const uint64_t *addresses,
                        size_t count, struct symtab_answer *answers);

/**
 * Find the address of the only symbol in code whose name matches; @p is gets
 * names as in the table. Several symbols at one address count as one.
 *
 * @return false: none, or several.
 */
bool symtab_find_named(const struct macho *macho,
                       bool (*is)(struct text name, void *context),
                       void *context, uint64_t *ret);

#endif

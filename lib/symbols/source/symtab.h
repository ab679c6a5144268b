// SPDX-License-Identifier: MIT
/**
 * Names from a Mach-O symbol table, bounded by the function starts.
 *
 * The rule of formats.md 10.5: the greatest symbol at or below the address in
 * the same section; if a function start lies between the symbol and the
 * address, the symbol belongs to another function and is not the answer.
 */
#ifndef APMTOOL_LIB_SYMBOLS_SOURCE_SYMTAB_H
#define APMTOOL_LIB_SYMBOLS_SOURCE_SYMTAB_H

#include "lib/object/macho/macho.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symtab_answer {
	struct text name; ///< as in the table (leading `_` kept); empty: none
	uint64_t start;   ///< of the symbol
};

/**
 * Answer many addresses in one pass over the table, without sorting it.
 *
 * @param addresses  File addresses, ascending; Thumb bit cleared.
 * @param answers    As many; filled wholly. Names borrow from the file.
 */
void symtab_resolve(const struct macho *macho, const uint64_t *addresses,
                    size_t count, struct symtab_answer *answers);

/**
 * The same, but of symbols that begin at an address and no other. In a table of
 * hundreds of thousands, of which a few are asked for, it looks at no name but
 * theirs.
 */
void symtab_find_starts(const struct macho *macho, const uint64_t *addresses,
                        size_t count, struct symtab_answer *answers);

/**
 * The address of the one symbol in code whose name, as in the table, @p is
 * knows; of several at one address, they are one.
 *
 * @return false where no symbol has it, or several have.
 */
bool symtab_find_named(const struct macho *macho,
                       bool (*is)(struct text name, void *context),
                       void *context, uint64_t *ret);

#endif

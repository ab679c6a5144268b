/**
 * What is at an address, in the lines of Apple's atos.
 */
#ifndef APMTOOL_CMD_RUN_ADDRESS_LINES_H
#define APMTOOL_CMD_RUN_ADDRESS_LINES_H

#include "cmd/run/addresses.h"

/** Print the answer to a word of the input: what addresses.print is. */
void address_lines_print(const struct addresses *addresses,
                         const struct address_word *word,
                         const struct symbol_answer *answer, struct out *out);

#endif

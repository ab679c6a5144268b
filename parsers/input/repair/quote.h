// SPDX-License-Identifier: MIT
/**
 * Quotation marks before all lines of a text, whatever it is: `> `, `> > `,
 * `| `. A report with labels of its own is found below them by its lines
 * (prefix.h); this is for texts that have none.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_QUOTE_H
#define APMTOOL_PARSERS_INPUT_REPAIR_QUOTE_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct quote {
	char mark;    ///< `>` or `|`
	size_t depth; ///< as often as every line has it at least
};

/** Take the mark, with the blanks around it, @p most times at most. */
size_t quote_take(struct text *line, char mark, size_t most);

/**
 * The marks of a text that is quoted from its first marked line to the last.
 * Lines above, below and between them may have none, if most have it.
 */
bool quote_find(struct text in, struct quote *ret);

#endif

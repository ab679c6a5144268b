// SPDX-License-Identifier: MIT
/**
 * Quote marks before all lines of a text without labels: `> `, `> > `, `| `.
 * Texts with labels are handled by prefix.h.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_QUOTE_H
#define APMTOOL_PARSERS_INPUT_REPAIR_QUOTE_H

#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct quote {
	char mark;    ///< `>` or `|`
	size_t depth; ///< number of marks that every line has
};

/** Remove up to @p max marks with the blanks around them. */
size_t quote_take(struct text *line, char mark, size_t max);

/**
 * Find the marks of a text that is quoted from its first marked line to its
 * last. Other lines may be unmarked if most lines are marked.
 */
bool quote_find(struct text in, struct quote *ret);

#endif

// SPDX-License-Identifier: MIT
/**
 * Finds mangled names in running text: log lines, reports, the output of `nm`.
 *
 *     struct text rest = line, before, name;
 *
 *     while (mangled_next(&rest, &before, &name))
 *             …
 */
#ifndef APMTOOL_LIB_SYMBOLS_DEMANGLE_RUNNING_TEXT_H
#define APMTOOL_LIB_SYMBOLS_DEMANGLE_RUNNING_TEXT_H

#include "lib/base/text.h"

#include <stdbool.h>

/**
 * Take the next word of @p rest that begins as a mangled name does, and the
 * text before it. The full stop of a sentence is not part of the word.
 *
 * @return false at the end: @p ret_before is the rest, and the name is empty.
 */
bool mangled_next(struct text *rest, struct text *ret_before,
                  struct text *ret_name);

#endif

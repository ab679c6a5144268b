// SPDX-License-Identifier: MIT
/**
 * Mangled names in running text: log lines, reports, the output of `nm`.
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
 * The next word of @p rest that begins as a mangled name does, and what comes
 * before it; both are taken. A full stop that ends a sentence is no part of
 * the word.
 *
 * @return false at the end: @p ret_before is all that was left, and the name
 *         is empty.
 */
bool mangled_next(struct text *rest, struct text *ret_before,
                  struct text *ret_name);

#endif

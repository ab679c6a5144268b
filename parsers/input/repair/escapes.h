// SPDX-License-Identifier: MIT
/**
 * Reports on one line, as programs print strings: each line end is `\n`.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_ESCAPES_H
#define APMTOOL_PARSERS_INPUT_REPAIR_ESCAPES_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Write @p in with the escapes of such lines read; JSON has a reader of its
 * own.
 *
 * @return False: there are none. @p ret_count: line ends.
 */
bool escapes_read(struct text in, struct str *out, size_t *ret_count);

#endif

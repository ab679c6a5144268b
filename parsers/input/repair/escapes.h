// SPDX-License-Identifier: MIT
/**
 * Reports on one line, as programs print strings: line ends are spelled `\n`.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_ESCAPES_H
#define APMTOOL_PARSERS_INPUT_REPAIR_ESCAPES_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Write @p in with its escapes decoded. JSON is not decoded here.
 *
 * @param ret_count  Line ends.
 * @return False if there are none.
 */
bool escapes_read(struct text in, struct str *out, size_t *ret_count);

#endif

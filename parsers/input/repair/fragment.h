// SPDX-License-Identifier: MIT
/**
 * Members of a JSON report copied without its braces: `"exception" : {…},
 * "termination" : {…}`, perhaps without the comma between them, and truncated
 * anywhere.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_FRAGMENT_H
#define APMTOOL_PARSERS_INPUT_REPAIR_FRAGMENT_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Write the members as an object. At a truncated end only a string is closed,
 * so that the reader notices that the rest is missing.
 *
 * @param ret_count  Members.
 * @param ret_below  Lines after them.
 * @return False: @p in does not begin with a member of a report.
 */
bool fragment_wrap(struct text in, struct str *out, size_t *ret_count,
                   size_t *ret_below);

#endif

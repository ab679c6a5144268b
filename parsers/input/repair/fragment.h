// SPDX-License-Identifier: MIT
/**
 * Members of a report in JSON that were copied without its braces:
 * `"exception" : {…}, "termination" : {…}`, perhaps without the comma between
 * them, and cut anywhere.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_FRAGMENT_H
#define APMTOOL_PARSERS_INPUT_REPAIR_FRAGMENT_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Write the members as an object, which ends where the text has no more of
 * them. Of what the end of the text cuts only a string is closed: the reader
 * sees that the rest is missing.
 *
 * @param ret_count  Members.
 * @param ret_below  Lines that follow them.
 * @return False: @p in does not begin with a member of a report.
 */
bool fragment_wrap(struct text in, struct str *out, size_t *ret_count,
                   size_t *ret_below);

#endif

// SPDX-License-Identifier: MIT
/**
 * Skips lines of JSON that end and begin in the usual ways: they are not
 * broken.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_JSON_LINES_H
#define APMTOOL_PARSERS_INPUT_REPAIR_JSON_LINES_H

#include "lib/base/text.h"

/** @p in from the first line whose successor begins in an unusual way. */
struct text json_lines_pass(struct text in);

#endif

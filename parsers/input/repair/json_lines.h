// SPDX-License-Identifier: MIT
/**
 * Lines of JSON that end and begin as most do: there are many, and none of them
 * shows that it was broken.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_JSON_LINES_H
#define APMTOOL_PARSERS_INPUT_REPAIR_JSON_LINES_H

#include "lib/base/text.h"

/** From the first line of @p in on that the next does not usually follow. */
struct text json_lines_pass(struct text in);

#endif

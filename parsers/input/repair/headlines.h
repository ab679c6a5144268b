// SPDX-License-Identifier: MIT
/**
 * Headlines of failures among lines that a repair leaves out: they are never
 * left out themselves (lib/darwin/headline.h).
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_HEADLINES_H
#define APMTOOL_PARSERS_INPUT_REPAIR_HEADLINES_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stddef.h>

/** Append the headlines among the lines of @p in; how many there are. */
size_t headlines_add(struct text in, struct str *out);

#endif

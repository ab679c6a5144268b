// SPDX-License-Identifier: MIT
/**
 * Keeps headlines of failures (lib/darwin/headline.h) in the lines that a
 * repair removes.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_HEADLINES_H
#define APMTOOL_PARSERS_INPUT_REPAIR_HEADLINES_H

#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stddef.h>

/** Append the headlines in the lines of @p in; returns their number. */
size_t headlines_add(struct text in, struct str *out);

#endif

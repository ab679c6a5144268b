// SPDX-License-Identifier: MIT
/**
 * Placeholders that systems write into a header for unknown values: `???`, `???
 * (???)`, `??? ??? (Build ???)`.
 */
#ifndef APMTOOL_PARSERS_INPUT_PLACEHOLDER_H
#define APMTOOL_PARSERS_INPUT_PLACEHOLDER_H

#include "lib/model/report.h"

/**
 * Set such values to NULL, in @p report and those after it. The lines of a text
 * report are not changed.
 */
void placeholder_drop(struct report *report);

#endif

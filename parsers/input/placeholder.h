// SPDX-License-Identifier: MIT
/**
 * What systems write into a header where they do not know a value: `???`,
 * `??? (???)`, `??? ??? (Build ???)`. A report says nothing there, and whoever
 * prints its facts must not show them.
 */
#ifndef APMTOOL_PARSERS_INPUT_PLACEHOLDER_H
#define APMTOOL_PARSERS_INPUT_PLACEHOLDER_H

#include "lib/model/report.h"

/**
 * Such values become NULL, in @p report and those after it. The lines of a
 * text report stay as they are.
 */
void placeholder_drop(struct report *report);

#endif

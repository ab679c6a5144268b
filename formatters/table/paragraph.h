// SPDX-License-Identifier: MIT
/**
 * Sentences in text output: of a table, a page, a call tree.
 */
#ifndef APMTOOL_FORMATTERS_TABLE_PARAGRAPH_H
#define APMTOOL_FORMATTERS_TABLE_PARAGRAPH_H

#include "lib/base/out.h"
#include "lib/model/format_options.h"

/**
 * Write @p text, made visible, but no newline. Where a line has less room, it
 * is wrapped between words; lines after the first are indented by 4 more
 * blanks than it begins with.
 */
void paragraph_write(const char *text, const struct format_options *options,
                     struct out *out);

#endif

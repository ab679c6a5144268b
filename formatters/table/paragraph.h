// SPDX-License-Identifier: MIT
/** Sentences in text output of tables, pages and call trees. */
#ifndef APMTOOL_FORMATTERS_TABLE_PARAGRAPH_H
#define APMTOOL_FORMATTERS_TABLE_PARAGRAPH_H

#include "lib/base/out.h"
#include "lib/model/format_options.h"

/**
 * Write @p text, made visible, without a newline. It is wrapped at the line
 * width; the next lines are indented by 4 more blanks than the first.
 */
void paragraph_write(const char *text, const struct format_options *options,
                     struct out *out);

#endif

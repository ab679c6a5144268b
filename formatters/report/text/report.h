// SPDX-License-Identifier: MIT
/**
 * A report in Apple's text format. The lines of a text report are reproduced;
 * others are laid out.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_TEXT_REPORT_H
#define APMTOOL_FORMATTERS_REPORT_TEXT_REPORT_H

#include "lib/base/out.h"
#include "lib/model/format_options.h"
#include "lib/model/report.h"

void text_report(const struct report *report,
                 const struct format_options *options, struct out *out);

#endif

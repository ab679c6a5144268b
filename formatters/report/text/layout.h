// SPDX-License-Identifier: MIT
/**
 * A report without lines of its own, laid out as Apple's systems translate
 * theirs (formats.md 3.4).
 *
 * There are two headers: Report Version 104 (iOS and its kin, simulators too)
 * and 12 (macOS). Threads and images follow the system that wrote the report:
 * a simulator's report has the header of iOS and the body of macOS.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_TEXT_LAYOUT_H
#define APMTOOL_FORMATTERS_REPORT_TEXT_LAYOUT_H

#include "lib/base/out.h"
#include "lib/model/format_options.h"
#include "lib/model/report.h"

/** The header and the exception alone: which process, and what ended it. */
void crash_text_facts(const struct report *report, struct out *out);

/** The whole report. */
void crash_text_layout(const struct report *report, enum text_style style,
                       struct out *out);

#endif

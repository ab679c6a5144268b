// SPDX-License-Identifier: MIT
/**
 * Layout of a report that was not text, as Apple's systems translate theirs
 * (apmtool-formats(5)).
 *
 * There are two headers: Report Version 104 (iOS and its relatives, also
 * simulators) and 12 (macOS). Threads and images follow the system that wrote
 * the report: a simulator's report has the header of iOS and the body of macOS.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_TEXT_LAYOUT_H
#define APMTOOL_FORMATTERS_REPORT_TEXT_LAYOUT_H

#include "lib/base/out.h"
#include "lib/model/format_options.h"
#include "lib/model/report.h"

/** Only the header and the exception: the process, and why it ended. */
void crash_text_facts(const struct report *report, struct out *out);

/** The whole report. */
void crash_text_layout(const struct report *report, enum text_style style,
                       struct out *out);

#endif

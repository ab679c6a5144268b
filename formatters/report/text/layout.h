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

#include "formatters/formatter.h"
#include "lib/base/out.h"
#include "lib/model/report.h"

#include <stdbool.h>

void crash_text_layout(const struct report *report, enum text_style style,
                       struct out *out);

/** The same for a report of another kind, where the model says which. */
void crash_text_other(const struct report *report, enum text_style style,
                      struct out *out);

/** The header, from the first line to the one before `Crashed Thread`. */
void crash_text_header(const struct report *report, bool macos,
                       struct out *out);

/** A header line in the columns of iOS. */
void crash_text_fact(const char *label, const char *value, struct out *out);

/** All threads, and the registers of the one that crashed. */
void crash_text_threads(const struct report *report, bool macos,
                        enum text_style style, struct out *out);

/** All sampled trees, the one that is blamed first. */
void crash_text_trees(const struct report *report, enum text_style style,
                      struct out *out);

/** The field of that label; NULL if there is none. */
const char *crash_text_field(const struct report *report, const char *label);

/** Fields that stand below the registers of x86, not in the header. */
#define CRASH_TEXT_TRAP_LABELS "Logical CPU", "Error Code", "Trap Number"

/** `Thread N crashed with …` and its registers; nothing where there is none. */
void crash_text_state(const struct report *report,
                      const struct report_thread *thread, struct out *out);

/** The section `Binary Images`. */
void crash_text_images(const struct report *report, bool macos,
                       struct out *out);

/** Text of several lines, each made safe to show, with an LF at its end. */
void crash_text_block(const char *text, struct out *out);

#endif

// SPDX-License-Identifier: MIT
/**
 * The parts of a report in Apple's text format, in the order they are printed.
 * @c macos chooses the layout of macOS, see layout.h.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_TEXT_PARTS_H
#define APMTOOL_FORMATTERS_REPORT_TEXT_PARTS_H

#include "lib/base/out.h"
#include "lib/darwin/registers.h"
#include "lib/model/format_options.h"
#include "lib/model/report.h"

#include <stdbool.h>

/** A report of another kind, where the model says which: all of it. */
void crash_text_other(const struct report *report, enum text_style style,
                      struct out *out);

/** Its lines about the process and the system. */
void crash_text_other_facts(const struct report *report, struct out *out);

/** The header, from the first line to the one before `Crashed Thread`. */
void crash_text_header(const struct report *report, bool macos,
                       struct out *out);

/** What ended the process, and which thread it was. */
void crash_text_exception(const struct report *report, bool macos,
                          struct out *out);

/** A header line in the columns of iOS. */
void crash_text_fact(const char *label, const char *value, struct out *out);

/** The backtraces of exceptions and of the app, ahead of the threads. */
void crash_text_backtraces(const struct report *report, enum text_style style,
                           struct out *out);

/** All threads, and the registers of the one that crashed. */
void crash_text_threads(const struct report *report, bool macos,
                        enum text_style style, struct out *out);

/** All sampled trees, the one that is blamed first. */
void crash_text_trees(const struct report *report, enum text_style style,
                      struct out *out);

/** Fields that are below the registers of x86, not in the header. */
#define CRASH_TEXT_TRAP_LABELS \
	DARWIN_LOGICAL_CPU, DARWIN_ERROR_CODE, DARWIN_TRAP_NUMBER

/** `Thread N crashed with …` and its registers; nothing where there is none. */
void crash_text_state(const struct report *report,
                      const struct report_thread *thread, struct out *out);

/** Digits of a register's value; @p narrow: of a processor of 32 bits. */
unsigned crash_text_digits(const char *name, bool narrow);

/** The section `Binary Images`. */
void crash_text_images(const struct report *report, bool macos,
                       struct out *out);

/** The section `Application Specific Information`, and what was thrown. */
void crash_text_app_information(const struct report *report, struct out *out);

/** Where a section is; those of one place keep the report's order. */
enum section_place {
	SECTION_ELSEWHERE, ///< printed by the code for that part
	SECTION_BEFORE_THREADS,
	SECTION_AFTER_STATE,
	SECTION_AFTER_IMAGES,
	SECTION_LAST,
	SECTION_EXTRA,
};

/** The sections of one place. */
void crash_text_sections(const struct report *report, enum section_place place,
                         bool macos, struct out *out);

/** What KSCrash's own text has after `EOF`: a part for each section. */
void crash_text_extra(const struct report *report, struct out *out);

/** Text of several lines, each made safe to show, with an LF at its end. */
void crash_text_block(const char *text, struct out *out);

#endif

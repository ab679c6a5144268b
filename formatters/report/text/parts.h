// SPDX-License-Identifier: MIT
/**
 * The parts of a report in Apple's text format, in the order they are printed.
 * @c macos selects the layout of macOS, see layout.h.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_TEXT_PARTS_H
#define APMTOOL_FORMATTERS_REPORT_TEXT_PARTS_H

#include "lib/base/out.h"
#include "lib/darwin/registers.h"
#include "lib/model/format_options.h"
#include "lib/model/report.h"

#include <stdbool.h>

/** A whole report of another kind, for kinds that the model knows. */
void crash_text_other(const struct report *report, enum text_style style,
                      struct out *out);

/** Its lines about process and system. */
void crash_text_other_facts(const struct report *report, struct out *out);

/** The header, from the first line to the one before `Crashed Thread`. */
void crash_text_header(const struct report *report, bool macos,
                       struct out *out);

/** Why the process ended, and which thread crashed. */
void crash_text_exception(const struct report *report, bool macos,
                          struct out *out);

/** A header line in the columns of iOS. */
void crash_text_fact(const char *label, const char *value, struct out *out);

/** The backtraces of exceptions and of the app, before the threads. */
void crash_text_backtraces(const struct report *report, enum text_style style,
                           struct out *out);

/** All threads, and the registers of the crashed one. */
void crash_text_threads(const struct report *report, bool macos,
                        enum text_style style, struct out *out);

/** All sampled trees, the attributed one first. */
void crash_text_trees(const struct report *report, enum text_style style,
                      struct out *out);

/** Fields printed below the registers of x86, not in the header. */
#define CRASH_TEXT_TRAP_LABELS \
	DARWIN_LOGICAL_CPU, DARWIN_ERROR_CODE, DARWIN_TRAP_NUMBER

/** `Thread N crashed with …` and its registers; nothing without registers. */
void crash_text_state(const struct report *report,
                      const struct report_thread *thread, struct out *out);

/**
 * Digits of a register's value.
 *
 * @param narrow  The processor has 32 bits.
 */
unsigned crash_text_digits(const char *name, bool narrow);

/** The section `Binary Images`. */
void crash_text_images(const struct report *report, bool macos,
                       struct out *out);

/**
 * The section `Application Specific Information`, and the exception's message.
 */
void crash_text_app_information(const struct report *report, struct out *out);

/** Place of a section; sections of one place keep the report's order. */
enum section_place {
	SECTION_ELSEWHERE, ///< printed by the code of another part
	SECTION_BEFORE_THREADS,
	SECTION_AFTER_STATE,
	SECTION_AFTER_IMAGES,
	SECTION_LAST,
	SECTION_EXTRA,
};

/** The sections of one place. */
void crash_text_sections(const struct report *report, enum section_place place,
                         bool macos, struct out *out);

/** Text that KSCrash prints after `EOF`: a part for each section. */
void crash_text_extra(const struct report *report, struct out *out);

/** Text of several lines, each made visible, with an LF at its end. */
void crash_text_block(const char *text, struct out *out);

#endif

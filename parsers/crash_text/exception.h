// SPDX-License-Identifier: MIT
/**
 * The exception block of Apple's text format: exception, termination, and what
 * was thrown (formats.md 2.2, 2.3).
 */
#ifndef APMTOOL_PARSERS_CRASH_TEXT_EXCEPTION_H
#define APMTOOL_PARSERS_CRASH_TEXT_EXCEPTION_H

#include "parsers/crash_text/reader.h"

// Each takes the value of the label that it is named after.
void crash_text_exception_type(struct crash_text_reader *reader,
                               struct text value);
void crash_text_exception_codes(struct crash_text_reader *reader,
                                struct text value);
void crash_text_termination(struct crash_text_reader *reader,
                            struct text value);
void crash_text_termination_description(struct crash_text_reader *reader,
                                        struct text value);

/** A line below the termination reason. */
void crash_text_termination_reason(struct crash_text_reader *reader,
                                   struct text line);

/**
 * The exception that a line or block of text reports: `*** Terminating app
 * due to uncaught exception …`, `terminating with uncaught exception of type
 * …`. The first one stays.
 */
void crash_text_thrown(struct crash_text_reader *reader, struct text text);

/**
 * React Native's exceptions carry a JavaScript stack in their reason: it
 * becomes a thread, `JavaScript`, after all others.
 */
void crash_text_add_javascript(struct crash_text_reader *reader);

#endif

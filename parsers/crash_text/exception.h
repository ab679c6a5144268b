// SPDX-License-Identifier: MIT
/**
 * The exception block of Apple's text format: exception, termination, and the
 * exception that was thrown (apmtool-formats(5)).
 */
#ifndef APMTOOL_PARSERS_CRASH_TEXT_EXCEPTION_H
#define APMTOOL_PARSERS_CRASH_TEXT_EXCEPTION_H

#include "parsers/crash_text/reader.h"

// Each function reads the value of the label in its name.
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
 * Read the exception from a line or a block: `*** Terminating app due to
 * uncaught exception …`, `terminating with uncaught exception of type …`. The
 * first exception wins.
 */
void crash_text_thrown(struct crash_text_reader *reader, struct text text);

/**
 * The reason of a React Native exception contains a JavaScript stack. It
 * becomes the last thread, named `JavaScript`.
 */
void crash_text_add_javascript(struct crash_text_reader *reader);

#endif

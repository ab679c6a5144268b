// SPDX-License-Identifier: MIT
/**
 * Threads and backtraces of Apple's text format (apmtool-formats(5)).
 */
#ifndef APMTOOL_PARSERS_CRASH_TEXT_STACKS_H
#define APMTOOL_PARSERS_CRASH_TEXT_STACKS_H

#include "parsers/crash_text/reader.h"

/**
 * A line that begins a backtrace or registers: all spellings of thread headers
 * and names, `Last Exception Backtrace:`, `Application Specific Backtrace N:`,
 * `*** First throw call stack:`.
 */
bool crash_text_stack_label(struct crash_text_reader *reader, struct text line);

/** A line of a backtrace: a frame, or bare addresses. */
bool crash_text_stack_line(struct crash_text_reader *reader, struct text line);

/** The number of a line `Thread 3:`, `Thread 3 name:` and the like. */
bool crash_text_thread_number(struct text line, uint64_t *ret);

/** Begin a thread without a header, whose first frames may be missing. */
void crash_text_begin_headless(struct crash_text_reader *reader,
                               uint64_t number);

/**
 * Begin a backtrace. With NULL, its frames stay text. A backtrace over the
 * limit loses its middle.
 */
void crash_text_begin_stack(struct crash_text_reader *reader,
                            struct report_stack *stack);

#endif

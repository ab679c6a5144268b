// SPDX-License-Identifier: MIT
/**
 * Threads and backtraces of Apple's text format (formats.md 2.4 to 2.8).
 */
#ifndef APMTOOL_PARSERS_CRASH_TEXT_STACKS_H
#define APMTOOL_PARSERS_CRASH_TEXT_STACKS_H

#include "parsers/crash_text/reader.h"

/**
 * A line that begins a backtrace or registers: thread headers and
 * names in all spellings, `Last Exception Backtrace:`, `Application Specific
 * Backtrace N:`, `*** First throw call stack:`.
 */
bool crash_text_stack_label(struct crash_text_reader *reader, struct text line);

/** A line in a backtrace: a frame, or bare addresses. */
bool crash_text_stack_line(struct crash_text_reader *reader, struct text line);

/** The number of a line `Thread 3:`, `Thread 3 name:` and the like. */
bool crash_text_thread_number(struct text line, uint64_t *ret);

/**
 * A thread without a header begins, with frames whose first ones may be
 * missing.
 */
void crash_text_begin_headless(struct crash_text_reader *reader,
                               uint64_t number);

/**
 * A backtrace begins; NULL: its frames stay text. One that exceeds the limit
 * will lose its middle.
 */
void crash_text_begin_stack(struct crash_text_reader *reader,
                            struct report_stack *stack);

#endif

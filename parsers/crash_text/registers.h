// SPDX-License-Identifier: MIT
/**
 * Register states of Apple's text format (formats.md 2.7).
 */
#ifndef APMTOOL_PARSERS_CRASH_TEXT_REGISTERS_H
#define APMTOOL_PARSERS_CRASH_TEXT_REGISTERS_H

#include "parsers/crash_text/reader.h"

/**
 * `… crashed with ARM Thread State (64-bit):`; @p flavor is what follows
 * `with`. The state is the crashed thread's where no number is said.
 */
void crash_text_begin_registers(struct crash_text_reader *reader,
                                uint64_t number, bool has_number,
                                struct text flavor);

/** A line of registers. */
bool crash_text_register_line(struct crash_text_reader *reader,
                              struct text line);

#endif

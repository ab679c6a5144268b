// SPDX-License-Identifier: MIT
/**
 * Register states of Apple's text format (apmtool-formats(5)).
 */
#ifndef APMTOOL_PARSERS_CRASH_TEXT_REGISTERS_H
#define APMTOOL_PARSERS_CRASH_TEXT_REGISTERS_H

#include "parsers/crash_text/reader.h"

/**
 * `… crashed with ARM Thread State (64-bit):`; @p flavor is the text after
 * `with`. Without a number, it is the state of the crashed thread.
 */
void crash_text_begin_registers(struct crash_text_reader *reader,
                                uint64_t number, bool has_number,
                                struct text flavor);

/** A line of registers. */
bool crash_text_register_line(struct crash_text_reader *reader,
                              struct text line);

#endif

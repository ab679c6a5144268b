// SPDX-License-Identifier: MIT
/**
 * The labelled lines of Apple's text format: header fields, and sections of
 * diagnostic text (apmtool-formats(5)).
 */
#ifndef APMTOOL_PARSERS_CRASH_TEXT_HEADER_H
#define APMTOOL_PARSERS_CRASH_TEXT_HEADER_H

#include "parsers/crash_text/reader.h"

/**
 * Read a `Label: value` line: a field of the report, or the start of a section.
 * Unknown labels become fields only in the header, outside blocks of text.
 */
bool crash_text_label(struct crash_text_reader *reader, struct text line);

/** A line of the current section or termination text. */
bool crash_text_block_line(struct crash_text_reader *reader, struct text line);

#endif

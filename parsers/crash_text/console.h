// SPDX-License-Identifier: MIT
/**
 * Texts of a console: a headline (lib/darwin/headline.h) with or without
 * frames below it, and lines of a log around them.
 *
 * The headline and what belongs to it become a section, `Headline`. What a log
 * put before a line (lib/darwin/log_prefix.h) stays in the line that is kept,
 * and names the process.
 */
#ifndef APMTOOL_PARSERS_CRASH_TEXT_CONSOLE_H
#define APMTOOL_PARSERS_CRASH_TEXT_CONSOLE_H

#include "parsers/crash_text/reader.h"

/**
 * A headline, a line that belongs to one, or a line of frames that only
 * consoles write; false: another's line. Does nothing within a whole report.
 */
bool crash_text_console_line(struct crash_text_reader *reader,
                             struct text line);

/**
 * Is the first line of @p in, or the last, `Fatal error: …`, alone? Prose has
 * it elsewhere.
 */
bool crash_text_is_bare_fatal(struct text in);

/**
 * Has @p in a headline behind other words, as its one line, or as a value of
 * JSON without its braces? A longer text has it as a headline.
 */
bool crash_text_has_inner_headline(struct text in);

/** The reason of an exception has an empty line: it goes on. */
bool crash_text_console_blank(struct crash_text_reader *reader);

/**
 * Of a console's text, or of an excerpt, that names no process: frames of no
 * image of the system are the app's.
 */
void crash_text_console_finish(struct crash_text_reader *reader);

#endif

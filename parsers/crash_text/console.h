// SPDX-License-Identifier: MIT
/**
 * Console output: a headline (lib/darwin/headline.h), perhaps with frames below
 * it, and other log lines around both.
 *
 * The headline and the lines that belong to it become a section, `Headline`.
 * The log prefix of a line (lib/darwin/log_prefix.h) stays in the line and
 * names the process.
 */
#ifndef APMTOOL_PARSERS_CRASH_TEXT_CONSOLE_H
#define APMTOOL_PARSERS_CRASH_TEXT_CONSOLE_H

#include "parsers/crash_text/reader.h"

/**
 * Read a headline, a line that belongs to one, or a frame line that only
 * consoles write. Returns false for any other line, and for all lines of a
 * whole report.
 */
bool crash_text_console_line(struct crash_text_reader *reader,
                             struct text line);

/**
 * Is the first or the last line of @p in a lone `Fatal error: …`? Prose
 * contains these words in other places.
 */
bool crash_text_is_bare_fatal(struct text in);

/**
 * Does @p in have a headline after other words on its only line, or as a JSON
 * value without braces? Longer texts have it at the start of a line.
 */
bool crash_text_has_inner_headline(struct text in);

/** An empty line inside the reason of an exception: the reason continues. */
bool crash_text_console_blank(struct crash_text_reader *reader);

/**
 * Finish a console's text or an excerpt that names no process: frames outside
 * the system's images belong to the app.
 */
void crash_text_console_finish(struct crash_text_reader *reader);

#endif

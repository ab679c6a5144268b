// SPDX-License-Identifier: MIT
/**
 * The terminal, as far as commands need it: its width and colors, and what a
 * run has to say (cmd/run/notices.h), printed on stderr. With --redact all of
 * it is redacted; control characters are visible, and no line is a command to a
 * CI runner.
 */
#ifndef APMTOOL_CMD_CONSOLE_H
#define APMTOOL_CMD_CONSOLE_H

#include "cmd/run/notices.h"
#include "formatters/formatter.h"
#include "lib/cli/command.h"
#include "lib/config/config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** Prints each notice as `apmtool: …`, and how far the run is. */
extern const struct notices console;

/**
 * From here on, keep what is no failure until console_end(), where results and
 * notices go to the same terminal: the result comes first, and is not broken.
 */
void console_keep_for_end(void);

/** The same wherever results and notices go. */
void console_keep(void);

/**
 * From here on, what was kept and all notices are appended to @p log; NULL:
 * they are dropped.
 */
void console_use_log(FILE *log);

/** Print what was kept. */
void console_end(void);

/** Columns of the terminal, for help; 80 where there is none. */
size_t console_width(void);

/**
 * What a command is to know of this process: its terminals and environment.
 *
 * @param places  Filled in, and borrowed by @p line.
 */
void console_describe(struct command_line *line, struct config_places *places);

/** Choices of a `--color` option, in the order of enum console_color. */
#define CONSOLE_COLORS "auto|always|never"
enum console_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/**
 * Set whether output is for a terminal, and coloured: by the option, else by
 * where it goes. NO_COLOR takes the colors and leaves the bars.
 *
 * @param output  The file it goes to; NULL: standard output.
 * @return EXIT_USAGE, after a message, where @p format has no colors to use.
 */
enum exit_status console_colors(unsigned color, const char *format,
                                const char *output, struct format_options *ret);

#endif

// SPDX-License-Identifier: MIT
/**
 * The terminal: its width and colors, and notices of a run (cmd/run/notices.h),
 * printed on stderr. They are redacted with --redact, control characters are
 * made visible, and no line can be a command to a CI runner.
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

/** Prints notices as `apmtool: …`, and the progress of a run. */
extern const struct notices console;

/**
 * If results and notices go to the same terminal, keep warnings until
 * console_end(), so they follow the result.
 */
void console_keep_for_end(void);

/** As console_keep_for_end(), even if they do not share a terminal. */
void console_keep(void);

/** Append kept and further notices to @p log; NULL: drop them. */
void console_use_log(FILE *log);

/** Print kept notices. */
void console_end(void);

/** Columns of the terminal, for help; 80 without one. */
size_t console_width(void);

/**
 * Fill in this process's terminals and environment for a command.
 *
 * @param places  Filled in, and borrowed by @p line.
 */
void console_describe(struct command_line *line, struct config_places *places);

/** Choices of a `--color` option, in the order of enum console_color. */
#define CONSOLE_COLORS "auto|always|never"
enum console_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/**
 * Set whether output is for a terminal, and whether it is coloured: by the
 * option, else by the output. NO_COLOR turns colors off, but not bars.
 *
 * @param output  The output file; NULL: standard output.
 * @return EXIT_USAGE, after a message, if @p format has no colors.
 */
enum exit_status console_colors(unsigned color, const char *format,
                                const char *output, struct format_options *ret);

#endif

// SPDX-License-Identifier: MIT
/**
 * The output of a run. It must not take the place of what the run reads:
 * besides the reports (inputs.h), that is every file that an option or the
 * config names, what standard input comes from, and whatever holds symbols or
 * describes a bundle of them, wherever it was found.
 */
#ifndef APMTOOL_CMD_RUN_OUTPUT_H
#define APMTOOL_CMD_RUN_OUTPUT_H

#include "cmd/run/notices.h"
#include "lib/base/out.h"
#include "lib/base/str.h"
#include "lib/cli/command.h"

/**
 * Check the value of `--output`, where the command has it and it was given.
 *
 * @return EXIT_DONE, or EXIT_USAGE after a message.
 */
enum exit_status output_check(const struct option *options,
                              const struct command_line *line);

/** As out_open(); EXIT_ENVIRONMENT after a message where that fails. */
enum exit_status output_open(const struct notices *notices, const char *path,
                             struct out **ret);

/**
 * Close @p out and give @p status back; where the output could not be
 * written, say so and give EXIT_ENVIRONMENT.
 */
enum exit_status output_finish(const struct notices *notices, struct out *out,
                               enum exit_status status);

/** Print @p text on standard output; EXIT_DONE or EXIT_ENVIRONMENT. */
enum exit_status output_print(const struct notices *notices,
                              const struct str *text);

#endif

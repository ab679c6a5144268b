// SPDX-License-Identifier: MIT
/**
 * The output of a run. It must not replace a file that the run reads: a report
 * (inputs.h), a file named by an option or the config, the file redirected to
 * standard input, and files that contain symbols or describe a bundle of them.
 */
#ifndef APMTOOL_CMD_RUN_OUTPUT_H
#define APMTOOL_CMD_RUN_OUTPUT_H

#include "cmd/run/notices.h"
#include "lib/base/out.h"
#include "lib/base/str.h"
#include "lib/cli/command.h"

/**
 * Check the values of `--output` and `--log`, if the command has them and they
 * were given.
 *
 * @return EXIT_DONE, or EXIT_USAGE after a message.
 */
enum exit_status output_check(const struct option *options,
                              const struct command_line *line);

/** As out_open(); EXIT_ENVIRONMENT after a message. */
enum exit_status output_open(const struct notices *notices, const char *path,
                             struct out **ret);

/**
 * Close @p out and return @p status; after a failure to write, report it and
 * return EXIT_ENVIRONMENT.
 */
enum exit_status output_finish(const struct notices *notices, struct out *out,
                               enum exit_status status);

/** Print @p text on standard output; EXIT_DONE or EXIT_ENVIRONMENT. */
enum exit_status output_print(const struct notices *notices,
                              const struct str *text);

#endif

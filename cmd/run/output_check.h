/**
 * An output must not take the place of what the run reads: besides the reports
 * (inputs.h), that is every file that an option or the config names, what
 * standard input comes from, and whatever holds symbols or describes a bundle
 * of them, wherever it was found.
 */
#ifndef APMTOOL_CMD_RUN_OUTPUT_CHECK_H
#define APMTOOL_CMD_RUN_OUTPUT_CHECK_H

#include "lib/cli/command.h"

/**
 * Check the value of `--output`, where the command has it and it was given.
 *
 * @return EXIT_DONE, or EXIT_USAGE after a message.
 */
enum exit_status output_check(const struct option *options,
                              const struct command_line *line);

#endif

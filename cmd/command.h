// SPDX-License-Identifier: MIT
/**
 * Subcommands: one file and one constant entry each (lib/cli/command.h), listed
 * in commands.def. `run` reads like the manual page: open, parse, analyse,
 * format. Shared code is in cmd/run.
 */
#ifndef APMTOOL_CMD_COMMAND_H
#define APMTOOL_CMD_COMMAND_H

#include "lib/cli/command.h"

#define COMMAND(name) extern const struct command name##_command;
#include "cmd/commands.def"
#undef COMMAND

/** All commands in the order of `--help`; ends with NULL. */
extern const struct command *const commands[];

#endif

// SPDX-License-Identifier: MIT
/**
 * Completion scripts, generated from the table of commands and their options.
 *
 * Functions that describe what to complete, for the writers of scripts.
 */
#ifndef APMTOOL_LIB_CLI_COMPLETION_COMPLETION_H
#define APMTOOL_LIB_CLI_COMPLETION_COMPLETION_H

#include "lib/base/str.h"
#include "lib/cli/command.h"

enum completion_kind {
	COMPLETE_NOTHING,  ///< a free value
	COMPLETE_FILES,    ///< paths
	COMPLETE_WORDS,    ///< one of the alternatives
	COMPLETE_COMMANDS, ///< names of commands
	COMPLETE_LIMITS, ///< `threads=`, …: its value follows without a blank
};

/** Kind of an option's value; COMPLETE_NOTHING for flags. */
enum completion_kind completion_of_value(const struct option *option);

/** Kind of a command's operands. */
enum completion_kind completion_of_operands(const struct command *command);

/** Append the possible operands of a command, `report|reports`. */
void completion_add_operands(struct str *out, const struct command *command);

/** Append `text|json` as `text json`. */
void completion_add_words(struct str *out, const char *alternatives);

/** Append the possible values of an option: `text json`, `threads= …`. */
void completion_add_values(struct str *out, const struct option *option);

/** Append the names of all commands, separated by blanks. */
void completion_add_names(struct str *out,
                          const struct command *const *commands);

// The scripts; a file for each shell.
void completion_add_bash(struct str *out,
                         const struct command *const *commands);
void completion_add_zsh(struct str *out, const struct command *const *commands);
void completion_add_fish(struct str *out,
                         const struct command *const *commands);

#endif

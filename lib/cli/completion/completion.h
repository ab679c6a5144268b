// SPDX-License-Identifier: MIT
/**
 * Completion scripts, made from the table of commands and their options: what
 * is added there is completed from then on.
 *
 * The writer of a script asks here what there is to complete.
 */
#ifndef APMTOOL_LIB_CLI_COMPLETION_COMPLETION_H
#define APMTOOL_LIB_CLI_COMPLETION_COMPLETION_H

#include "lib/base/str.h"
#include "lib/cli/command.h"

enum completion_kind {
	COMPLETE_NOTHING,  ///< a value that nobody can guess
	COMPLETE_FILES,    ///< paths
	COMPLETE_WORDS,    ///< one of the alternatives
	COMPLETE_COMMANDS, ///< names of commands
	COMPLETE_LIMITS,   ///< `threads=`, …: more follows at once
};

/** What follows an option; COMPLETE_NOTHING for flags as well. */
enum completion_kind completion_of_value(const struct option *option);

/** What the operands of a command are. */
enum completion_kind completion_of_operands(const struct command *command);

/** Append what the operands of a command may be, `report|reports`. */
void completion_add_operands(struct str *out, const struct command *command);

/** Append `text|json` as `text json`. */
void completion_add_words(struct str *out, const char *alternatives);

/** Append the words that may follow an option: `text json`, `threads= …`. */
void completion_add_values(struct str *out, const struct option *option);

/** Append the names of all commands, separated by blanks. */
void completion_add_names(struct str *out,
                          const struct command *const *commands);

// The scripts; each shell has a file of its own.
void completion_add_bash(struct str *out,
                         const struct command *const *commands);
void completion_add_zsh(struct str *out, const struct command *const *commands);
void completion_add_fish(struct str *out,
                         const struct command *const *commands);

#endif

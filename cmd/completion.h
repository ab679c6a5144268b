/**
 * Completion scripts, made from the table of commands and their options: what
 * is added there is completed from then on.
 *
 * Each shell's script is a writer of its own; what there is to complete, they
 * ask here.
 */
#ifndef APMTOOL_CMD_COMPLETION_H
#define APMTOOL_CMD_COMPLETION_H

#include "cmd/command.h"

enum completion_kind {
	COMPLETE_NOTHING,  ///< a value that nobody can guess
	COMPLETE_FILES,    ///< paths
	COMPLETE_WORDS,    ///< one of the alternatives
	COMPLETE_COMMANDS, ///< names of commands
};

/** What follows an option; COMPLETE_NOTHING for flags as well. */
enum completion_kind completion_of_value(const struct option *option);

/** What the operands of a command are. */
enum completion_kind completion_of_operands(const struct command *command);

/** Append `text|json` as `text json`. */
void completion_add_words(struct str *out, const char *alternatives);

/** Append the names of all commands, parted by blanks. */
void completion_add_commands(struct str *out);

/** The options of a command, which may have no table. */
const struct option *completion_options(const struct command *command);

// The scripts.
void completion_add_bash(struct str *out);
void completion_add_zsh(struct str *out);
void completion_add_fish(struct str *out);

#endif

// SPDX-License-Identifier: MIT
/**
 * The inputs of a command, from its operands: files, files of directories, and
 * standard input for `-` or without operands.
 */
#ifndef APMTOOL_CMD_RUN_INPUTS_H
#define APMTOOL_CMD_RUN_INPUTS_H

#include "lib/cli/command.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input {
	char *path;
	uint64_t size_bytes; ///< 0: unknown, as of a pipe
	bool from_directory; ///< found in a directory, not given by the user
};

struct inputs {
	struct input *items;
	size_t count;
	size_t cap;
	size_t failed; ///< missing operands; already reported
	bool is_short; ///< a directory could not be listed for lack of
	               ///< resources
	bool several;  ///< more than one operand, or a directory
};

/**
 * List the inputs in the order of the operands, files of a directory by name.
 *
 * @param output  The output file, which must not be an input; or NULL. If it is
 *                a directory below an input, its files are skipped, with a
 *                warning unless @p quiet.
 * @return EXIT_DONE, or EXIT_USAGE or EXIT_ENVIRONMENT after a message.
 */
enum exit_status inputs_gather(const struct command_line *line,
                               const char *output, bool quiet,
                               struct inputs *ret);

void inputs_release(struct inputs *inputs);

#endif

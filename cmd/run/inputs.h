// SPDX-License-Identifier: MIT
/**
 * The inputs of a command, from its operands: files as they are,
 * directories walked, standard input for `-` or where there is no operand.
 */
#ifndef APMTOOL_CMD_RUN_INPUTS_H
#define APMTOOL_CMD_RUN_INPUTS_H

#include "lib/cli/command.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input {
	char *path;
	uint64_t size_bytes; ///< 0 where there is none: a pipe
	bool from_directory; ///< not named by the user
};

struct inputs {
	struct input *items;
	size_t count;
	size_t cap;
	size_t failed; ///< operands that are not there; already reported
	bool is_short; ///< the system refused to list a directory for now
	bool several;  ///< more than one operand, or a directory
};

/**
 * Gather the inputs in the order of the operands; the files of a directory by
 * name.
 *
 * @param output  The output file, which must not be one of the inputs; may be
 *                NULL. If it is a directory below an input, what is in it is
 *                left out, with a warning unless @p quiet.
 * @return EXIT_DONE, or EXIT_USAGE or EXIT_ENVIRONMENT after a message.
 */
enum exit_status inputs_gather(const struct command_line *line,
                               const char *output, bool quiet,
                               struct inputs *ret);

void inputs_release(struct inputs *inputs);

#endif

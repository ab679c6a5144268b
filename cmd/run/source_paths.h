// SPDX-License-Identifier: MIT
/**
 * `--path-map`: replaces prefixes of source paths in all output of a run
 * (base/source_path.h). main() sets the rules before a command runs: those of
 * the option, then those of the config.
 */
#ifndef APMTOOL_CMD_RUN_SOURCE_PATHS_H
#define APMTOOL_CMD_RUN_SOURCE_PATHS_H

#include "lib/base/error.h"
#include "lib/cli/command.h"
#include "lib/cli/options.h"

/** Its option, for every command that prints source paths. */
#define OPT_PATH_MAP(type, member)                                      \
	OPT_LIST(0, "path-map", type, member, "<old=new>",              \
	         "print source paths that begin with <old> with <new> " \
	         "instead")

/** @param options  Of the command, which may not have the option. */
MUST_CHECK struct error *source_paths_begin(const struct option *options,
                                            const struct command_line *line);

void source_paths_end(void);

#endif

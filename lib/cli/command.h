// SPDX-License-Identifier: MIT
/**
 * Subcommands as constant data: help, "did you mean", completion scripts and
 * the manual check read these entries without running a command.
 *
 * Lists of commands end with NULL, in the order of `--help`.
 */
#ifndef APMTOOL_LIB_CLI_COMMAND_H
#define APMTOOL_LIB_CLI_COMMAND_H

#include "lib/base/error.h"
#include "lib/cli/options.h"

#include <stdbool.h>
#include <stddef.h>

/** Exit statuses; apmtool(1) lists them. */
enum exit_status {
	EXIT_DONE = 0,
	EXIT_ANSWER_NO = 1, ///< done, and the answer is "no"
	EXIT_USAGE = 2,
	EXIT_SOME_FAILED = 3, ///< some inputs failed, the others were printed
	EXIT_ALL_FAILED = 4,  ///< no input could be used
	EXIT_ENVIRONMENT = 5, ///< cannot write, no memory
	EXIT_BUG = 70,
};

struct config;
struct config_places;
struct notices;

/**
 * Input of `run`: operands, settings, and properties of the process. All zeros:
 * no terminal, no environment, and notices are dropped.
 */
struct command_line {
	const char *const *operands;
	size_t operand_count;
	const void *settings;
	const struct config *config; ///< defaults unless uses_config

	const struct notices *notices; ///< receiver of notices
	/** Places of config files, from the environment; NULL: unknown. */
	const struct config_places *places;
	size_t columns; ///< of the terminal on stdout; 0: no terminal
	bool is_typed;  ///< standard input is a terminal
};

/** Purpose of a command, in the order of `apmtool -h`. */
enum command_topic {
	COMMAND_CRASH,
	COMMAND_MEMORY,
	COMMAND_HANGS,
	COMMAND_SYMBOLS,
	COMMAND_TOOLS,
	COMMAND_TOPICS,
};

struct command {
	const char *name;
	enum command_topic topic;
	const char *summary; ///< one line, lower case, no full stop
	/**
	 * `[<report>...]`; NULL: no operands. Without the first `[`, at least
	 * one is required.
	 */
	const char *operands;
	/** Their possible values, for completion; NULL: see @c operands. */
	const struct option_names *operand_names;
	/** Paragraphs of `--help`, between usage and options; or NULL. */
	const char *description;
	const struct option *options;   ///< or NULL
	const struct example *examples; ///< ends with a NULL command
	const void *defaults;           ///< NULL: all zeros
	size_t settings_size;
	bool uses_config; ///< an invalid config file is an error
	/**
	 * Its output may be mixed with stderr: warnings are printed at the end.
	 */
	bool is_filter;
	/** After EXIT_USAGE the caller points to `--help`. */
	enum exit_status (*run)(const struct command_line *line);
};

/** The options of a command, which may have no table. */
const struct option *command_options(const struct command *command);

/** NULL for an unknown name. */
const struct command *command_find(const struct command *const *commands,
                                   const char *name);

/** An ERROR_USAGE for an unknown command, which names the nearest known one. */
struct error *command_unknown(const struct command *const *commands,
                              const char *name);

/** Append `apmtool NAME --help`. */
void command_describe(const struct command *command, size_t width,
                      struct str *out);
/**
 * Append `apmtool -h`, at most 24 lines of 80 columns: the commands by topic,
 * tools by name only.
 */
void command_list(const struct command *const *commands, size_t width,
                  struct str *out);
/** Append `apmtool --help`: all commands, common options, first steps. */
void command_describe_all(const struct command *const *commands, size_t width,
                          struct str *out);

#endif

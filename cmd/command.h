/**
 * Subcommands: one file each, one constant entry each.
 *
 * The table in main.c lists them; `--help`, `help`, "did you mean" and the
 * manual check walk it. `run` reads like the manual page: open, parse,
 * analyse, format.
 */
#ifndef APMTOOL_CMD_COMMAND_H
#define APMTOOL_CMD_COMMAND_H

#include "lib/base/error.h"
#include "lib/base/out.h"
#include "lib/cli/options.h"
#include "lib/config/config.h"

#include <stddef.h>

/** Exit statuses; apmtool(1) lists them. */
enum exit_status {
	EXIT_DONE = 0,
	EXIT_ANSWER_NO = 1, ///< done, and the answer is "no"
	EXIT_USAGE = 2,
	EXIT_SOME_FAILED = 3, ///< some inputs failed, the rest is printed
	EXIT_ALL_FAILED = 4,  ///< no input could be handled
	EXIT_ENVIRONMENT = 5, ///< cannot write, no memory
	EXIT_BUG = 70,
};

/** What `run` gets: operands after option parsing, and its settings. */
struct command_line {
	const char *const *operands;
	size_t operand_count;
	const void *settings;
	const struct config *config; ///< all defaults unless uses_config
};

struct formatter;
struct format_options;

struct command {
	const char *name;
	const char *summary; ///< one line, lower case, no full stop
	/**
	 * `[<report>...]`; NULL: takes none. Where it does not begin with `[`,
	 * at least one must be given.
	 */
	const char *operands;
	/** Paragraphs of `--help`, between usage and options; NULL: none. */
	const char *description;
	const struct option *options;   ///< NULL: none
	const struct example *examples; ///< ends with a NULL command
	const void *defaults;           ///< NULL: all zeros
	size_t settings_size;
	bool uses_config; ///< a config file that is wrong ends the run
	/** After EXIT_USAGE the caller points to `--help`. */
	enum exit_status (*run)(const struct command_line *line);
};

extern const struct command symbolicate_command;
extern const struct command convert_command;
extern const struct command atos_command;
extern const struct command uuid_command;
extern const struct command missing_command;
extern const struct command lag_aggregate_command;
extern const struct command fold_command;
extern const struct command flamegraph_command;
extern const struct command config_command;
extern const struct command completion_command;
extern const struct command jetsam_command;
extern const struct command exit_reason_command;
extern const struct command doctor_command;
extern const struct command schema_command;
extern const struct command help_command;
extern const struct command version_command;

/** All commands in the order of `--help`; ends with NULL. */
extern const struct command *const commands[];

/** NULL where there is no such command. */
const struct command *command_find(const char *name);

/** An ERROR_USAGE for a command that is not there, with the nearest one. */
struct error *command_unknown(const char *name);

/** Append `apmtool NAME --help`. */
void command_describe(const struct command *command, struct str *out);
/** Append `apmtool --help`. */
void command_describe_all(struct str *out);

/** Print `apmtool: …` on stderr, control characters made visible. */
void command_error(const struct error *err);
/** As command_error(), and free it; gives EXIT_USAGE back. */
enum exit_status command_refuse(struct error *err);
/** Print `apmtool: …` for a wrong command line; gives EXIT_USAGE back. */
enum exit_status command_usage(const char *format, ...) PRINTF_LIKE(1, 2);

/** Print `apmtool: warning: …` in the same way. */
void command_warn(const char *format, ...) PRINTF_LIKE(1, 2);

/** Choices of a `--color` option, in the order of enum command_color. */
#define COMMAND_COLORS "auto|always|never"
enum command_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/**
 * Set whether output is for a terminal, and coloured: by the option, else by
 * where it goes. NO_COLOR takes the colours and leaves the bars.
 *
 * @param output  The file it goes to; NULL: standard output.
 */
void command_colors(unsigned color, const char *output,
                    struct format_options *ret);

/** The formatter behind an OPT_CHOICE of formats. */
const struct formatter *command_formatter(const char *choices, unsigned index);

/** `5`, `2.5`, `15.72` or `5%`, up to 100; false for anything else. */
bool command_percent(const char *value, unsigned *ret_hundredths);

/** Where config files are looked for, by this process's environment. */
struct config_places command_config_places(void);

/** As out_open(); EXIT_ENVIRONMENT after a message where that fails. */
enum exit_status command_open_output(const char *path, struct out **ret);

/**
 * Close @p out and give @p status back; where the output could not be
 * written, say so and give EXIT_ENVIRONMENT.
 */
enum exit_status command_finish(struct out *out, enum exit_status status);

/** Print @p text on standard output; EXIT_DONE or EXIT_ENVIRONMENT. */
enum exit_status command_print(const struct str *text);

#endif

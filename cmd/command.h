/**
 * Subcommands: one file each, one constant entry each (lib/cli/command.h),
 * listed in commands.def. `run` reads like the manual page: open, parse,
 * analyse, format.
 *
 * Below are the messages and outputs that all of them share.
 */
#ifndef APMTOOL_CMD_COMMAND_H
#define APMTOOL_CMD_COMMAND_H

#include "formatters/formatter.h"
#include "lib/base/error.h"
#include "lib/base/out.h"
#include "lib/cli/command.h"
#include "lib/config/config.h"

#include <stddef.h>

#define COMMAND(name) extern const struct command name##_command;
#include "cmd/commands.def"
#undef COMMAND

/** All commands in the order of `--help`; ends with NULL. */
extern const struct command *const commands[];

/** Columns of the terminal, for help; 80 where there is none. */
size_t command_width(void);

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
 * where it goes. NO_COLOR takes the colors and leaves the bars.
 *
 * @param output  The file it goes to; NULL: standard output.
 */
void command_colors(unsigned color, const char *output,
                    struct format_options *ret);

/** For OPT_FORMAT: the formats of the table, by the shapes they show. */
extern const struct option_names command_formats;

/**
 * The option that chooses a format, `--format` or however it is called: one
 * of those that show all @p shapes_ (enum shape) the command makes. The
 * member gets the name of a formatter, @p default_ unless one is given.
 */
#define OPT_FORMAT(name_, type, member, shapes_, default_)                \
	{                                                                 \
		.kind = OPTION_NAME, .letter = 't', .name = (name_),      \
		.offset = offsetof(type, member), .has_offset = SIZE_MAX, \
		.value = "<format>", .help = "output format",             \
		.names = &command_formats, .set = (shapes_),              \
		.first = (default_)                                       \
	}

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

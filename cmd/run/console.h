/**
 * What commands share of the process around them: the terminal, messages,
 * colors, outputs, the environment, and the options that go with them.
 */
#ifndef APMTOOL_CMD_RUN_CONSOLE_H
#define APMTOOL_CMD_RUN_CONSOLE_H

#include "formatters/formatter.h"
#include "lib/base/error.h"
#include "lib/base/out.h"
#include "lib/cli/command.h"
#include "lib/config/config.h"
#include "lib/model/notice.h"

#include <stddef.h>

/** Columns of the terminal, for help; 80 where there is none. */
size_t console_width(void);

/** Narrower lines cannot be read. */
#define CONSOLE_COLUMNS_LEAST 40

/** What the user says of the length of lines; all zeros: nothing. */
struct console_width {
	unsigned columns;
	bool is_given;
};

/** The option that fills it, for tables and call trees in text. */
#define OPT_WIDTH(type, member)                                              \
	OPT_UINT_OR_ZERO(0, "width", type, member.columns, member.is_given,  \
	                 CONSOLE_COLUMNS_LEAST, UINT16_MAX, "<columns>",     \
	                 "fit text into <columns>, by default the width of " \
	                 "the terminal; 0 shows all")

/**
 * How long lines of text may be; 0: as long as they need.
 *
 * @param output  The file they go to; NULL: standard output. What is not for a
 *                terminal is read by programs, too, and not fitted unless that
 *                is asked for.
 */
size_t console_columns(const struct console_width *width, const char *output);

/** Print `apmtool: …` on stderr, control characters made visible. */
void console_error(const struct error *err);
/**
 * As console_error(), of what the command line names, and free it. EXIT_USAGE
 * where the command line is wrong, or names what cannot be opened; for what is
 * in a file, EXIT_ALL_FAILED; EXIT_ENVIRONMENT where the system was short of
 * something.
 */
enum exit_status console_refuse(struct error *err);
/** Print `apmtool: …` for a wrong command line; gives EXIT_USAGE back. */
enum exit_status console_usage(const char *format, ...) PRINTF_LIKE(1, 2);

/** As console_usage(), for a run that has nothing to print: EXIT_ALL_FAILED. */
enum exit_status console_fail(const char *format, ...) PRINTF_LIKE(1, 2);

/** Print `apmtool: warning: …` in the same way. */
void console_warn(const char *format, ...) PRINTF_LIKE(1, 2);
/**
 * Print each note, as `place: text`: a failure as an error, others as warnings.
 *
 * @param before  What precedes the place, with its blank: `App.ips: `; may be
 *                empty.
 * @param quiet   Only failures.
 * @return Is one a failure?
 */
bool console_notes(const char *before, const struct notice *notes, size_t count,
                   bool quiet);

/**
 * Print lines on stderr, visible already and each with its newline, in one
 * write. On a terminal they are wrapped between words.
 */
void console_explain(const struct str *lines);
/** The same, but not wrapped: a command is to be pasted. */
void console_write(const struct str *lines);

/** Choices of a `--color` option, in the order of enum console_color. */
#define CONSOLE_COLORS "auto|always|never"
enum console_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/**
 * Set whether output is for a terminal, and coloured: by the option, else by
 * where it goes. NO_COLOR takes the colors and leaves the bars.
 *
 * @param output  The file it goes to; NULL: standard output.
 * @return EXIT_USAGE, after a message, where @p format has no colors to use.
 */
enum exit_status console_colors(unsigned color, const char *format,
                                const char *output, struct format_options *ret);

/** For OPT_FORMAT: the formats of the table, by the shapes they show. */
extern const struct option_names console_formats;

/**
 * The option that chooses a format, `--format`, as `--to` too: one of those
 * that show all @p shapes_ (enum shape) the command makes. The member gets the
 * name of a formatter, @p default_ unless one is given.
 */
#define OPT_FORMAT(type, member, shapes_, default_)                   \
	{                                                             \
		.kind = OPTION_NAME, .letter = 't', .name = "format", \
		.also = "to", .offset = offsetof(type, member),       \
		.has_offset = SIZE_MAX, .value = "<format>",          \
		.help = "output format", .names = &console_formats,   \
		.set = (shapes_), .first = (default_)                 \
	}

/** `5`, `2.5`, `15.72` or `5%`, up to 100; false for anything else. */
bool console_percent(const char *value, unsigned *ret_hundredths);
/**
 * Read `--sessions`, two numbers above 0, `1200,900`: what an older and a newer
 * set cover. EXIT_USAGE after a message for anything else; NULL was not given.
 */
enum exit_status console_sessions(const char *value, uint64_t ret[2]);

/** Where config files are looked for, by this process's environment. */
struct config_places console_config_places(void);

/** As out_open(); EXIT_ENVIRONMENT after a message where that fails. */
enum exit_status console_open_output(const char *path, struct out **ret);

/**
 * Close @p out and give @p status back; where the output could not be
 * written, say so and give EXIT_ENVIRONMENT.
 */
enum exit_status console_finish(struct out *out, enum exit_status status);

/** Print @p text on standard output; EXIT_DONE or EXIT_ENVIRONMENT. */
enum exit_status console_print(const struct str *text);

#endif

/**
 * Command lines as tables.
 *
 * A command's options are constant data without pointers into variables, so
 * that parsing, `--help`, the manual check and (later) completions walk the
 * same table. Values land in a settings struct of the command.
 *
 * Syntax: POSIX utilities with GNU long options. `-ofile` and `-o file`,
 * `--opt=v` and `--opt v`, clustered flags, `--` ends options, operands may
 * stand before options, a lone `-` is an operand. Abbreviations of long
 * options are refused.
 */
#ifndef APMTOOL_LIB_CLI_OPTIONS_H
#define APMTOOL_LIB_CLI_OPTIONS_H

#include "lib/base/error.h"
#include "lib/base/str.h"

#include <stdbool.h>
#include <stddef.h>

enum option_kind {
	OPTION_END,
	OPTION_FLAG,   ///< bool
	OPTION_TEXT,   ///< const char *, borrowed from argv
	OPTION_LIST,   ///< struct option_list, may be given again and again
	OPTION_HEX,    ///< uint64_t, hex; sets has_offset's bool
	OPTION_UINT,   ///< unsigned, decimal
	OPTION_CHOICE, ///< unsigned: index into the choices
};

struct option_list {
	const char **items; ///< borrowed strings; the array is freed by
	size_t count;       ///< options_release()
	size_t cap;
};

struct option {
	enum option_kind kind;
	char letter;       ///< 0: none
	const char *name;  ///< long name without dashes; NULL: none
	size_t offset;     ///< into the settings struct
	size_t has_offset; ///< of a bool set when given; SIZE_MAX: none
	const char *value; ///< `<dir>`; for OPTION_CHOICE `text|json`
	const char *help;  ///< one line, lower case, no full stop
	/**
	 * The long name takes a single dash, as atos has it (`-arch`). Such
	 * options are matched whole before letters are tried.
	 */
	bool single_dash;
};

#define OPT_FLAG(l, n, type, member, help_)                               \
	{                                                                 \
		.kind = OPTION_FLAG, .letter = (l), .name = (n),          \
		.offset = offsetof(type, member), .has_offset = SIZE_MAX, \
		.help = (help_)                                           \
	}
#define OPT_VALUE(kind_, l, n, type, member, value_, help_)               \
	{                                                                 \
		.kind = (kind_), .letter = (l), .name = (n),              \
		.offset = offsetof(type, member), .has_offset = SIZE_MAX, \
		.value = (value_), .help = (help_)                        \
	}
#define OPT_END                    \
	{                          \
		.kind = OPTION_END \
	}

struct example {
	const char *command; ///< a whole shell command that a test runs
	const char *text;    ///< what it does
};

struct command;

/**
 * Parse @p argv (without program and command name) into @p settings, which
 * holds the defaults. Operands are moved to the front of @p argv and counted.
 *
 * @return An ERROR_USAGE that names the argument and, where one is near, what
 *         was probably meant.
 */
MUST_CHECK struct error *options_parse(const struct option *options, int argc,
                                       char **argv, void *settings,
                                       size_t *ret_operand_count);

/** Free the arrays of OPTION_LIST fields. */
void options_release(const struct option *options, void *settings);

/** Append the option list as `--help` prints it, fitted to @p width columns. */
void options_describe(const struct option *options, size_t width,
                      struct str *out);

/**
 * The nearest of @p candidates (a NULL-terminated list) to a mistyped word,
 * by Damerau-Levenshtein with git's weights; NULL if none is near enough.
 */
const char *options_nearest(const char *word, const char *const *candidates);

#endif

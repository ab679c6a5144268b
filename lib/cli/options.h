// SPDX-License-Identifier: MIT
/**
 * Command lines as tables.
 *
 * A command's options are constant data without pointers into variables:
 * parsing, `--help`, the manual check and the completions read the same table.
 * Values are stored in a settings struct of the command.
 *
 * Syntax: POSIX utilities with GNU long options. `-ofile` and `-o file`,
 * `--opt=v` and `--opt v`, clustered flags, `--` ends options, operands may
 * precede options, a lone `-` is an operand. Abbreviated long options are
 * refused.
 */
#ifndef APMTOOL_LIB_CLI_OPTIONS_H
#define APMTOOL_LIB_CLI_OPTIONS_H

#include "lib/base/error.h"
#include "lib/base/str.h"
#include "lib/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind {
	OPTION_END,
	OPTION_FLAG,   ///< bool
	OPTION_TEXT,   ///< const char *, borrowed from argv
	OPTION_LIST,   ///< struct option_list, may be repeated
	OPTION_HEX,    ///< uint64_t, hex with or without `0x`
	OPTION_UINT,   ///< unsigned, decimal, within bounds
	OPTION_CHOICE, ///< unsigned: index into the choices
	OPTION_NAME,   ///< const char *: a name of option_names
	OPTION_LIMIT,  ///< no field: `NAME=VALUE` sets a limit (base/limit.h)
};

/** Names from a table elsewhere, as values of an option. */
struct option_names {
	/** The name at @p index of those in @p set; NULL after the last. */
	const char *(*at)(unsigned set, size_t index);
};

struct option_list {
	const char **items; ///< borrowed strings; the array is freed by
	size_t count;       ///< options_release()
	size_t cap;
};

struct option {
	enum option_kind kind;
	char letter;       ///< 0: none
	const char *name;  ///< long name without dashes; or NULL
	const char *also;  ///< undocumented alias; or NULL
	size_t offset;     ///< into the settings struct
	size_t has_offset; ///< of a bool set if given; SIZE_MAX: none
	const char *value; ///< `<dir>`; for OPTION_CHOICE `text|json`
	const char *help;  ///< one line, lower case, no full stop
	/**
	 * The long name has a single dash, as in atos (`-arch`); two dashes
	 * work as well. Compared as a whole before letters are tried.
	 */
	bool single_dash;
	bool is_required;                 ///< shown in the synopsis
	unsigned min, max;                ///< of OPTION_UINT; max 0: unlimited
	bool or_zero;                     ///< 0 is allowed below @c least
	const struct option_names *names; ///< of OPTION_NAME
	unsigned set;                     ///< subset of names that it takes
	const char *first;                ///< default name
	/** `new|grown`: possible texts, for completion; NULL: any. */
	const char *words;
};

#define OPT_VALUE(kind_, l, n, type, member, value_, help_)               \
	{                                                                 \
		.kind = (kind_), .letter = (l), .name = (n),              \
		.offset = offsetof(type, member), .has_offset = SIZE_MAX, \
		.value = (value_), .help = (help_)                        \
	}
#define OPT_FLAG(l, n, type, member, help_) \
	OPT_VALUE(OPTION_FLAG, l, n, type, member, NULL, help_)
#define OPT_TEXT(l, n, type, member, value_, help_) \
	OPT_VALUE(OPTION_TEXT, l, n, type, member, value_, help_)
#define OPT_LIST(l, n, type, member, value_, help_) \
	OPT_VALUE(OPTION_LIST, l, n, type, member, value_, help_)
#define OPT_WORDS(l, n, type, member, words_, value_, help_)              \
	{                                                                 \
		.kind = OPTION_LIST, .letter = (l), .name = (n),          \
		.offset = offsetof(type, member), .has_offset = SIZE_MAX, \
		.words = (words_), .value = (value_), .help = (help_)     \
	}
/** @p max_ is 0 for no maximum. */
#define OPT_UINT(l, n, type, member, min_, max_, value_, help_)           \
	{                                                                 \
		.kind = OPTION_UINT, .letter = (l), .name = (n),          \
		.offset = offsetof(type, member), .has_offset = SIZE_MAX, \
		.min = (min_), .max = (max_), .value = (value_),          \
		.help = (help_)                                           \
	}
#define OPT_CHOICE(l, n, type, member, value_, help_) \
	OPT_VALUE(OPTION_CHOICE, l, n, type, member, value_, help_)
/** @p has names a bool member, set if the option is given. */
#define OPT_CHOICE_HAS(l, n, type, member, has, value_, help_)        \
	{                                                             \
		.kind = OPTION_CHOICE, .letter = (l), .name = (n),    \
		.offset = offsetof(type, member),                     \
		.has_offset = offsetof(type, has), .value = (value_), \
		.help = (help_)                                       \
	}
/** Allows 0 as a value; @p has names a bool member, set if it is given. */
#define OPT_UINT_OR_ZERO(l, n, type, member, has, min_, max_, value_, help_) \
	{                                                                    \
		.kind = OPTION_UINT, .letter = (l), .name = (n),             \
		.offset = offsetof(type, member),                            \
		.has_offset = offsetof(type, has), .min = (min_),            \
		.max = (max_), .or_zero = true, .value = (value_),           \
		.help = (help_)                                              \
	}
/**
 * @p has names a bool member, set if it is given: any 64-bit value is valid.
 */
#define OPT_HEX(l, n, type, member, has, value_, help_)               \
	{                                                             \
		.kind = OPTION_HEX, .letter = (l), .name = (n),       \
		.offset = offsetof(type, member),                     \
		.has_offset = offsetof(type, has), .value = (value_), \
		.help = (help_)                                       \
	}
/** A long name with a single dash; @p value_ is NULL for OPTION_FLAG. */
#define OPT_SINGLE_DASH(kind_, l, n, type, member, value_, help_)          \
	{                                                                  \
		.kind = (kind_), .letter = (l), .name = (n),               \
		.single_dash = true, .offset = offsetof(type, member),     \
		.has_offset = SIZE_MAX, .value = (value_), .help = (help_) \
	}
#define OPT_END                    \
	{                          \
		.kind = OPTION_END \
	}

struct example {
	const char *command; ///< a whole shell command; a test runs it
	const char *text;    ///< what it does
};

/**
 * Iterate over the options of a table, then the common ones: `--limit`.
 *
 * @param previous  NULL for the first.
 * @return NULL after the last.
 */
const struct option *option_next(const struct option *options,
                                 const struct option *previous);

/** The option with this long name, or NULL. */
const struct option *option_find(const struct option *options,
                                 const char *name);

/** The value of an option in its command's settings. */
const void *option_value(const struct option *option, const void *settings);

/**
 * Append the value of an option: `<dir>`, or choices, `text|json`. The first
 * name is the default.
 */
void option_add_value(const struct option *option, struct str *out);

/**
 * Parse @p argv (without program and command name) into @p settings, which
 * holds the defaults; an OPTION_NAME that is NULL there gets its own. Operands
 * are moved to the front of @p argv and counted. The last occurrence of an
 * option wins. `--help` is handled by the caller before (options_ask()).
 *
 * @return An ERROR_USAGE with the argument and, if there is one, a similar
 * name.
 */
MUST_CHECK struct error *options_parse(const struct option *options, int argc,
                                       char **argv, void *settings,
                                       size_t *ret_operand_count);

/** Free the arrays of OPTION_LIST fields. */
void options_release(const struct option *options, void *settings);

/**
 * Is @p name (`--help`) anywhere before a `--`? It counts even as the value of
 * an option, and in an invalid command line: the user wants to read, not to
 * run.
 */
bool options_ask(const char *name, int argc, char *const *argv);

/**
 * Append `usage: PROGRAM [OPTIONS] OPERANDS` and a newline, fitted to @p width
 * columns. A test compares it with the manual's SYNOPSIS.
 *
 * @param operands  As `[<report>...]`; or NULL.
 */
void usage_synopsis(const char *program, const struct option *options,
                    const char *operands, size_t width, struct str *out);

/** Append a row for each option, including common ones, and for `--help`. */
void usage_options(const struct option *options, size_t width, struct str *out);

/** Append @p name and, from a common column on, @p help, wrapped. */
void usage_row(const char *name, const char *help, size_t width,
               struct str *out);

/**
 * Append an example's description and command. A long command is broken with
 * backslashes, and can be pasted.
 */
void usage_example(const struct example *example, size_t width,
                   struct str *out);

/** Append paragraphs (separated by empty lines), wrapped. */
void usage_paragraphs(const char *text, size_t width, struct str *out);

#endif

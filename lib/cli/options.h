// SPDX-License-Identifier: MIT
/**
 * Command lines as tables.
 *
 * A command's options are constant data without pointers into variables, so
 * that parsing, `--help`, the manual check and the completions walk the
 * same table. Values land in a settings struct of the command.
 *
 * Syntax: POSIX utilities with GNU long options. `-ofile` and `-o file`,
 * `--opt=v` and `--opt v`, clustered flags, `--` ends options, operands may
 * precede options, a lone `-` is an operand. Abbreviations of long
 * options are refused.
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
	OPTION_LIST,   ///< struct option_list, may be given again and again
	OPTION_HEX,    ///< uint64_t, hex with or without `0x`
	OPTION_UINT,   ///< unsigned, decimal, within bounds
	OPTION_CHOICE, ///< unsigned: index into the choices
	OPTION_NAME,   ///< const char *: a name of an option_names
	OPTION_LIMIT,  ///< no field: `NAME=VALUE` sets a limit (base/limit.h)
};

/** Names that a table elsewhere holds, for the options that take one. */
struct option_names {
	/** The name at @p index of those in @p set; NULL past the last. */
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
	const char *name;  ///< long name without dashes; NULL: none
	const char *also;  ///< another spelling of it, shown nowhere; or NULL
	size_t offset;     ///< into the settings struct
	size_t has_offset; ///< of a bool set when given; SIZE_MAX: none
	const char *value; ///< `<dir>`; for OPTION_CHOICE `text|json`
	const char *help;  ///< one line, lower case, no full stop
	/**
	 * The long name takes a single dash, as atos has it (`-arch`), and two
	 * as well. Such options are matched whole before letters are tried.
	 */
	bool single_dash;
	bool is_required;                 ///< the synopsis says so
	unsigned least, most;             ///< of OPTION_UINT; no most: 0
	bool or_zero;                     ///< below the least, 0 is one, too
	const struct option_names *names; ///< of OPTION_NAME
	unsigned set;                     ///< those of them that it takes
	const char *first;                ///< the one where none is given
	/** `new|grown`: what a text may be, for completion; NULL: anything. */
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
/** @p most_ is 0 where a number may be as large as it likes. */
#define OPT_UINT(l, n, type, member, least_, most_, value_, help_)        \
	{                                                                 \
		.kind = OPTION_UINT, .letter = (l), .name = (n),          \
		.offset = offsetof(type, member), .has_offset = SIZE_MAX, \
		.least = (least_), .most = (most_), .value = (value_),    \
		.help = (help_)                                           \
	}
#define OPT_CHOICE(l, n, type, member, value_, help_) \
	OPT_VALUE(OPTION_CHOICE, l, n, type, member, value_, help_)
/** @p has names a bool member: the choice may come from elsewhere. */
#define OPT_CHOICE_HAS(l, n, type, member, has, value_, help_)        \
	{                                                             \
		.kind = OPTION_CHOICE, .letter = (l), .name = (n),    \
		.offset = offsetof(type, member),                     \
		.has_offset = offsetof(type, has), .value = (value_), \
		.help = (help_)                                       \
	}
/** Or 0, which may be meant: @p has names a bool member. */
#define OPT_UINT_OR_ZERO(l, n, type, member, has, least_, most_, value_, \
                         help_)                                          \
	{                                                                \
		.kind = OPTION_UINT, .letter = (l), .name = (n),         \
		.offset = offsetof(type, member),                        \
		.has_offset = offsetof(type, has), .least = (least_),    \
		.most = (most_), .or_zero = true, .value = (value_),     \
		.help = (help_)                                          \
	}
/** @p has names a bool member: any 64-bit value may be meant. */
#define OPT_HEX(l, n, type, member, has, value_, help_)               \
	{                                                             \
		.kind = OPTION_HEX, .letter = (l), .name = (n),       \
		.offset = offsetof(type, member),                     \
		.has_offset = offsetof(type, has), .value = (value_), \
		.help = (help_)                                       \
	}
/** A long name after a single dash; @p value_ is NULL for OPTION_FLAG. */
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
	const char *command; ///< a whole shell command that a test runs
	const char *text;    ///< what it does
};

/**
 * The options of a table, and then those that all commands take: `--limit`.
 *
 * @param previous  NULL gives the first.
 * @return NULL past the last.
 */
const struct option *option_next(const struct option *options,
                                 const struct option *previous);

/** The option of a table with this long name, or NULL. */
const struct option *option_find(const struct option *options,
                                 const char *name);

/** Where the value of an option is in the settings of its command. */
const void *option_value(const struct option *option, const void *settings);

/**
 * Append what may follow an option: `<dir>`, or the choices, `text|json`. Of
 * names, the first is the default.
 */
void option_add_value(const struct option *option, struct str *out);

/**
 * Parse @p argv (without program and command name) into @p settings, which
 * holds the defaults; an OPTION_NAME that is NULL there gets its own. Operands
 * are moved to the front of @p argv and counted. An option given twice counts
 * as given last. `--help` is not known here: the caller looks for it first
 * (options_ask()).
 *
 * @return An ERROR_USAGE that names the argument and, where one is near, what
 *         was probably meant.
 */
MUST_CHECK struct error *options_parse(const struct option *options, int argc,
                                       char **argv, void *settings,
                                       size_t *ret_operand_count);

/** Free the arrays of OPTION_LIST fields. */
void options_release(const struct option *options, void *settings);

/**
 * Whether @p name (`--help`) is anywhere before a `--`. It counts even
 * where an option would take it for its value, and beside mistakes: who types
 * it wants to read, not to run.
 */
bool options_ask(const char *name, int argc, char *const *argv);

/**
 * Append `usage: PROGRAM [OPTIONS] OPERANDS` and a newline, fitted to
 * @p width columns. The manual's SYNOPSIS says the same (a test compares).
 *
 * @param operands  As `[<report>...]`; NULL: none.
 */
void usage_synopsis(const char *program, const struct option *options,
                    const char *operands, size_t width, struct str *out);

/** Append a row per option, the common ones included, and one for `--help`. */
void usage_options(const struct option *options, size_t width, struct str *out);

/** Append @p name and, from a common column on, @p help, wrapped. */
void usage_row(const char *name, const char *help, size_t width,
               struct str *out);

/**
 * Append what an example does, and its command; where that is wider, the lines
 * are joined by backslashes and may be pasted as they are.
 */
void usage_example(const struct example *example, size_t width,
                   struct str *out);

/** Append paragraphs (parted by empty lines), wrapped. */
void usage_paragraphs(const char *text, size_t width, struct str *out);

#endif

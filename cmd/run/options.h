// SPDX-License-Identifier: MIT
/**
 * Options that commands share, and their values: the width of text, formats,
 * percentages, sessions, which reports.
 */
#ifndef APMTOOL_CMD_RUN_OPTIONS_H
#define APMTOOL_CMD_RUN_OPTIONS_H

#include "lib/base/error.h"
#include "lib/cli/command.h"
#include "lib/model/selection.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Narrower lines cannot be read. */
#define TEXT_COLUMNS_MIN 40

/** What the user says of the length of lines; all zeros: nothing. */
struct text_width {
	unsigned columns;
	bool is_given;
};

/** The option that fills it, for tables and call trees in text. */
#define OPT_WIDTH(type, member)                                              \
	OPT_UINT_OR_ZERO(0, "width", type, member.columns, member.is_given,  \
	                 TEXT_COLUMNS_MIN, UINT16_MAX, "<columns>",          \
	                 "fit text into <columns>, by default the width of " \
	                 "the terminal; 0 shows all")

/**
 * How long lines of text may be; 0: as long as they need.
 *
 * @param output  The file they go to; NULL: standard output. What is not for a
 *                terminal is read by programs, too, and not fitted unless that
 *                is asked for.
 */
size_t text_width_columns(const struct text_width *width,
                          const struct command_line *line, const char *output);

/** For OPT_FORMAT: the formats of the table, by the shapes they show. */
extern const struct option_names option_formats;

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
		.help = "output format", .names = &option_formats,    \
		.set = (shapes_), .first = (default_)                 \
	}

/** Which of many reports the user means; all zeros: all of them. */
struct selection_settings {
	struct option_list where;
	const char *since;
	const char *until;
};

/** The options that fill it, for commands that take many reports. */
#define OPT_SELECTION(type, member)                                           \
	OPT_WORDS(0, "where", type, member.where, SELECTION_WORDS,            \
	          "<key=value>",                                              \
	          "only reports of this app, version, os, device, kind or "   \
	          "at_launch; several after commas"),                         \
	        OPT_TEXT(0, "since", type, member.since, "<date>",            \
	                 "only reports of this day or time (UTC), or later"), \
	        OPT_TEXT(0, "until", type, member.until, "<date>",            \
	                 "only reports of this day or time (UTC), or earlier")

/** Read these settings; the selection lives in @p arena and borrows. */
MUST_CHECK struct error *option_selection(
        const struct selection_settings *settings, struct arena *arena,
        struct selection *ret);

/** `5`, `2.5`, `15.72` or `5%`, up to 100; false for anything else. */
bool option_percent(const char *value, unsigned *ret_hundredths);

/**
 * Read `--sessions`, two numbers above 0, `1200,900`: what an older and a newer
 * set cover. NULL was not given.
 */
MUST_CHECK struct error *option_sessions(const char *value, uint64_t ret[2]);

#endif

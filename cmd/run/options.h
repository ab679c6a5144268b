// SPDX-License-Identifier: MIT
/**
 * Options that commands share, and their values: width of text, formats,
 * percentages, sessions, selection of reports.
 */
#ifndef APMTOOL_CMD_RUN_OPTIONS_H
#define APMTOOL_CMD_RUN_OPTIONS_H

#include "lib/base/error.h"
#include "lib/cli/command.h"
#include "lib/model/selection.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Narrower text is not readable. */
#define TEXT_COLUMNS_MIN 40

/** Requested line width; all zeros: not given. */
struct text_width {
	unsigned columns;
	bool is_given;
};

/** Its option, for tables and call trees in text. */
#define OPT_WIDTH(type, member)                                              \
	OPT_UINT_OR_ZERO(0, "width", type, member.columns, member.is_given,  \
	                 TEXT_COLUMNS_MIN, UINT16_MAX, "<columns>",          \
	                 "fit text into <columns>, by default the width of " \
	                 "the terminal; 0 shows all")

/**
 * Max length of lines of text; 0: no limit.
 *
 * @param output  The output file; NULL: standard output. Text that is not for a
 *                terminal is only fitted on request, as programs may read it.
 */
size_t text_width_columns(const struct text_width *width,
                          const struct command_line *line, const char *output);

/** Formats for OPT_FORMAT, by the shapes they show. */
extern const struct option_names option_formats;

/**
 * The option `--format`, also `--to`: one of the formats that show all of @p
 * shapes_ (enum shape). The member gets the name of a formatter, by default @p
 * default_.
 */
#define OPT_FORMAT(type, member, shapes_, default_)                   \
	{                                                             \
		.kind = OPTION_NAME, .letter = 't', .name = "format", \
		.also = "to", .offset = offsetof(type, member),       \
		.has_offset = SIZE_MAX, .value = "<format>",          \
		.help = "output format", .names = &option_formats,    \
		.set = (shapes_), .first = (default_)                 \
	}

/** Selection of reports; all zeros: all. */
struct selection_settings {
	struct option_list where;
	const char *since;
	const char *until;
};

/** Its options, for commands that read many reports. */
#define OPT_SELECTION(type, member)                                           \
	OPT_WORDS(0, "where", type, member.where, SELECTION_WORDS,            \
	          "<key=value>",                                              \
	          "only reports of this app, version, os, device, kind or "   \
	          "at_launch; several after commas"),                         \
	        OPT_TEXT(0, "since", type, member.since, "<date>",            \
	                 "only reports of this day or time (UTC), or later"), \
	        OPT_TEXT(0, "until", type, member.until, "<date>",            \
	                 "only reports of this day or time (UTC), or earlier")

/** Parse a selection; it lives in @p arena and borrows from the settings. */
MUST_CHECK struct error *option_selection(
        const struct selection_settings *settings, struct arena *arena,
        struct selection *ret);

/** Parse `5`, `2.5`, `15.72` or `5%`, up to 100; false: something else. */
bool option_percent(const char *value, unsigned *ret_hundredths);

/**
 * Parse `--sessions`, two numbers above 0, `1200,900`: the sessions of an older
 * and a newer set. NULL: not given.
 */
MUST_CHECK struct error *option_sessions(const char *value, uint64_t ret[2]);

#endif

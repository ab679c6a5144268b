// SPDX-License-Identifier: MIT
/**
 * What stands before every line of a report that was quoted, indented or
 * logged: `> `, blanks, `2026-01-31T09:08:07.123Z `.
 *
 * The prefixes of logs are known by their shape: each word and each number
 * may be another one, as long as all marks between them are the same.
 */
#ifndef APMTOOL_PARSERS_INPUT_REPAIR_PREFIX_H
#define APMTOOL_PARSERS_INPUT_REPAIR_PREFIX_H

#include "lib/base/str.h"
#include "lib/base/text.h"
#include "parsers/input/repair/wrap.h"

#include <stdbool.h>
#include <stddef.h>

enum prefix_kind {
	PREFIX_NONE,
	PREFIX_QUOTE,
	PREFIX_INDENT,
	PREFIX_LOG,
	PREFIX_CONSOLE, ///< as lib/darwin/log_prefix.h reads it
};

#define PREFIX_SHAPES      8
#define PREFIX_SHAPE_BYTES 160

/** All zeros: there is none. */
struct prefix {
	enum prefix_kind kind;
	size_t depth; ///< quote marks, or blanks
	char mark;    ///< of quotes
	/** Nothing shows where its report begins: no line is left out. */
	bool keeps_all;
	/** Of logs: `w` is a word or a number, a blank any number of them. */
	struct prefix_shape {
		char marks[PREFIX_SHAPE_BYTES];
		size_t size;
		size_t blanks; ///< that follow it
		size_t count;  ///< lines of a report that have it
		bool is_sure;  ///< it has more than words
	} shapes[PREFIX_SHAPES];
	size_t shape_count;
};

struct prefix_result {
	size_t lines;       ///< that had the prefix
	size_t lines_above; ///< left out
	size_t lines_below; ///< left out
	struct wrap_result
	        joined; ///< lines that were broken after it was added
};

/** The prefix that lines of a report in @p in have, if none is without. */
struct prefix prefix_find(struct text in);

/** Does every line of the report have it, and none was broken since? */
bool prefix_is_everywhere(const struct prefix *prefix, struct text in);

/** Write @p in without it, and without what is above and below the report. */
bool prefix_remove(const struct prefix *prefix, struct text in, struct str *out,
                   struct prefix_result *ret);

#endif

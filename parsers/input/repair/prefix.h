// SPDX-License-Identifier: MIT
/**
 * The prefix of all lines of a report that was quoted, indented or logged: `>
 * `, blanks, `2026-01-31T09:08:07.123Z `.
 *
 * A log prefix is known by its shape: words and numbers may vary, but the
 * punctuation between them stays the same.
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
	PREFIX_CONSOLE, ///< see lib/darwin/log_prefix.h
};

#define PREFIX_SHAPES      8
#define PREFIX_SHAPE_BYTES 160

/** All zeros: no prefix. */
struct prefix {
	enum prefix_kind kind;
	size_t depth; ///< number of quote marks, or blanks
	char mark;    ///< quote mark
	/** The start of the report is unknown: no line is removed. */
	bool keeps_all;
	/** Of logs: `w` is a word or number, a blank any number of blanks. */
	struct prefix_shape {
		char marks[PREFIX_SHAPE_BYTES];
		size_t size;
		size_t blanks; ///< after it
		size_t count;  ///< lines of the report with this shape
		bool is_sure;  ///< it has punctuation, not only words
	} shapes[PREFIX_SHAPES];
	size_t shape_count;
};

struct prefix_result {
	size_t lines;       ///< lines with the prefix
	size_t lines_above; ///< removed
	size_t lines_below; ///< removed
	struct wrap_result
	        joined; ///< lines that were wrapped after the prefix was added
};

/** The prefix that all lines of the report in @p in have. */
struct prefix prefix_find(struct text in);

/** Does every line of the report have it, so that none was wrapped later? */
bool prefix_is_everywhere(const struct prefix *prefix, struct text in);

/**
 * Write @p in without the prefix and without the text above and below the
 * report.
 */
bool prefix_remove(const struct prefix *prefix, struct text in, struct str *out,
                   struct prefix_result *ret);

#endif

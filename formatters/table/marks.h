// SPDX-License-Identifier: MIT
/**
 * The columns that mark places (formatters/formatter.h), for formats that print
 * marks instead of lists: `github`, `sarif`, `junit`.
 */
#ifndef APMTOOL_FORMATTERS_TABLE_MARKS_H
#define APMTOOL_FORMATTERS_TABLE_MARKS_H

#include "lib/base/str.h"
#include "lib/model/table.h"

#include <stdbool.h>
#include <stddef.h>

enum mark_level {
	MARK_NONE, ///< the row is not marked
	MARK_NOTICE,
	MARK_WARNING,
	MARK_ERROR,
};

/** The level of a row; MARK_NOTICE in a table without the column. */
enum mark_level mark_level_of(const struct table *table, size_t row);

/** The value at @p key in @p row; false, and empty, if absent. */
bool mark_value(const struct table *table, size_t row, const char *key,
                struct str *ret);

/**
 * Append the message of a row, unescaped; default: the columns that text shows,
 * as `title: value`.
 */
void mark_add_message(const struct table *table, size_t row, struct str *out);

#endif

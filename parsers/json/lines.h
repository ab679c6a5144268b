// SPDX-License-Identifier: MIT
/**
 * A JSON value as text for people: a member a line, four blanks a level, names
 * sorted, so that equal values print equally whatever order they came in.
 * Whatever a reader has no place for in the model is carried along like this.
 */
#ifndef APMTOOL_PARSERS_JSON_LINES_H
#define APMTOOL_PARSERS_JSON_LINES_H

#include "lib/base/limit.h"
#include "lib/base/str.h"
#include "lib/model/report.h"
#include "lib/text/json/json.h"

/** Is there room in the text of a section, or must the rest be left out? */
static inline bool json_lines_fit(const struct str *text)
{
	return text->size <= limit_get(LIMIT_SECTION_TEXT);
}

/**
 * Append @p value to @p out, without a line end at its end; not all of it where
 * json_lines_fit() becomes false.
 */
void json_lines_add(struct str *out, const cJSON *value);

/**
 * Add a section, cut where json_lines_fit() is false: then a note says so, and
 * the report is truncated.
 */
void json_lines_section(struct report *report, struct arena *arena,
                        const char *label, const struct str *text);

#endif

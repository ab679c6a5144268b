// SPDX-License-Identifier: MIT
/**
 * Prints a JSON value for people: a member a line, four blanks a level, names
 * sorted, so that equal values print equally. Used for members that have no
 * place in the model.
 */
#ifndef APMTOOL_PARSERS_JSON_LINES_H
#define APMTOOL_PARSERS_JSON_LINES_H

#include "lib/base/limit.h"
#include "lib/base/str.h"
#include "lib/model/report.h"
#include "lib/text/json/json.h"

/** Does the text still fit into a section? */
static inline bool json_lines_fit(const struct str *text)
{
	return text->size <= limit_get(LIMIT_SECTION_TEXT);
}

/**
 * Append @p value to @p out, without a final line end. Stops when
 * json_lines_fit() becomes false.
 */
void json_lines_add(struct str *out, const cJSON *value);

/**
 * Add a section. If the text does not fit, a note says so, and the report is
 * truncated.
 */
void json_lines_section(struct report *report, struct arena *arena,
                        const char *label, const struct str *text);

#endif

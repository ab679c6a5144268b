/**
 * A JSON value as text for people: a member a line, four blanks a level, names
 * sorted, so that equal values print equally whatever order they came in.
 * Whatever a reader has no place for in the model is carried along like this.
 */
#ifndef APMTOOL_PARSERS_JSON_LINES_H
#define APMTOOL_PARSERS_JSON_LINES_H

#include "lib/base/str.h"
#include "lib/text/json/json.h"

/** No more text than this; what is over it is left out, and said so. */
#define JSON_LINES_BYTES ((size_t)1 << 20)

/** Append @p value to @p out, without a line end at its end. */
void json_lines_add(struct str *out, const struct json *value);

#endif

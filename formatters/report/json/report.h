// SPDX-License-Identifier: MIT
/**
 * `apmtool.report/1`, all that is known of a report, for programs, and
 * `apmtool.error/1`, an input that could not be read. Their schemas are in
 * formatters/schema/: what is written here and what they say are one promise.
 *
 * A key is absent where the report does not say; the keys of a frame are
 * always there, null where unknown, so that a table of frames has no holes.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_JSON_REPORT_H
#define APMTOOL_FORMATTERS_REPORT_JSON_REPORT_H

#include "lib/base/error.h"
#include "lib/model/report.h"
#include "lib/text/json/writer.h"

/** Write `apmtool.report/1`, the final newline included. */
void json_add_report(struct json_writer *w, const struct report *report);

/** The members that say which input a report is of. */
void json_add_input(struct json_writer *w, const struct report *report);

/** Write `apmtool.error/1` in the same way. */
void json_add_failure(struct json_writer *w, const char *input,
                      const struct error *err);

/** The same on a line: the `failure` of formats that are lines. */
void json_failure_line(const char *input, const struct error *err,
                       struct out *out);

#endif

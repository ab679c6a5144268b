// SPDX-License-Identifier: MIT
/**
 * `apmtool.report/1`, all data of a report, for programs, and
 * `apmtool.error/1`, an input that could not be read. Their schemas in
 * formatters/schema/ must agree with this code.
 *
 * Keys are absent if the report has no value. The keys of a frame are always
 * present, with null for unknown values, so that a table of frames has no
 * holes.
 */
#ifndef APMTOOL_FORMATTERS_REPORT_JSON_REPORT_H
#define APMTOOL_FORMATTERS_REPORT_JSON_REPORT_H

#include "lib/base/error.h"
#include "lib/model/report.h"
#include "lib/text/json/writer.h"

/** Write `apmtool.report/1` with the final newline. */
void json_add_report(struct json_writer *w, const struct report *report);

/** The members that identify the input of a report. */
void json_add_input(struct json_writer *w, const struct report *report);

/** Write `apmtool.error/1` with the final newline. */
void json_add_failure(struct json_writer *w, const char *input,
                      const struct error *err);

/** Write it on one line: the `failure` of line formats. */
void json_failure_line(const char *input, const struct error *err,
                       struct out *out);

#endif
